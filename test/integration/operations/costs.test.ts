import { DUE_WRITES, LIVE_STEPS, STEPS, WRITES, type WritesByPlace } from '#infra/costs/steps.ts';
import { DEFAULT_PROVIDER_QUOTA } from '#infra/default-limits.ts';
import { findExampleEvent } from '#infra/openapi/examples/events.ts';
import { businessReader } from '#shared/businesses/store/business-reader.ts';
import { keyUses } from '#shared/businesses/store/key-uses.ts';
import { setProfile } from '#shared/businesses/use-cases/set-profile.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import { pageLink } from '#shared/checkouts/domain/page-link.ts';
import { linkedCheckouts } from '#shared/checkouts/store/checkout-store.ts';
import { recordSentReport } from '#shared/checkouts/use-cases/note-sent.ts';
import { findLinked, showToPayer } from '#shared/checkouts/use-cases/show-to-payer.ts';
import { listProviderPasses } from '#shared/payments/compose-sweep.ts';
import { payment } from '#shared/payments/domain/payment.ts';
import { planLists } from '#shared/payments/domain/reconciliation.ts';
import { lookUpPayment } from '#shared/payments/use-cases/look-up-payment.ts';
import { planReconciliations } from '#shared/payments/use-cases/plan-reconciliations.ts';
import { HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { acceptsRest, amountLimits, listsByCreation } from '#shared/providers/descriptions.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { type Breaker, healthyBreaker } from '#shared/webhooks/domain/breaker.ts';
import { nextBreaker } from '#shared/webhooks/domain/breaker-transitions.ts';
import { type DeliveryJob, newDelivery, toDeliveryJob } from '#shared/webhooks/domain/delivery.ts';
import { newEvent } from '#shared/webhooks/domain/event.ts';
import { startFaultProxy } from '#test/support/emulators/fault-proxy.ts';
import { type Consumption, startMeter } from '#test/support/emulators/meter.ts';
import { longTest, testRows } from '#test/support/jest/long.ts';
import { inNoRole } from '#test/support/permissions/roles.ts';
import { makePngOfSize } from '#test/support/pictures.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import {
  deliverWebhook,
  reconcilePage,
  reviewPayment,
  sweepBreaker,
  sweepPayments,
} from '#test/support/worlds/functions.ts';
import { ASKED, merchant, OVER, openWorld, world } from '#test/support/worlds/live-merchant.ts';
import { getLogo } from '#test/support/worlds/logo.ts';
import { type Receiver, startReceiver } from '#test/support/worlds/receiver.ts';
import { makeCumulativeReport } from '#test/support/worlds/reports.ts';
import { tableAt } from '#test/support/worlds/table.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

const DYNAMODB = process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '';
const CHECKOUT = { amount: 8_500.75, payer_email: 'ngozi.eze@example.com' };
const HEALTHY_LANDING_WRITES = 18;

/** Sums DynamoDB calls, read units and write units, in the order of infra/costs/steps.ts. */
const sumUnits = (...metered: Record<string, Consumption>[]): readonly [number, number, number] => {
  const sum = (field: keyof Consumption): number =>
    metered.flatMap(Object.values<Consumption>).reduce((total, operation) => total + operation[field], 0);
  return [sum('calls'), sum('readUnits'), sum('writeUnits')];
};

/** Plans a retry in 30 minutes, as after a fifth failure, and lets that time pass. No queue can hold a retry for so long. */
const waitForSweep = async ({ deps, clock }: World, job: DeliveryJob): Promise<void> => {
  const nextAttemptAt = clock.now() + 30 * MINUTE;
  const set = { attempt: 5, tries: 5, firstAttemptAt: clock.now(), nextAttemptAt, dueAt: nextAttemptAt };
  await deps.deliveries.apply(job, { expect: { state: 'pending' }, set });
  clock.advance(30 * MINUTE);
};

/** Returns functions that make the same calls to the table as the routes of a payment page. */
const makePaymentPage = ({ deps }: World, table: Table) => {
  const key = 'a key of links that only this test has';
  const pageLinkKeys = async () => [key] as const;
  const linked = linkedCheckouts(table);
  const routing = { routingOrder: deps.routingOrder, healthyFirst: deps.healthyFirst };
  const show = {
    now: deps.now,
    pageLinkKeys,
    linkedCheckouts: linked,
    businesses: businessReader(table),
    acceptsRest,
    amountLimits,
    ...routing,
  };
  const find = (reference: string, mayLag: boolean) => findLinked(show, pageLink(key, reference), { mayLag });
  return {
    find: (reference: string) => find(reference, false),
    show: (checkout: Checkout) => showToPayer(show, checkout, null),
    ask: (reference: string) => find(reference, true),
  };
};

