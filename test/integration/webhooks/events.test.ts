import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { findExampleEvent } from '#infra/openapi/examples/events.ts';
import { commit } from '#shared/platform/commit.ts';
import { type Delivery, lateDelivery, newDelivery } from '#shared/webhooks/domain/delivery.ts';
import { type Event, type EventType, newEvent } from '#shared/webhooks/domain/event.ts';
import { longTest, testRows } from '#test/support/jest/long.ts';
import { deliverWebhook, redeliverEvent } from '#test/support/worlds/functions.ts';
import { createHoldingPoint } from '#test/support/worlds/live-faults.ts';
import {
  answerWith,
  api,
  business,
  endpointId,
  meter,
  openMerchantForEachTest,
  receiver,
  sendTestEvent,
  world,
} from '#test/support/worlds/test-merchant.ts';

const ALL = { type: null, deliveryState: null, since: null, until: null } as const;

describe('the events of a business', () => {
  openMerchantForEachTest({ metered: true });

  const deliverAll = async () => {
    for (const job of await world.takeJobs()) await deliverWebhook(world.deps, 'first', job);
  };
  /** Records an event of the business with its deliveries. */
  const record = async (
    type: EventType,
    createDeliveries: (event: Event) => readonly Delivery[] = () => [],
  ): Promise<string> => {
    world.clock.advance(1);
    const about = { id: world.deps.newId('evt'), type, ...business.tenant, createdAt: world.clock.now() } as const;
    const event = newEvent(about, findExampleEvent(type).data);
    await world.deps.ledger.record({ announced: [{ event, deliveries: createDeliveries(event) }] });
    return event.id;
  };

  longTest(
    'have short pages in a filtered list over hundreds of events, and the next page continues there',
    async () => {
      for (let n = 0; n < 350; n++) await record(n === 0 || n === 40 ? 'checkout.failed' : 'checkout.paid');
      const failed = { ...ALL, type: 'checkout.failed' } as const;
      const first = await world.deps.events.list(business.tenant, failed, { limit: 25, after: null });
      expect([first.items.length, first.next === null]).toEqual([0, false]);
      const second = await world.deps.events.list(business.tenant, failed, { limit: 25, after: first.next });
      expect([second.items.length, second.next]).toEqual([2, null]);
      const paid = { ...ALL, type: 'checkout.paid' } as const;
      const page = await world.deps.events.list(business.tenant, paid, { limit: 100, after: null });
      expect([page.items.length, page.next === null]).toEqual([100, false]);
    },
  );

  test('can be listed by period, from `since` on and before `until`, in pages', async () => {
    const ids: string[] = [];
    const times: number[] = [];
    for (let n = 0; n < 6; n++) {
      world.clock.advance(1_000);
      times.push(world.clock.now());
      ids.unshift(await record('checkout.paid'));
    }
    const period = { ...ALL, since: times[1] ?? 0, until: times[4] ?? 0 };
    const first = await world.deps.events.list(business.tenant, period, { limit: 2, after: null });
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(2, 4));
    const second = await world.deps.events.list(business.tenant, period, { limit: 2, after: first.next });
    expect([second.items.map(({ id }) => id), second.next]).toEqual([ids.slice(4, 5), null]);
  });

  /** Records `count` events with a delivery to each of `endpoints` endpoints, in the state that `chooseState` returns for the n-th event. */
  const recordMany = async (count: number, endpoints: number, chooseState: (n: number) => Delivery['state']) => {
    const whes = Array.from({ length: endpoints }, () => world.deps.newId('whe'));
    const ids: string[] = [];
    for (let n = 0; n < count; n++) {
      const deliveries = (event: Event) =>
        whes.map((whe) => ({ ...newDelivery(world.deps.newId('dlv'), whe, event), state: chooseState(n) }));
      ids.push(await record('checkout.paid', deliveries));
    }
    return ids.reverse();
  };
  /** Reads every page of a filtered list, with the number of table calls for each. */
  const readPages = async (filter: Parameters<typeof world.deps.events.list>[1], limit = 25) => {
    const pages: { ids: string[]; calls: number }[] = [];
    let after: string | null = null;
    do {
      meter.take();
      const page: Awaited<ReturnType<typeof world.deps.events.list>> = await world.deps.events.list(
        business.tenant,
        filter,
        { limit, after },
      );
      const calls = Object.values(meter.take()).reduce((sum, operation) => sum + operation.calls, 0);
      pages.push({ ids: page.items.map(({ id }) => id), calls });
      after = page.next;
    } while (after !== null);
    return pages;
  };

  testRows([
    [1, 250, [6, 3]],
    [5, 110, [7, 3]],
  ])(
    'appear once in a list by delivery status with at most seven table calls a page, for %i endpoints and %i events',
    async (endpoints, count, calls) => {
      const all = await recordMany(count, endpoints, (n) => (n % 100 === 7 ? 'exhausted' : 'succeeded'));
      const exhausted = { ...ALL, deliveryState: 'exhausted' } as const;
      const pages = await readPages(exhausted);
      expect(pages.flatMap(({ ids }) => ids)).toEqual(all.filter((_, i) => (count - 1 - i) % 100 === 7));
      expect(pages.map((page) => page.calls)).toEqual(calls);
      expect((await readPages(exhausted, 1)).flatMap(({ ids }) => ids)).toEqual(pages.flatMap(({ ids }) => ids));
      const none = await readPages({ ...ALL, deliveryState: 'cancelled' });
      expect(none.map((page) => page.calls)).toEqual(calls);
      // Deliveries of events of other types are not read.
      const failed = await readPages({ ...ALL, type: 'checkout.failed', deliveryState: 'exhausted' });
      expect(failed).toEqual([{ ids: [], calls: 2 * Math.ceil(count / 100) }]);
    },
  );

  test('get a list page of their own if they have more deliveries than a page of a list by delivery status reads', async () => {
    const [older] = await recordMany(1, 1, () => 'exhausted');
    const [many = ''] = await recordMany(1, 1, () => 'exhausted');
    const endpointIds = Array.from({ length: 600 }, () => world.deps.newId('whe'));
    await world.table.client.send(
      new UpdateCommand({
        TableName: world.table.name,
        Key: { pk: `EVT#${many}`, sk: 'EVT' },
        UpdateExpression: 'SET endpointIds = list_append(:added, endpointIds)',
        ExpressionAttributeValues: { ':added': endpointIds },
      }),
    );
    expect(await readPages({ ...ALL, deliveryState: 'exhausted' })).toEqual([
      { ids: [many], calls: 7 },
      { ids: [older], calls: 3 },
    ]);
  });

  test('appear once in a list with deliveries, with the state of each delivery, in at most seven table calls a page', async () => {
    const all = await recordMany(110, 5, (n) => (n % 2 === 0 ? 'succeeded' : 'parked'));
    const filter = { ...ALL, withDeliveries: true };
    const pages = await readPages(filter, 100);
    expect(pages.flatMap(({ ids }) => ids)).toEqual(all);
    expect(pages.map(({ calls }) => calls)).toEqual([7, 3]);
    const { items } = await world.deps.events.list(business.tenant, filter, { limit: 2, after: null });
    expect(items.map(({ deliveries }) => deliveries?.map(({ state }) => state))).toEqual([
      Array(5).fill('parked'),
      Array(5).fill('succeeded'),
    ]);
    const parked = await world.deps.events.list(
      business.tenant,
      { ...filter, deliveryState: 'parked' },
      { limit: 1, after: null },
    );
    expect(parked.items[0]?.deliveries).toHaveLength(5);
  });

  test('appear in a list by the status of a delivery that was created after the event', async () => {
    const eventId = await sendTestEvent();
    await deliverAll();
    const id = world.deps.newId('whe');
    const { event } = (await world.deps.events.find(business.tenant, eventId)) ?? {};
    if (!event) throw new Error('There is no such event.');
    const late = lateDelivery(world.deps.newId('dlv'), id, event, world.clock.now());
    const sendAgain = (created: Delivery) =>
      world.deps.transactions.commit(world.deps.deliveries.redeliveryWrites({ created: [created], renewed: [] }));
    const outcomes = await Promise.all([sendAgain(late), sendAgain(late)]);
    expect(outcomes.toSorted()).toEqual(['committed', 'conflict']);
    const listIds = async (deliveryState: Delivery['state']) =>
      (await readPages({ ...ALL, deliveryState })).flatMap(({ ids }) => ids);
    expect(await listIds('pending')).toEqual([eventId]);
    expect(await listIds('succeeded')).toEqual([eventId]);
    expect(await listIds('parked')).toEqual([]);
    const endpointIds = (await world.itemsOf('EVT')).find((item) => item.id === eventId)?.endpointIds;
    expect(endpointIds).toEqual([endpointId, id]);
    // A redelivery does not create an expired event again.
    const expired = lateDelivery(world.deps.newId('dlv'), id, { ...event, id: world.deps.newId('evt') }, 0);
    expect(await sendAgain(expired)).toBe('conflict');
    expect(await world.deps.events.find(business.tenant, expired.eventId)).toBeUndefined();
  });

  test('get sent once for twenty redeliveries at once, and the waiting retry is void', async () => {
    answerWith(500);
    const eventId = await sendTestEvent();
    const job = await world.takeJob();
    await deliverWebhook(world.deps, 'first', job);
    answerWith(200);

    const answers = await Promise.all(Array.from({ length: 20 }, () => api.redeliver(eventId)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    const jobs = await world.takeJobs();
    expect(jobs.some(({ byHand }) => byHand)).toBe(true);
    // All messages, including the message of the replaced retry, are processed at the same time.
    await Promise.all([...jobs, { ...job, attempt: 1 }].map((message) => deliverWebhook(world.deps, 'first', message)));
    expect(receiver.received).toHaveLength(2);
    expect(await world.delivery()).toMatchObject({ state: 'succeeded', attempt: 2 });
  });

  test('cannot be redelivered while a delivery starts; that delivery makes one attempt', async () => {
    const eventId = await sendTestEvent();
    const job = await world.takeJob();
    const posting = createHoldingPoint();
    receiver.answer(async (response) => {
      await posting.pass();
      response.writeHead(200).end();
    });
    const { events } = world.deps;
    let delivering: Promise<unknown> | undefined;
    const findForEndpoints: typeof events.findForEndpoints = async (...args) => {
      const seen = await events.findForEndpoints(...args);
      delivering ??= deliverWebhook(world.deps, 'first', job);
      await posting.reached;
      return seen;
    };
    const racing = { ...world.deps, events: { ...events, findForEndpoints } };
    const redelivery = commit(racing, () => redeliverEvent(racing, business.tenant, { eventId, endpointId: null }));
    await expect(redelivery).rejects.toMatchObject({ code: 'delivery_in_progress' });
    posting.release();
    await delivering;
    expect(await world.takeJobs()).toEqual([]);
    expect(await world.delivery()).toMatchObject({ state: 'succeeded', attempt: 1, redeliveries: 0 });
  });

  test('never show a secret in answers or in the log', async () => {
    const eventId = await sendTestEvent();
    await deliverAll();
    const answers = [
      await api.getEvent(eventId),
      await api.redeliver(eventId),
      await api.updateEndpoint(endpointId, { enabled: true }),
      await api.recoverEndpoint(endpointId, { since: '2026-01-01T00:00:00Z' }),
    ].map(({ text }) => text);
    expect([...answers, JSON.stringify(world.logged)].join()).not.toContain('whsec_');
  });
});
