import { MINUTE } from '#shared/platform/kernel/time.ts';
import { listIds } from '#test/support/emulators/simulated-merchant.ts';
import { setUpBreakerScene } from '#test/support/worlds/breaker-scene.ts';

describe('an endpoint that refuses most events', () => {
  const { scene, start, startFailing, until, land, landAtOnce, breaker } = setUpBreakerScene();

  test('needs no canary, and delays no event that it takes, if it takes one event in 25 and refuses the others at every retry', async () => {
    await start();
    const refused = new Set<string>();
    scene.merchant.answerEachWith((eventId) => (refused.has(eventId) ? 404 : 200));
    const good: string[] = [];
    // 24 of 25 events are refused. One is sent every four minutes, and each is retried by its own schedule.
    for (let n = 0; n < 50; n++) {
      const [eventId = ''] = listIds(await land(1));
      if (n % 25 < 24) refused.add(eventId);
      else good.push(eventId);
      await until((n + 1) * 4 * MINUTE);
      expect(scene.merchant.acceptedIds()).toEqual(good);
    }
    expect((await breaker())?.state).toBe('closed');
  });

  test('needs a canary after a hundred refused events in a row, and delays later events by at most two gaps', async () => {
    // Use one consumer. If several deliveries fail at the same moment, not all failures are counted, because all write the same breaker.
    await start({ consumers: 1 });
    const refused = new Set<string>();
    scene.merchant.answerEachWith((eventId) => (refused.has(eventId) ? 404 : 200));
    for (const id of listIds(await land(100))) refused.add(id);
    await until(30 * MINUTE);
    expect((await breaker())?.state).toBe('open');
    const good = listIds(await land(20));
    await until(150 * MINUTE);
    expect(scene.merchant.acceptedIds()).toEqual(good);
  });

  test('drains a hundred deliveries even if a hundred others fail', async () => {
    // Use one consumer. If several deliveries fail at the same moment, not all failures are counted, and five in a row interrupt a drain.
    await startFailing({ consumers: 1 });
    const failing = new Set(listIds(await landAtOnce(100, { parked: true })));
    await until(14 * MINUTE);
    const good = listIds(await landAtOnce(100, { parked: true }));
    scene.merchant.answerEachWith((eventId) => (failing.has(eventId) ? 500 : 200));
    await until(40 * MINUTE);
    const taken = new Set(scene.merchant.acceptedIds());
    expect(good.filter((id) => !taken.has(id))).toEqual([]);
  });
});
