import { type DeliveryJob, delivery } from '#shared/webhooks/domain/delivery.ts';
import { redeliver, startAttempt } from '#shared/webhooks/domain/delivery-transitions.ts';
import type { DeliveryQueue } from '#shared/webhooks/ports.ts';
import { type FaultProxy, startFaultProxy } from '#test/support/emulators/fault-proxy.ts';
import { landEvents } from '#test/support/emulators/landed-events.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { deliverWebhook } from '#test/support/worlds/functions.ts';
import { type Receiver, startReceiver } from '#test/support/worlds/receiver.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

/* In these tests DynamoDB writes, its answer is lost, and the client writes again. Then the condition of the write no longer holds. */

let world: World;

describe('a delivery with a write that is repeated because its answer was lost', () => {
  let proxy: FaultProxy;
  let receiver: Receiver;
  let api: ReturnType<typeof createApiClient>;
  beforeEach(async () => {
    proxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
    receiver = await startReceiver();
    world = await makeWorld({ dynamoDbEndpoint: proxy.endpoint });
  });
  afterEach(async () => {
    await receiver.stop();
    await proxy.stop();
  });

  const land = async () => {
    const business = await world.addBusiness([receiver.url]);
    api = createApiClient(world, business.keys.secret_test);
    const { reference } = (await api.initialize({ amount: 8_500.75, payer_email: 'ngozi.eze@example.com' })).json.data;
    await api.simulate({ reference });
    return world.takeJob();
  };
  /** Loses the answer to the next update that sets this attribute. Returns a function that tells whether the update was sent again. */
  const loseAnswerTo = (attribute: string): (() => boolean) => {
    let writes = 0;
    proxy.inject((operation, { UpdateExpression: update }) => {
      if (operation !== 'UpdateItem' || !String(update).includes(`#${attribute} =`)) return undefined;
      writes += 1;
      return writes === 1 ? 'lose-answer' : undefined;
    });
    return () => writes > 1;
  };
  const listVoid = () =>
    world.logged.filter(({ event }) => ['delivery_job_void', 'delivery_result_void'].includes(String(event)));

  test.each([
    ['lease', 'attempt'],
    ['result', 'lastAttempt'],
  ])('gets sent once and does not wait for a sweep if the write is its %s', async (_, attribute) => {
    const job = await land();
    const isRepeated = loseAnswerTo(attribute);
    await deliverWebhook(world.deps, 'first', job);
    expect([isRepeated(), receiver.received.length, listVoid()]).toEqual([true, 1, []]);
    expect(await world.delivery()).toMatchObject({ state: 'succeeded', attempt: 1, dueAt: null });
  });

  test('gets its retry queued after a failure, and the failure counts in the breaker', async () => {
    receiver.answer((response) => response.writeHead(500).end());
    const job = await land();
    const queued: DeliveryJob[] = [];
    const send: DeliveryQueue['send'] = async (lane, jobs, delaySeconds) => {
      queued.push(...jobs);
      await world.deps.queue.send(lane, jobs, delaySeconds);
    };
    const isRepeated = loseAnswerTo('lastAttempt');
    await deliverWebhook({ ...world.deps, queue: { send } }, 'first', job);
    expect(isRepeated()).toBe(true);
    expect(await world.delivery()).toMatchObject({ state: 'pending', attempt: 1, tries: 1 });
    expect(queued).toMatchObject([{ eventId: job.eventId, attempt: 1 }]);
    expect(await world.deps.breakers.find(job.endpointId)).toMatchObject({ outage: { failures: 1 } });
  });

  test('keeps a redelivery that came meanwhile; the retry message of the failed attempt is from before the redelivery', async () => {
    receiver.answer((response) => response.writeHead(500).end());
    const job = await land();
    const queued: DeliveryJob[] = [];
    const send: DeliveryQueue['send'] = async (_lane, jobs) => {
      queued.push(...jobs);
    };
    const isRepeated = loseAnswerTo('lastAttempt');
    let updates = 0;
    proxy.hold(async (operation) => {
      if (operation !== 'UpdateItem') return;
      updates += 1;
      // The first two updates are the lease and the result. The third is the result again.
      if (updates !== 3) return;
      proxy.hold(() => undefined);
      const failed = delivery.parse((await world.itemsOf('DLV#'))[0]);
      const renewed = [{ before: failed, transition: redeliver(failed, world.clock.now()) }];
      const writes = world.deps.deliveries.redeliveryWrites({ created: [], renewed });
      expect(await world.deps.transactions.commit(writes)).toBe('committed');
    });
    await deliverWebhook({ ...world.deps, queue: { send } }, 'first', job);
    expect(isRepeated()).toBe(true);
    expect(await world.delivery()).toMatchObject({ state: 'pending', redeliveries: 1, attempt: 1, tries: 0 });
    expect(queued.map(({ redeliveries }) => redeliveries)).toEqual([0]);
  });

  test('counts as recovered, and the drain of its endpoint starts', async () => {
    const job = await land();
    const set = { state: 'exhausted', tries: 80, firstAttemptAt: world.clock.now(), dueAt: null } as const;
    await world.deps.deliveries.apply(job, { expect: {}, set });
    const isRepeated = loseAnswerTo('redeliveries');
    const since = '2026-01-01T00:00:00Z';
    const { status, json } = await api.recoverEndpoint(job.endpointId, { since });
    expect([isRepeated(), status, json.data.recovered]).toEqual([true, 202, 1]);
    expect(await world.deps.breakers.find(job.endpointId)).toMatchObject({ state: 'draining' });
  });
});

describe('a consumer', () => {
  test('does not mistake the lease of another consumer for its own', async () => {
    world = await makeWorld();
    const { deps, clock } = world;
    const business = await world.addBusiness(['https://hooks.example/']);
    await landEvents(deps, business.id, 1);
    const job = await world.takeJob();
    expect(await deps.deliveries.apply(job, startAttempt(job, 'lease_1', clock.now()))).toMatchObject({ attempt: 1 });
    expect(await deps.deliveries.apply(job, startAttempt(job, 'lease_2', clock.now()))).toBeUndefined();
  });
});
