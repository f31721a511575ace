import { HOUR, isoMicros, MINUTE } from '#shared/platform/kernel/time.ts';
import { updateWebhookEndpoint } from '#shared/webhooks/use-cases/update-webhook-endpoint.ts';
import { longTest } from '#test/support/jest/long.ts';
import { apiClient } from '#test/support/worlds/api-client.ts';
import { breakerScene } from '#test/support/worlds/breaker-scene.ts';

describe('the health of an endpoint', () => {
  const { scene, start, startFailing, until, pass, land, endpointId, breaker } = breakerScene();
  const api = () => apiClient(scene.world, scene.business.keys.secret_test);
  const shown = async () => (await api().getEndpoint(endpointId())).json.data;
  const waiting = (status: string, query: Record<string, string> = {}) =>
    api().listDeliveries(endpointId(), undefined, {}, { status, ...query });

  test('is that of its breaker: healthy, failing, suspended, recovering, healthy again', async () => {
    await start();
    expect((await shown()).health).toEqual({
      status: 'healthy',
      failing_since: null,
      last_failed_event_id: null,
      parked: 0,
    });
    scene.merchant.answers(500);
    await land(1);
    await until(0);
    const failingSince = isoMicros((await breaker())?.outage?.since ?? 0);
    expect((await shown()).health).toEqual({
      status: 'failing',
      failing_since: failingSince,
      last_failed_event_id: (await scene.world.deliveries())[0]?.eventId,
      parked: 0,
    });
    await land(40);
    await until(13 * MINUTE);
    const parked = (await scene.world.deliveries()).filter(({ state }) => state === 'parked').length;
    expect(parked).toBeGreaterThan(0);
    expect((await shown()).health).toMatchObject({ status: 'suspended', failing_since: failingSince, parked });
    const { last_failed_event_id: failed } = (await shown()).health;
    expect((await api().getEvent(failed)).json.data.deliveries[0].attempts.at(-1)).toMatchObject({ status_code: 500 });
    scene.merchant.answers(200);
    const found: string[] = [];
    while (found.at(-1) !== 'healthy' && found.length < 200) {
      await pass(MINUTE);
      const { status } = (await shown()).health;
      if (status !== found.at(-1)) found.push(status);
    }
    expect(found).toEqual(['suspended', 'recovering', 'healthy']);
  });

  test('tells what waits while it is off, which follows once it is on', async () => {
    await start();
    const update = (enabled: boolean) => api().updateEndpoint(endpointId(), { enabled });
    await update(false);
    await land(7);
    await pass(MINUTE);
    expect(await shown()).toMatchObject({ enabled: false, health: { status: 'healthy', parked: 7 } });
    scene.merchant.answers(200);
    await update(true);
    expect((await shown()).health).toMatchObject({ status: 'recovering', parked: 7 });
    await pass(5 * MINUTE);
    expect((await shown()).health).toEqual({
      status: 'healthy',
      failing_since: null,
      last_failed_event_id: null,
      parked: 0,
    });
    const states = (await scene.world.deliveries()).map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(['succeeded']));
    // Nothing waits: it is as it was.
    await update(true);
    expect((await shown()).health.status).toBe('healthy');
  });

  test('tells what waits when the process that switched it on has died, and a repeated request has it follow', async () => {
    await start();
    await api().updateEndpoint(endpointId(), { enabled: false });
    await land(3);
    await pass(MINUTE);
    const dead = { breakers: { ...scene.world.deps.breakers, save: () => Promise.reject(new Error('It has died.')) } };
    const update = { url: null, events: null, enabled: true };
    const deps = { ...scene.world.deps, ...dead };
    const died = updateWebhookEndpoint(deps, scene.business.tenant, endpointId(), update, undefined);
    await expect(died).rejects.toThrow('It has died.');
    expect(await shown()).toMatchObject({ enabled: true, health: { parked: 3 } });
    await api().updateEndpoint(endpointId(), { enabled: true });
    await pass(5 * MINUTE);
    expect((await shown()).health).toMatchObject({ status: 'healthy', parked: 0 });
  });

  test('comes with what waits behind it, newest event first and page by page', async () => {
    await startFailing();
    const all: { id: string; event_id: string }[] = [];
    let cursor: string | null = null;
    do {
      const { json } = await waiting('parked', { limit: '10', ...(cursor && { cursor }) });
      all.push(...json.data);
      cursor = json.meta.next_cursor;
    } while (cursor !== null);
    const parked = (await scene.world.deliveries()).filter(({ state }) => state === 'parked');
    const newestFirst = parked
      .map(({ eventId }) => eventId)
      .sort()
      .reverse();
    expect(all.map(({ event_id }) => event_id)).toEqual(newestFirst);
    expect(new Set(all.map(({ id }) => id)).size).toBe(parked.length);
    const tried = parked.find(({ lastAttempt }) => lastAttempt !== null);
    expect(all.find(({ id }) => id === tried?.id)).toMatchObject({
      event_type: 'checkout.paid',
      status: 'parked',
      attempts: tried?.attempt,
      last_attempt: { status_code: 500 },
      next_attempt_at: null,
    });
    expect((await waiting('exhausted')).json.data).toEqual([]);
  });

  longTest('comes with what was given up after three days', async () => {
    await start();
    scene.merchant.answers(500);
    await land(1);
    await pass(74 * HOUR);
    expect((await waiting('parked')).json.data).toEqual([]);
    const { data } = (await waiting('exhausted')).json;
    expect(data).toMatchObject([{ status: 'exhausted', last_attempt: { status_code: 500 }, next_attempt_at: null }]);
  });

  test('is nobody else’s to see, and its lists are named', async () => {
    await startFailing();
    const neighbour = await scene.world.addBusiness([]);
    const other = apiClient(scene.world, neighbour.keys.secret_test);
    const ownInLive = apiClient(scene.world, scene.business.keys.secret_live);
    for (const { getEndpoint, listDeliveries } of [other, ownInLive]) {
      expect((await getEndpoint(endpointId())).json.code).toBe('webhook_endpoint_not_found');
      const { json } = await listDeliveries(endpointId(), undefined, {}, { status: 'parked' });
      expect(json.code).toBe('webhook_endpoint_not_found');
    }
    const { next_cursor: cursor } = (await waiting('parked', { limit: '1' })).json.meta;
    expect((await waiting('exhausted', { cursor })).json.code).toBe('validation_failed');
    for (const status of ['pending', 'all', '']) {
      expect((await waiting(status)).json.errors).toEqual([
        { field: 'status', message: 'status must be parked or exhausted.' },
      ]);
    }
    // What waits is listed unless something else is asked for.
    expect((await api().listDeliveries(endpointId())).json).toEqual((await waiting('parked')).json);
  });

  test('comes with the end of the secret before, which a third one ends at once', async () => {
    await start();
    expect((await shown()).previous_secret_until).toBeNull();
    await api().rotateSecret(endpointId(), { grace_seconds: 3_600 });
    const until = isoMicros(scene.world.clock.now() + HOUR);
    expect((await shown()).previous_secret_until).toBe(until);
    scene.world.clock.advance(HOUR);
    expect((await shown()).previous_secret_until).toBeNull();
    await api().rotateSecret(endpointId(), { grace_seconds: 0 });
    expect((await shown()).previous_secret_until).toBeNull();
  });
});
