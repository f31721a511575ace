import { type DeliveryJob, delivery } from '#shared/domain/webhooks/delivery.ts';
import { park, startAttempt } from '#shared/domain/webhooks/delivery-transitions.ts';
import type { DeliveryQueue } from '#shared/ports/webhooks.ts';
import { type FaultProxy, startFaultProxy } from '#test/support/engines/fault-proxy.ts';
import { apiClient } from '#test/support/worlds/api-client.ts';
import { deliverWebhook } from '#test/support/worlds/functions.ts';
import { type Receiver, startReceiver } from '#test/support/worlds/receiver.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

/* DynamoDB writes, its answer gets lost, and the client writes again: the condition of the first write no longer holds. */

describe('a delivery whose write is repeated because its answer got lost', () => {
  let proxy: FaultProxy;
  let receiver: Receiver;
  let world: World;
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
    const api = apiClient(world, business.keys.secret_test);
    const { reference } = (await api.initialize({ amount: 8_500.75, payer_email: 'ngozi.eze@example.com' })).json.data;
    await api.simulate({ reference });
    return world.takeJob();
  };
  /** Loses the answer to this update of the ones to come. */
  const loseAnswerOf = (wanted: number): void => {
    let seen = 0;
    proxy.inject((operation) => {
      if (operation !== 'UpdateItem') return undefined;
      seen += 1;
      return seen === wanted ? 'lose-answer' : undefined;
    });
  };

  test.each([
    ['its lease', 1],
    ['its result', 2],
  ])('is sent once, and at once: %s', async (_, nth) => {
    const job = await land();
    loseAnswerOf(nth);
    await deliverWebhook(world.deps, 'first', job);
    expect(receiver.received).toHaveLength(1);
    expect(await world.delivery()).toMatchObject({ state: 'succeeded', attempt: 1, dueAt: null });
    const named = ['delivery_job_void', 'delivery_result_void'];
    expect(world.logged.filter(({ event }) => named.includes(String(event)))).toEqual([]);
  });

  test('has its retry queued after a failure', async () => {
    receiver.answer((response) => response.writeHead(500).end());
    const job = await land();
    const queued: DeliveryJob[] = [];
    const send: DeliveryQueue['send'] = async (lane, jobs, delaySeconds) => {
      queued.push(...jobs);
      await world.deps.queue.send(lane, jobs, delaySeconds);
    };
    loseAnswerOf(2);
    await deliverWebhook({ ...world.deps, queue: { send } }, 'first', job);
    expect(await world.delivery()).toMatchObject({ state: 'pending', attempt: 1, tries: 1 });
    expect(queued).toMatchObject([{ eventId: job.eventId, attempt: 1 }]);
  });

  test('is not taken for another consumer’s, nor for a change that tells nothing of who made it', async () => {
    const job = await land();
    const now = world.clock.now();
    expect(await world.deps.deliveries.apply(job, startAttempt(job, 'lease_1', now))).toMatchObject({ attempt: 1 });
    expect(await world.deps.deliveries.apply(job, startAttempt(job, 'lease_2', now))).toBeUndefined();
    const waiting = await land();
    const before = delivery.parse((await world.itemsOf('DLV#')).find(({ eventId }) => eventId === waiting.eventId));
    loseAnswerOf(1);
    const twice = { ...park(waiting, now), expect: { state: before.state } };
    expect(await world.deps.deliveries.apply(waiting, twice)).toBeUndefined();
  });
});
