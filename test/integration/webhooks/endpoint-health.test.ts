import { HOUR, isoMicros, MINUTE } from '#shared/platform/kernel/time.ts';
import { updateWebhookEndpoint } from '#shared/webhooks/use-cases/update-webhook-endpoint.ts';
import { longTest } from '#test/support/jest/long.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { setUpBreakerScene } from '#test/support/worlds/breaker-scene.ts';

describe('the health of an endpoint', () => {
  const { scene, start, startFailing, until, pass, land, endpointId, breaker } = setUpBreakerScene();
  const api = () => createApiClient(scene.world, scene.business.keys.secret_test);
  const getEndpoint = async () => (await api().getEndpoint(endpointId())).json.data;
  const listDeliveries = (status: string, query: Record<string, string> = {}) =>
    api().listDeliveries(endpointId(), undefined, {}, { status, ...query });

  test('follows its breaker from healthy over failing, suspended and recovering to healthy', async () => {
    await start();
    expect((await getEndpoint()).health).toEqual({
      status: 'healthy',
      failing_since: null,
      last_failed_event_id: null,
      parked: 0,
    });
    scene.merchant.answerWith(500);
    await land(1);
    await until(0);
    const failingSince = isoMicros((await breaker())?.outage?.since ?? 0);
    expect((await getEndpoint()).health).toEqual({
      status: 'failing',
      failing_since: failingSince,
      last_failed_event_id: (await scene.world.deliveries())[0]?.eventId,
      parked: 0,
    });
    await land(40);
    await until(13 * MINUTE);
    const parked = (await scene.world.deliveries()).filter(({ state }) => state === 'parked').length;
    expect(parked).toBeGreaterThan(0);
    expect((await getEndpoint()).health).toMatchObject({ status: 'suspended', failing_since: failingSince, parked });
    const { last_failed_event_id: failedId } = (await getEndpoint()).health;
    expect((await api().getEvent(failedId)).json.data.deliveries[0].attempts.at(-1)).toMatchObject({
      status_code: 500,
    });
    scene.merchant.answerWith(200);
    const statuses: string[] = [];
    while (statuses.at(-1) !== 'healthy' && statuses.length < 200) {
      await pass(MINUTE);
      const { status } = (await getEndpoint()).health;
      if (status !== statuses.at(-1)) statuses.push(status);
    }
    expect(statuses).toEqual(['suspended', 'recovering', 'healthy']);
  });

  test('counts the parked deliveries while the endpoint is off, and they arrive after it is on', async () => {
    await start();
    const update = (enabled: boolean) => api().updateEndpoint(endpointId(), { enabled });
    await update(false);
    await land(7);
    await pass(MINUTE);
    expect(await getEndpoint()).toMatchObject({ enabled: false, health: { status: 'healthy', parked: 7 } });
    scene.merchant.answerWith(200);
    await update(true);
    expect((await getEndpoint()).health).toMatchObject({ status: 'recovering', parked: 7 });
    await pass(5 * MINUTE);
    expect((await getEndpoint()).health).toEqual({
      status: 'healthy',
      failing_since: null,
      last_failed_event_id: null,
      parked: 0,
    });
    const states = (await scene.world.deliveries()).map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(['succeeded']));
    // Nothing waits, so the health stays as it was.
    await update(true);
    expect((await getEndpoint()).health.status).toBe('healthy');
  });

  test('counts the parked deliveries after a crash while the endpoint was switched on, and a repeated request releases them', async () => {
    await start();
    await api().updateEndpoint(endpointId(), { enabled: false });
    await land(3);
    await pass(MINUTE);
    const save = () => Promise.reject(new Error('The process has ended.'));
    const update = { url: null, events: null, enabled: true };
    const deps = { ...scene.world.deps, breakers: { ...scene.world.deps.breakers, save } };
    const crashed = updateWebhookEndpoint(deps, scene.business.tenant, endpointId(), update, undefined);
    await expect(crashed).rejects.toThrow('The process has ended.');
    expect(await getEndpoint()).toMatchObject({ enabled: true, health: { parked: 3 } });
    await api().updateEndpoint(endpointId(), { enabled: true });
    await pass(5 * MINUTE);
    expect((await getEndpoint()).health).toMatchObject({ status: 'healthy', parked: 0 });
  });

  test('comes with a list of the parked deliveries, newest event first and in pages', async () => {
    await startFailing();
    const all: { id: string; event_id: string }[] = [];
    let cursor: string | null = null;
    do {
      const { json } = await listDeliveries('parked', { limit: '10', ...(cursor && { cursor }) });
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
    expect((await listDeliveries('exhausted')).json.data).toEqual([]);
  });

  longTest('comes with a list of the deliveries that were exhausted after three days', async () => {
    await start();
    scene.merchant.answerWith(500);
    await land(1);
    await pass(74 * HOUR);
    expect((await listDeliveries('parked')).json.data).toEqual([]);
    const { data } = (await listDeliveries('exhausted')).json;
    expect(data).toMatchObject([{ status: 'exhausted', last_attempt: { status_code: 500 }, next_attempt_at: null }]);
  });

  test('stays hidden from other businesses and the other mode, and its lists accept only known statuses', async () => {
    await startFailing();
    const neighbour = await scene.world.addBusiness([]);
    const other = createApiClient(scene.world, neighbour.keys.secret_test);
    const ownInLive = createApiClient(scene.world, scene.business.keys.secret_live);
    for (const client of [other, ownInLive]) {
      expect((await client.getEndpoint(endpointId())).json.code).toBe('webhook_endpoint_not_found');
      const { json } = await client.listDeliveries(endpointId(), undefined, {}, { status: 'parked' });
      expect(json.code).toBe('webhook_endpoint_not_found');
    }
    const { next_cursor: cursor } = (await listDeliveries('parked', { limit: '1' })).json.meta;
    expect((await listDeliveries('exhausted', { cursor })).json.code).toBe('validation_failed');
    for (const status of ['pending', 'all', '']) {
      expect((await listDeliveries(status)).json.errors).toEqual([
        { field: 'status', message: 'status must be parked or exhausted.' },
      ]);
    }
    // Without a status the list shows parked deliveries.
    expect((await api().listDeliveries(endpointId())).json).toEqual((await listDeliveries('parked')).json);
  });

  test('comes with the time at which the previous secret ends', async () => {
    await start();
    expect((await getEndpoint()).previous_secret_until).toBeNull();
    await api().rotateSecret(endpointId(), { grace_seconds: 3_600 });
    const until = isoMicros(scene.world.clock.now() + HOUR);
    expect((await getEndpoint()).previous_secret_until).toBe(until);
    scene.world.clock.advance(HOUR);
    expect((await getEndpoint()).previous_secret_until).toBeNull();
    await api().rotateSecret(endpointId(), { grace_seconds: 0 });
    expect((await getEndpoint()).previous_secret_until).toBeNull();
  });
});