describe('infra/costs/steps.ts has the DynamoDB cost of', () => {
  let meter: Awaited<ReturnType<typeof startMeter>>;
  let receiver: Receiver;
  let world: World;
  let business: Awaited<ReturnType<World['addBusiness']>>;
  let api: ReturnType<typeof createApiClient>;

  beforeEach(async () => {
    meter = await startMeter(DYNAMODB);
    receiver = await startReceiver();
    world = await makeWorld({ dynamoDbEndpoint: meter.endpoint });
    business = await world.addBusiness([receiver.url]);
    api = createApiClient(world, business.keys.secret_test);
    meter.take();
  });
  afterEach(async () => {
    await receiver.stop();
    await meter.stop();
  });

  /** Records an event of the business with a delivery to each endpoint. */
  const recordEvent = async (endpointIds: readonly string[]) => {
    const { newId, ledger } = world.deps;
    const about = { id: newId('evt'), type: 'checkout.paid', createdAt: world.clock.now() } as const;
    const event = newEvent({ ...about, ...business.tenant }, findExampleEvent('checkout.paid').data);
    const deliveries = endpointIds.map((id) => newDelivery(newId('dlv'), id, event));
    await ledger.record({ announced: [{ event, deliveries }] });
    return deliveries;
  };
  const deliver = (job: DeliveryJob) => deliverWebhook(world.deps, 'first', job);
  const land = async (): Promise<DeliveryJob> => {
    const { reference } = (await api.initialize(CHECKOUT)).json.data;
    await api.simulate({ reference });
    const [job] = await world.takeJobs();
    if (!job) throw new Error('The landing queued no delivery.');
    meter.take();
    return job;
  };

  test('a healthy payment, from its checkout to its webhook', async () => {
    const { reference } = (await api.initialize(CHECKOUT)).json.data;
    const initialized = meter.take();
    expect(sumUnits(initialized)).toEqual(STEPS['Checkout initialized (test mode)']);
    await api.simulate({ reference });
    const landing = meter.take();
    expect(sumUnits(landing)).toEqual(STEPS['Money landed, one endpoint']);
    const [job] = await world.takeJobs();
    if (job) await deliver(job);
    const delivery = meter.take();
    expect(sumUnits(delivery)).toEqual(STEPS['Delivered at the first attempt']);
    const writes = [landing, delivery].flatMap((step) => Object.values(step).map(({ writeUnits }) => writeUnits));
    expect(writes.reduce((total, units) => total + units, 0)).toBeLessThanOrEqual(HEALTHY_LANDING_WRITES);

    await api.verify(reference);
    const verified = meter.take();
    expect(sumUnits(verified)).toEqual(STEPS['Checkout verified']);
    const payers = makePaymentPage(world, tableAt(world.table.name, meter.endpoint));
    const checkout = await payers.find(reference);
    await payers.show(checkout);
    const shown = meter.take();
    expect(sumUnits(shown)).toEqual(STEPS['Payment page shown']);
    await payers.ask(reference);
    const asked = meter.take();
    expect(sumUnits(asked)).toEqual(STEPS['Payment page asks for news, there is none']);
    const logo = makePngOfSize(65_536).toString('base64');
    const { profile } = await setProfile(world.deps, { businessId: business.id, change: { logo }, actor: 'a test' });
    meter.take();
    await getLogo({ deps: world.deps }, `/logos/${profile.logo?.id}`);
    expect(sumUnits(meter.take())).toEqual(STEPS['The largest logo loaded, once in a browser']);
    await api.listCheckouts();
    const listed = meter.take();
    expect(sumUnits(listed)).toEqual(STEPS['A list with one item']);
  });

  test('a request that the rate limit counts', async () => {
    const deps = { ...world.deps, rateLimits: { live: 100, test: 25, publicAddress: 10 } };
    await createApiClient({ ...world, deps }, business.keys.secret_test).verify('PAY-7H2KQ9XW4M1ZB8T5RC3N');
    const { UpdateItem } = meter.take();
    expect(sumUnits({ UpdateItem } as Record<string, Consumption>)).toEqual(
      STEPS['Count for the rate limit, of one to five requests'],
    );
  });

  test('the last use of a key, which a container records once an hour', async () => {
    const { note } = keyUses(tableAt(world.table.name, meter.endpoint));
    const [id, now] = ['key_01KDVDNX1Q7B3W9E5R2T8Y6U4C', world.clock.now()];
    for (const at of [now, now + 1]) await note(id, at);
    expect(sumUnits(meter.take())).toEqual(STEPS['Last use of a key recorded, once an hour in each container']);
  });

  longTest('a page of events by delivery status', async () => {
    const endpoints = Array.from({ length: 5 }, () => world.deps.newId('whe'));
    for (let n = 0; n < 100; n++) await recordEvent(endpoints);
    meter.take();
    await api.listEvents(undefined, {}, { delivery_status: 'cancelled', limit: '1' });
    const listed = meter.take();
    expect(sumUnits(listed)).toEqual(STEPS['A page of events by delivery status, five endpoints, a hundred events']);
  });

  longTest('a recovery of a hundred deliveries, and a second one that finds nothing to do', async () => {
    const endpointId = business.endpoints[0]?.id ?? '';
    for (let n = 0; n < 100; n++) {
      const set = { state: 'exhausted', tries: 80, firstAttemptAt: world.clock.now(), dueAt: null } as const;
      for (const delivery of await recordEvent([endpointId])) {
        await world.deps.deliveries.apply(delivery, { expect: {}, set });
      }
    }
    const recover = () => api.recoverEndpoint(endpointId, { since: '2026-01-01T00:00:00Z' });
    meter.take();
    await recover();
    expect(sumUnits(meter.take())).toEqual(STEPS['A recovery of a hundred exhausted deliveries']);
    world.clock.advance(1_000);
    await recover();
    expect(sumUnits(meter.take())).toEqual(STEPS['The same recovery, requested again']);
  });

  test('an attempt that fails', async () => {
    const job = await land();
    receiver.answer((response) => response.writeHead(500).end());
    await deliver(job);
    expect(sumUnits(meter.take())).toEqual(STEPS['Failed attempt']);
  });

  test('an attempt that fails after a sweep has sent it', async () => {
    await waitForSweep(world, await land());
    receiver.answer((response) => response.writeHead(500).end());
    meter.take();
    await world.sweep();
    const { Query: _, ...sent } = meter.take();
    for (const job of await world.takeJobs()) await deliver(job);
    expect(sumUnits(sent, meter.take())).toEqual(STEPS['Failed attempt, sent by a sweep']);
  });

  test('a delivery that is parked, swept after a day, drained and delivered', async () => {
    const job = await land();
    const [endpoint] = business.endpoints;
    const seen = { endedAt: world.clock.now(), durationMs: 10, statusCode: 500, isRetry: false };
    const endpointId = endpoint?.id ?? '';
    let breaker: Breaker = healthyBreaker({ endpointId, mode: 'test' });
    for (let i = 0; i < 5; i++) {
      const eventId = world.deps.newId('evt');
      const nextAttemptAt = world.clock.now() + 3_600_000;
      const failed = nextBreaker(breaker, { kind: 'attempt_failed', attempt: { ...seen, eventId }, nextAttemptAt });
      breaker = failed ?? breaker;
    }
    if (breaker.state !== 'open') throw new Error('The breaker did not open.');
    await world.deps.breakers.save({ ...breaker, version: 1 });
    meter.take();

    await deliver(job);
    expect(sumUnits(meter.take())).toEqual(STEPS['Delivery parked']);
    expect(receiver.received).toHaveLength(0);

    // The breaker is still open, so the sweeper checks each parked delivery once a day.
    world.clock.advance(86_400_001);
    await world.deps.breakers.save({ ...breaker, dueAt: null, version: 2 });
    meter.take();
    await world.sweep();
    const { Query: _, ...taking } = meter.take();
    const [swept] = await world.takeJobs();
    if (swept) await deliver(swept);
    const parkedAgain = meter.take();
    expect(sumUnits(taking, parkedAgain)).toEqual(STEPS['Parked delivery checked by the safety net, once a day']);

    const from = world.clock.now();
    const draining = nextBreaker({ ...breaker, version: 2 }, { kind: 'recovery_requested', from });
    if (draining) await world.deps.breakers.save(draining);
    meter.take();
    await sweepBreaker(world.deps, endpointId, Number.POSITIVE_INFINITY);
    const { GetItem: __, ...drained } = meter.take();
    const { Query: ___, PutItem: ____, BatchGetItem: read, ...freed } = drained;
    // One read serves all deliveries of a drain step. The bill in costs.md counts its unit separately.
    expect(read).toMatchObject({ calls: 1, readUnits: 1 });
    expect(sumUnits(freed)).toEqual(STEPS['Parked delivery released']);
    const [drainedJob] = await world.takeJobs();
    meter.take();
    if (drainedJob) await deliver(drainedJob);
    expect(receiver.received).toHaveLength(1);
    // The breaker's own write is not part of a delivery.
    const { PutItem: _____, ...delivered } = meter.take();
    expect(sumUnits(delivered)).toEqual(STEPS['Released delivery delivered']);
  });
});

