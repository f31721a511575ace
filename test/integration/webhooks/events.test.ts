import { eventOf } from '#infra/openapi/examples/events.ts';
import { type Delivery, delivery } from '#shared/domain/webhooks/delivery.ts';
import { newEvent } from '#shared/domain/webhooks/event.ts';
import { apiClient } from '#test/support/worlds/api-client.ts';
import { deliverWebhook, redeliverEvent } from '#test/support/worlds/functions.ts';
import { type Receiver, startReceiver } from '#test/support/worlds/receiver.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

const ALL = { type: null, deliveryState: null, since: null } as const;

describe('events in the table', () => {
  let world: World;
  let receiver: Receiver;
  let business: Awaited<ReturnType<World['addBusiness']>>;
  let api: ReturnType<typeof apiClient>;

  beforeEach(async () => {
    receiver = await startReceiver();
    world = await makeWorld();
    business = await world.addBusiness([receiver.url]);
    api = apiClient(world, business.keys.secret_test);
  });
  afterEach(() => receiver.stop());

  const stored = async (): Promise<Delivery> => delivery.parse((await world.itemsOf('DLV#'))[0]);
  const deliverAll = async () => {
    for (const job of await world.takeJobs()) await deliverWebhook(world.deps, 'first', job);
  };
  const sendTest = async (): Promise<string> => (await api.testEndpoint(business.endpoints[0]?.id ?? '')).json.data.id;

  test('a filtered list that reads hundreds of events ends a page early, and the next page continues there', async () => {
    for (let n = 0; n < 350; n++) {
      world.clock.advance(1);
      const type = n === 0 || n === 40 ? 'checkout.failed' : 'checkout.paid';
      const about = { id: world.deps.newId('evt'), type, ...business.tenant, createdAt: world.clock.now() } as const;
      await world.deps.ledger.record({ event: newEvent(about, eventOf(type).data) });
    }
    const failed = { ...ALL, type: 'checkout.failed' } as const;
    const first = await world.deps.events.list(business.tenant, failed, { limit: 25, after: null });
    expect([first.items.length, first.next === null]).toEqual([0, false]);
    const second = await world.deps.events.list(business.tenant, failed, { limit: 25, after: first.next });
    expect([second.items.length, second.next]).toEqual([2, null]);
    const paid = { ...ALL, type: 'checkout.paid' } as const;
    const page = await world.deps.events.list(business.tenant, paid, { limit: 100, after: null });
    expect([page.items.length, page.next === null]).toEqual([100, false]);
  });

  test('of very many attempts the newest hundred are shown', async () => {
    const eventId = await sendTest();
    await deliverAll();
    const at = { eventId, endpointId: business.endpoints[0]?.id ?? '' };
    const { lastAttempt } = await stored();
    if (!lastAttempt) throw new Error('The delivery has no attempt.');
    for (let number = 2; number <= 130; number++) {
      await world.deps.deliveries.saveAttempt(at, { ...lastAttempt, number, response: '\0'.repeat(1_024) });
    }
    const { deliveries } = (await api.getEvent(eventId)).json.data;
    const numbers = deliveries[0].attempts.map((made: { number: number }) => made.number);
    expect(numbers).toEqual(Array.from({ length: 100 }, (_, n) => n + 31));
  });

  test('sent again twenty times at once, it is sent once; the retry that waited is void', async () => {
    receiver.answer((response) => response.writeHead(500).end());
    const eventId = await sendTest();
    const [job] = await world.takeJobs();
    if (!job) throw new Error('Nothing was queued.');
    await deliverWebhook(world.deps, 'first', job);
    receiver.answer((response) => response.writeHead(200).end());

    const answers = await Promise.all(Array.from({ length: 20 }, () => api.redeliver(eventId)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    const jobs = await world.takeJobs();
    expect(jobs.length).toBeGreaterThan(0);
    expect(jobs.every(({ byHand }) => byHand)).toBe(true);
    // Every message, the replaced retry's too, all at the same time.
    await Promise.all([...jobs, { ...job, attempt: 1 }].map((one) => deliverWebhook(world.deps, 'first', one)));
    expect(receiver.received).toHaveLength(2);
    expect(await stored()).toMatchObject({ state: 'succeeded', attempt: 2 });
  });

  test('a delivery that starts while it is being sent again answers 409, and makes one attempt', async () => {
    const eventId = await sendTest();
    const [job] = await world.takeJobs();
    if (!job) throw new Error('Nothing was queued.');
    let release = (): void => {};
    const posting = new Promise<void>((resolve) => {
      receiver.answer((response) => {
        release = () => response.writeHead(200).end();
        resolve();
      });
    });
    let delivering: Promise<unknown> = Promise.resolve();
    const racing = {
      ...world.deps,
      events: {
        ...world.deps.events,
        find: async (...args: Parameters<typeof world.deps.events.find>) => {
          const seen = await world.deps.events.find(...args);
          delivering = deliverWebhook(world.deps, 'first', job);
          await posting;
          return seen;
        },
      },
    };
    const asked = redeliverEvent(racing, business.tenant, { eventId, endpointId: null });
    await expect(asked).rejects.toMatchObject({ code: 'delivery_in_progress' });
    release();
    await delivering;
    expect(await world.takeJobs()).toEqual([]);
    expect(await stored()).toMatchObject({ state: 'succeeded', attempt: 1, generation: 0 });
  });

  test('no answer about events or endpoints, and no line of the log, holds a secret', async () => {
    const eventId = await sendTest();
    await deliverAll();
    const id = business.endpoints[0]?.id ?? '';
    const answers = [
      await api.getEvent(eventId),
      await api.redeliver(eventId),
      await api.updateEndpoint(id, { enabled: true }),
      await api.recoverEndpoint(id, { since: '2026-01-01T00:00:00Z' }),
    ].map(({ text }) => text);
    expect([...answers, JSON.stringify(world.logged)].join()).not.toContain('whsec_');
  });
});
