import { MINUTE } from '#shared/platform/kernel/time.ts';
import { idsOf } from '#test/support/emulators/simulated-merchant.ts';
import { breakerScene } from '#test/support/worlds/breaker-scene.ts';

describe('a canary', () => {
  const { scene, start, startFailing, until, land, landAtOnce, breaker } = breakerScene();

  test('does not delay the one event in 25 that the endpoint takes, although it refuses the others at every retry', async () => {
    await start();
    const refused = new Set<string>();
    scene.merchant.answersTo((eventId) => (refused.has(eventId) ? 404 : 200));
    const good: string[] = [];
    // All but one of 25, every four minutes, each tried again by its own schedule.
    for (let n = 0; n < 50; n++) {
      const [eventId = ''] = idsOf(await land(1));
      if (n % 25 < 24) refused.add(eventId);
      else good.push(eventId);
      await until((n + 1) * 4 * MINUTE);
      expect(scene.merchant.takenIds()).toEqual(good);
    }
    expect((await breaker())?.state).toBe('closed');
  });

  test('is needed after a hundred refusals in a row; what the endpoint takes then is delayed by two gaps at most', async () => {
    // One consumer: of refusals at the same moment some are not counted, because they write one breaker.
    await start({ consumers: 1 });
    const refused = new Set<string>();
    scene.merchant.answersTo((eventId) => (refused.has(eventId) ? 404 : 200));
    for (const id of idsOf(await land(100))) refused.add(id);
    await until(30 * MINUTE);
    expect((await breaker())?.state).toBe('open');
    const good = idsOf(await land(20));
    await until(150 * MINUTE);
    expect(scene.merchant.takenIds()).toEqual(good);
  });

  test('and a hundred other deliveries that fail do not stop the rest from being drained', async () => {
    // One at a time, because not all failures at the same moment are counted: five in a row interrupt each drain.
    await startFailing({ consumers: 1 });
    const failing = new Set(idsOf(await landAtOnce(100, { parked: true })));
    await until(14 * MINUTE);
    const good = idsOf(await landAtOnce(100, { parked: true }));
    scene.merchant.answersTo((eventId) => (failing.has(eventId) ? 500 : 200));
    await until(40 * MINUTE);
    const taken = new Set(scene.merchant.takenIds());
    expect(good.filter((id) => !taken.has(id))).toEqual([]);
  });
});