describe('infra/costs/steps.ts has the DynamoDB cost and the provider calls, in live mode, of', () => {
  let meter: Awaited<ReturnType<typeof startMeter>>;
  beforeEach(async () => {
    meter = await startMeter(DYNAMODB);
    await openWorld({ dynamoDbEndpoint: meter.endpoint, providerQuota: DEFAULT_PROVIDER_QUOTA });
    meter.take();
  });
  afterEach(async () => {
    await world.stop();
    await meter.stop();
  });

  test('a payment through Paystack, from its checkout to its landing', async () => {
    const asked = world.countCalls('paystack', /./);
    const { accountNumber } = await merchant.checkout('paystack');
    const initialized = meter.take();
    expect([asked(), ...sumUnits(initialized)]).toEqual(LIVE_STEPS['Checkout initialized']);
    // After this time a container reads the provider's breaker again.
    world.clock.advance(5_000);
    await world.pay('paystack', accountNumber, ASKED);
    const landed = meter.take();
    expect([asked() - 1, ...sumUnits(landed)]).toEqual(LIVE_STEPS['Money landed: notified, looked up, one endpoint']);
  });

  test('a routed checkout that opens at the first of three providers, which needs no more calls and units', async () => {
    await world.stop();
    await openWorld({
      dynamoDbEndpoint: meter.endpoint,
      providerQuota: DEFAULT_PROVIDER_QUOTA,
      routingOrder: ['paystack', 'monnify', 'korapay'],
    });
    // The first checkout reads the health of providers, which a container does once in half a minute.
    expect((await merchant.api.initialize(CHECKOUT)).status).toBe(201);
    world.clock.advance(5_000);
    const asked = (['paystack', 'monnify', 'korapay'] as const).map((name) => world.countCalls(name, /./));
    meter.take();
    expect((await merchant.api.initialize(CHECKOUT)).status).toBe(201);
    const calls = asked.reduce((sum, count) => sum + count(), 0);
    expect([calls, ...sumUnits(meter.take())]).toEqual(LIVE_STEPS['Checkout initialized']);
  });

  test('a checkout that a browser starts, whose address is counted too', async () => {
    const asked = world.countCalls('paystack', /./);
    const { id, keys } = merchant.business;
    const opened = await createApiClient(world, keys.public_live).initialize(CHECKOUT, { 'x-business-id': id });
    expect(opened.status).toBe(201);
    expect([asked(), ...sumUnits(meter.take())]).toEqual(LIVE_STEPS['Checkout initialized by a browser']);
  });

  /** Compares a list page of the reconciliation of the last hour. */
  const reconcile = (provider: ProviderName): Promise<void> =>
    reconcilePage(world.deps, { provider, pass: 'recent', list: 0, lists: 1 });

  testRows(PROVIDERS)('a reconciliation with %s', async (provider) => {
    const lists = world.countLists(provider);
    const lookUps = world.countLookUps(provider);
    const plan = () => planReconciliations({ ...world.deps, reconciled: listProviderPasses([provider]) });
    await plan();
    meter.take();
    await reconcile(provider);
    expect([lists(), ...sumUnits(meter.take())]).toEqual(LIVE_STEPS['Reconciliation of ten minutes without money']);
    await plan();
    // Paystack has a third pass. The other providers need one read less.
    const idle = LIVE_STEPS['Reconciliation that is not due, every minute'];
    const reads = listsByCreation(provider) ? 3 : 2;
    expect([lists() - 1, ...sumUnits(meter.take())]).toEqual(provider === 'paystack' ? idle : [0, reads, reads, 0]);

    await merchant.paidCheckout(provider);
    meter.take();
    const before = lists() + lookUps();
    world.clock.advance(600_000);
    await reconcile(provider);
    expect([lists() + lookUps() - before, ...sumUnits(meter.take())]).toEqual(
      LIVE_STEPS['Reconciliation with one known payment'],
    );

    for (let passed = 10; passed < 180; passed += 10) {
      world.clock.advance(600_000);
      await reconcile(provider);
    }
    expect(lookUps()).toBe(1);

    // Korapay's look-ups have no time of payment.
    if (provider === 'korapay') return;
    const { accountNumber } = await merchant.account(provider);
    await world.pay(provider, accountNumber, ASKED, { paidAt: world.clock.now() - 3_000 });
    world.clock.advance(600_000);
    meter.take();
    await reconcile(provider);
    expect([1, ...sumUnits(meter.take())]).toEqual(
      LIVE_STEPS['Reconciliation with one known payment whose landing time is counted'],
    );
  });

  longTest('the repeated look-ups of a wrong amount that Korapay accepts', async () => {
    const lookUps = world.countLookUps('korapay');
    world.simulator.prefer('korapay', { over: 'accept_all' });
    await world.reconcile('korapay');
    await merchant.paidCheckout('korapay', OVER);
    for (let passed = 0; passed < 180; passed += 10) {
      world.clock.advance(600_000);
      await world.reconcile('korapay');
    }
    expect(lookUps() - 1).toBe(13);
  });

  test('the review of a payment at Korapay, whose due time adds one write to the landing', async () => {
    const measureLanding = async (deps = world.deps): Promise<Record<string, Consumption>> => {
      const { reference } = await merchant.checkout('korapay');
      meter.take();
      const lookUp = async () => ({ money: [makeCumulativeReport(reference, ASKED)], state: 'complete' }) as const;
      await lookUpPayment(deps, 'korapay', { lookUp }, { by: 'our_reference', value: reference });
      return meter.take();
    };
    const sumWrites = (metered: Record<string, Consumption>): number =>
      Object.values(metered).reduce((sum, { writeUnits }) => sum + writeUnits, 0);
    const withoutReviews = world.scripted('korapay', () => ({ returnsSilently: false }));
    const added =
      sumWrites(await measureLanding()) - sumWrites(await measureLanding({ ...world.deps, ...withoutReviews }));
    expect(added).toBe(1);

    await merchant.paidCheckout('korapay');
    const [item] = (await world.itemsOf('PAY')).filter(({ providerReference }) => providerReference !== 'KPY-PAY-7');
    const asked = world.countLookUps('korapay');
    world.clock.advance((payment.parse(item).review?.dueAt ?? 0) - world.clock.now());
    meter.take();
    await reviewPayment(world.deps, String(item?.pk));
    const reviewed = meter.take();
    expect([asked(), ...sumUnits(reviewed)]).toEqual(LIVE_STEPS['Payment reviewed within the week, at Korapay']);
  });

  test('a virtual account', async () => {
    const asked = world.countCalls('paystack', /./);
    await merchant.account('paystack');
    const created = meter.take();
    expect([asked(), ...sumUnits(created)]).toEqual(LIVE_STEPS['Virtual account created']);
  });

  /** Measures an unpaid checkout at Paystack from its expiry on, without the sweep's query of the index. */
  const expire = async (expiresAt: number) => {
    const deps = { ...world.deps, ...world.withoutReconciliation() };
    const asked = world.countCalls('paystack', /./);
    const lookUps: Record<string, Consumption>[] = [];
    meter.take();
    for (const minutes of [0, 5, 60]) {
      world.clock.advance(expiresAt + minutes * 60_000 - world.clock.now());
      await sweepPayments(deps, world.clock.now() + 60_000);
      const { Query: _, ...sent } = meter.take();
      await world.consumeMoney(undefined, deps);
      lookUps.push(sent, meter.take());
    }
    return [asked(), ...sumUnits(...lookUps)];
  };

  test('an unpaid checkout whose last look-up is replaced by a list', async () => {
    const { expiresAt } = await merchant.checkout('paystack');
    const [first] = planLists({ provider: 'paystack', pass: 'hours', lists: 1 }, [], expiresAt).missing;
    if (!first) throw new Error('The list of nine hours is not planned.');
    const compared = { ...first, comparedUntil: expiresAt + HOUR };
    await inNoRole(() => world.deps.reconciliations.save(undefined, compared));
    const step = 'The same at Paystack, whose list replaces the third look-up';
    expect(await expire(expiresAt)).toEqual(LIVE_STEPS[step]);
  });

  test('an unpaid checkout', async () => {
    const { expiresAt } = await merchant.checkout('paystack');
    expect(await expire(expiresAt)).toEqual(LIVE_STEPS['Checkout that nobody pays: three look-ups, expired']);
    const deps = { ...world.deps, ...world.withoutReconciliation() };
    await world.sweep(deps);
    const { Query } = meter.take();
    const shards = world.deps.dueIndex.shards;
    // One query counts stuck notifications, one query for each provider reads its health counts, and all others read the shards.
    const count = { calls: 1, readUnits: 0.5, writeUnits: 0 };
    const others = 1 + world.deps.judgedProviders.length;
    const ofShard = {
      calls: ((Query?.calls ?? 0) - others * count.calls) / shards,
      readUnits: ((Query?.readUnits ?? 0) - others * count.readUnits) / shards,
      writeUnits: 0,
    };
    expect([0, ...sumUnits({ Query: ofShard })]).toEqual(LIVE_STEPS['A sweep that finds nothing, for each shard']);
    expect([0, ...sumUnits({ Query: count })]).toEqual(LIVE_STEPS['The same sweep: count of stuck notifications']);
    expect([0, ...sumUnits({ Query: count })]).toEqual(LIVE_STEPS['The same sweep: health of each provider']);
  });

  test('the first report of a payer that the money was sent, and the check after five minutes', async () => {
    const { reference } = await merchant.checkout('paystack');
    const find = async () => (await world.deps.linkedCheckouts.find(reference)) as Checkout;
    const checkout = await find();
    meter.take();
    await recordSentReport(world.deps, checkout);
    const reported = meter.take();
    expect([0, ...sumUnits(reported)]).toEqual(LIVE_STEPS['First report of a payer that the money was sent']);
    await recordSentReport(world.deps, await find());
    expect(meter.take()).toEqual({ GetItem: { calls: 1, readUnits: 1, writeUnits: 0 } });
    world.clock.advance(5 * MINUTE);
    const deps = { ...world.deps, ...world.withoutReconciliation() };
    await sweepPayments(deps, world.clock.now() + 60_000);
    const { Query: _, ...sent } = meter.take();
    await world.consumeMoney(undefined, deps);
    const looked = LIVE_STEPS['Check after five minutes whether that money landed'];
    expect([0, ...sumUnits(sent, meter.take())]).toEqual(looked);
  });
});

describe('infra/costs/steps.ts has the writes to the table and to each index for', () => {
  interface Counted {
    readonly Table?: { readonly CapacityUnits?: number };
    readonly GlobalSecondaryIndexes?: Readonly<Record<string, { readonly CapacityUnits?: number }>>;
  }
  const NONE: WritesByPlace = { table: 0, gsi1: 0, gsi2: 0, gsi3: 0 };
  const READS = /^(Get|BatchGet|Query)/;

  /** Starts a proxy that sums the writes to the table and to each index. */
  const startPlaceMeter = async () => {
    let units = NONE;
    const proxy = await startFaultProxy(DYNAMODB, {
      rewrite: (input) => ({ ...input, ReturnConsumedCapacity: 'INDEXES' }),
      observe: (operation, { ConsumedCapacity }) => {
        if (READS.test(operation)) return;
        for (const { Table, GlobalSecondaryIndexes: indexes } of [ConsumedCapacity ?? []].flat() as Counted[]) {
          units = {
            table: units.table + (Table?.CapacityUnits ?? 0),
            gsi1: units.gsi1 + (indexes?.gsi1?.CapacityUnits ?? 0),
            gsi2: units.gsi2 + (indexes?.gsi2?.CapacityUnits ?? 0),
            gsi3: units.gsi3 + (indexes?.gsi3?.CapacityUnits ?? 0),
          };
        }
      },
    });
    const take = (): WritesByPlace => {
      const taken = units;
      units = NONE;
      return taken;
    };
    return { ...proxy, take };
  };
  let places: Awaited<ReturnType<typeof startPlaceMeter>>;
  let receiver: Receiver;
  beforeEach(async () => {
    places = await startPlaceMeter();
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await receiver.stop();
    await places.stop();
  });

  test('a delivery and its failed attempts', async () => {
    const world = await makeWorld({ dynamoDbEndpoint: places.endpoint });
    const business = await world.addBusiness([receiver.url]);
    const api = createApiClient(world, business.keys.secret_test);
    const { reference } = (await api.initialize(CHECKOUT)).json.data;
    const beforePayment = places.take().gsi2;
    await api.simulate({ reference });
    // The checkout leaves the index when it is paid. The other writes create the delivery.
    const created = places.take().gsi2 - beforePayment;
    receiver.answer((response) => response.writeHead(500).end());
    const [first] = await world.takeJobs();
    if (first) await deliverWebhook(world.deps, 'first', first);
    const failed = places.take().gsi2;
    receiver.answer((response) => response.writeHead(200).end());
    const waiting = await world.delivery();
    world.clock.advance((waiting.nextAttemptAt ?? 0) - world.clock.now());
    // Calls the retry directly, because its message waits in the queue for seconds of real time.
    await deliverWebhook(world.deps, 'retry', toDeliveryJob(waiting));
    expect(receiver.received).toHaveLength(2);
    const delivered = places.take();
    expect(created + delivered.gsi2).toBe(DUE_WRITES['Delivered at the first attempt']);
    expect(failed).toBe(DUE_WRITES['Failed attempt whose retry waits in a queue']);
  });

  test('a failed attempt that a sweep has sent', async () => {
    const world = await makeWorld({ dynamoDbEndpoint: places.endpoint });
    const business = await world.addBusiness([receiver.url]);
    const api = createApiClient(world, business.keys.secret_test);
    await api.simulate({ reference: (await api.initialize(CHECKOUT)).json.data.reference });
    const [job] = await world.takeJobs();
    if (!job) throw new Error('The landing queued no delivery.');
    await waitForSweep(world, job);
    receiver.answer((response) => response.writeHead(500).end());
    places.take();
    await world.sweep();
    for (const swept of await world.takeJobs()) await deliverWebhook(world.deps, 'retry', swept);
    expect(receiver.received).toHaveLength(1);
    expect(places.take().gsi2).toBe(DUE_WRITES['Failed attempt whose retry a sweep sends']);
  });

  test('a delivery at the first attempt', async () => {
    const world = await makeWorld({ dynamoDbEndpoint: places.endpoint });
    const business = await world.addBusiness([receiver.url]);
    const api = createApiClient(world, business.keys.secret_test);
    await api.simulate({ reference: (await api.initialize(CHECKOUT)).json.data.reference });
    const [job] = await world.takeJobs();
    places.take();
    if (job) await deliverWebhook(world.deps, 'first', job);
    expect(receiver.received).toHaveLength(1);
    expect(places.take()).toEqual(WRITES['Delivered at the first attempt']);
  });

  test('a live checkout, paid or not', async () => {
    await openWorld({ dynamoDbEndpoint: places.endpoint, providerQuota: DEFAULT_PROVIDER_QUOTA });
    const deps = { ...world.deps, ...world.withoutReconciliation() };
    places.take();
    const { accountNumber } = await merchant.checkout('paystack');
    const opened = places.take();
    await world.pay('paystack', accountNumber, ASKED);
    const landed = places.take();
    const { expiresAt } = await merchant.checkout('paystack');
    places.take();
    for (const minutes of [0, 5, 60]) {
      world.clock.advance(expiresAt + minutes * 60_000 - world.clock.now());
      await sweepPayments(deps, world.clock.now() + 60_000);
      await world.consumeMoney(undefined, deps);
    }
    const expired = places.take();
    expect({ opened, landed, expired }).toEqual({
      opened: WRITES['Checkout initialized'],
      landed: WRITES['Money landed: notified, looked up, one endpoint'],
      expired: WRITES['Checkout that nobody pays: three look-ups, expired'],
    });
    const deliveryCreated = 1;
    expect(opened.gsi2 + landed.gsi2 - deliveryCreated).toBe(DUE_WRITES['Live checkout, paid, with its notification']);
    expect(opened.gsi2 + expired.gsi2 - deliveryCreated).toBe(DUE_WRITES['Live checkout that nobody pays']);
    await world.stop();
  });
});
