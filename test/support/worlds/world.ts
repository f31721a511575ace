import { randomBytes, randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CreateQueueCommand, DeleteMessageBatchCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { ulid } from 'ulid';
import { createTable } from '#infra/local/emulators/create-table.ts';
import { auditLog } from '#shared/businesses/store/audit-log.ts';
import { businessReader } from '#shared/businesses/store/business-reader.ts';
import { endpointStore } from '#shared/businesses/store/endpoint-store.ts';
import { keyStore } from '#shared/businesses/store/key-store.ts';
import { keyUses } from '#shared/businesses/store/key-uses.ts';
import { logoReader } from '#shared/businesses/store/logo-store.ts';
import { summaryStore } from '#shared/businesses/store/summary-store.ts';
import { usageStore } from '#shared/businesses/store/usage-store.ts';
import { checkoutIntents } from '#shared/checkouts/store/checkout-intents.ts';
import { checkoutSearch } from '#shared/checkouts/store/checkout-search.ts';
import {
  checkoutAccounts,
  checkoutOpener,
  checkoutStore,
  linkedCheckouts,
} from '#shared/checkouts/store/checkout-store.ts';
import { pageUses } from '#shared/checkouts/store/page-uses.ts';
import { sentReports } from '#shared/checkouts/store/sent-reports.ts';
import { erasureStore } from '#shared/erasure/store/erasure-store.ts';
import { payerRecords } from '#shared/erasure/store/payer-records.ts';
import { passkeyVerifier } from '#shared/members/passkeys/passkey-verifier.ts';
import { challengeStore } from '#shared/members/store/challenge-store.ts';
import { noticeStore } from '#shared/members/store/notice-store.ts';
import { sessionStore } from '#shared/members/store/session-store.ts';
import { signInStore } from '#shared/members/store/sign-in-store.ts';
import { userStore } from '#shared/members/store/user-store.ts';
import { listProviderPasses } from '#shared/payments/compose-sweep.ts';
import type { MoneyLane } from '#shared/payments/ports.ts';
import { moneyQueue, moneyQueueUrl } from '#shared/payments/queue/money-queue.ts';
import { dailyTotals } from '#shared/payments/store/daily-totals.ts';
import { stuckNotifications } from '#shared/payments/store/notification-store.ts';
import { paymentSearch } from '#shared/payments/store/payment-list.ts';
import { paymentStore } from '#shared/payments/store/payment-store.ts';
import { reconciliationStore } from '#shared/payments/store/reconciliation-store.ts';
import { reviewStore } from '#shared/payments/store/review-store.ts';
import { unmatchedStore } from '#shared/payments/store/unmatched-store.ts';
import { type DueTicket, dueTicket } from '#shared/platform/due-ticket.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';
import type { LogFields } from '#shared/platform/observability/log.ts';
import type { MetricName } from '#shared/platform/observability/metrics.ts';
import type { Keys, ReadKeys, Runtime } from '#shared/platform/ports.ts';
import { connectQueue } from '#shared/platform/queues/connect-queue.ts';
import type { RateLimits } from '#shared/platform/requests/rate-limit.ts';
import { runtime as systemRuntime } from '#shared/platform/runtime.ts';
import { probeTable } from '#shared/platform/table/health.ts';
import { idempotencyStore } from '#shared/platform/table/idempotency-store.ts';
import { leases } from '#shared/platform/table/leases.ts';
import { countUnreadable } from '#shared/platform/table/readable.ts';
import { requestCounter } from '#shared/platform/table/request-counter.ts';
import type { Item, Table } from '#shared/platform/table/table.ts';
import { transactions } from '#shared/platform/table/transactions.ts';
import { acceptsRest, amountLimits } from '#shared/providers/descriptions.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { ProviderQuota } from '#shared/providers/domain/quota.ts';
import type { SandboxFaults } from '#shared/providers/domain/sandbox-fault.ts';
import { healthyFirst } from '#shared/providers/healthy-first.ts';
import { type liveProviders, providers } from '#shared/providers/live-providers.ts';
import type { LiveProviders } from '#shared/providers/ports.ts';
import { findNeedsWithSettings } from '#shared/providers/registry.ts';
import type { ProviderSettings } from '#shared/providers/settings.ts';
import { healthReader, healthStore } from '#shared/providers/store/health-store.ts';
import { openingCounter } from '#shared/providers/store/opening-counter.ts';
import { providerBreakerStore } from '#shared/providers/store/provider-breaker-store.ts';
import { quotaMeter } from '#shared/providers/store/quota-meter.ts';
import { dueIndex } from '#shared/sweeps/store/due-index.ts';
import { dueTickets } from '#shared/sweeps/store/due-tickets.ts';
import { accountNumbers } from '#shared/virtual-accounts/store/account-numbers.ts';
import { virtualAccountIntents } from '#shared/virtual-accounts/store/virtual-account-intents.ts';
import { virtualAccountStore } from '#shared/virtual-accounts/store/virtual-account-store.ts';
import type { DeliveryJob, Lane } from '#shared/webhooks/domain/delivery.ts';
import { deliveryJob } from '#shared/webhooks/domain/delivery.ts';
import { DEFAULT_SCHEDULE } from '#shared/webhooks/domain/retry-schedule.ts';
import { targetChecker } from '#shared/webhooks/http-out/target-checker.ts';
import { webhookPoster } from '#shared/webhooks/http-out/webhook-poster.ts';
import { deliveryQueue } from '#shared/webhooks/queue/delivery-queue.ts';
import { breakerStore } from '#shared/webhooks/store/breaker-store.ts';
import { deliveryStore } from '#shared/webhooks/store/delivery-store.ts';
import { eventStore } from '#shared/webhooks/store/event-store.ts';
import { inNoRole } from '#test/support/permissions/roles.ts';
import { addBusiness } from './add-business.ts';
import { createCheckedBusinesses, createCheckedLedger } from './checked-stores.ts';
import { doMoneyWork, sweepDueWork } from './functions.ts';
import { PAGE_LINK_KEY, SIGN_IN_KEY, WEBHOOK_KEY } from './keys.ts';
import { readings } from './readings.ts';
import { reconciledNow } from './scene-provider.ts';
import { clientsAt, makeTable, tableAt } from './table.ts';

const HASH_KEY = 'a-hash-key-for-tests-of-enough-length';
const makeReadKeys =
  (...keys: Keys): ReadKeys =>
  async () =>
    keys;
/** The start of the injected clock: Friday, 20 November 2026, noon in UTC. */
export const NOON = Date.UTC(2026, 10, 20, 12);
/** The URL of an endpoint to which nothing is delivered. */
export const UNUSED_URL = 'http://127.0.0.1:9/unused';

const emulatorClients = () => ({
  at: process.env.AWS_ENDPOINT_URL_DYNAMODB,
  emulator: new DynamoDBClient(),
  tables: clientsAt(undefined),
  queues: connectQueue({ answerMs: 3_000, maxAttempts: 3 }),
});
/** All worlds at one emulator share clients: making a client takes longer than making a table and queues. */
let shared: ReturnType<typeof emulatorClients> | undefined;

/** Makes a clock that only tests move. */
export const movableClock = (startAt: number) => {
  let now = startAt;
  return {
    now: () => now,
    advance: (milliseconds: number): void => {
      now += milliseconds;
    },
  };
};

/** The dependencies of live providers, besides their settings. */
export type ProvidersAround = Omit<Parameters<typeof liveProviders>[1], 'timeouts' | 'stageUrl'>;
/** The provider quota of each business, unless a test sets another. */
const UNLIMITED = { creations: 0, publicCreations: 0, addressCreations: 0, seconds: 10 };
/** Milliseconds: long, so that a busy machine does not look like a table that does not answer. */
const TABLE_TIMEOUT_MS = 20_000;

/** Makes the dependencies of handlers and use cases, with their own table and queues and an injected clock. */
export const makeWorld = async (
  options: {
    dynamoDbEndpoint?: string;
    /** Milliseconds for a table call at that endpoint. The default is our own limit. */
    tableAnswerMs?: number;
    /** The delay of a slow provider in test mode. The default is none. */
    sandboxWait?: Runtime['wait'];
    sqsEndpoint?: string;
    startAt?: number;
    liveProviders?: (around: ProvidersAround) => LiveProviders;
    /** The stage's order of providers for checkouts that name none. If it is set, businesses of this world allow routing. */
    routingOrder?: readonly ProviderName[];
    sandbox?: SandboxFaults;
    /** The settings of the live providers. */
    providerSettings?: ProviderSettings;
    clock?: ReturnType<typeof movableClock>;
    rateLimits?: RateLimits;
    providerQuota?: ProviderQuota;
    /** Another world whose table, queues and clock this one shares, like a second process. */
    joins?: { readonly table: Table; readonly clock: ReturnType<typeof movableClock> };
  } = {},
) => {
  const name = options.joins?.table.name ?? `payments-${randomUUID()}`;
  if (!shared || shared.at !== process.env.AWS_ENDPOINT_URL_DYNAMODB) shared = emulatorClients();
  const { emulator, tables, queues } = shared;
  const measured: { metric: string; value: number }[] = [];
  const logged: ({ event: string } & LogFields)[] = [];
  const log = (event: string, fields: LogFields = {}, error?: unknown): void => {
    logged.push({ event, ...fields, ...(error instanceof Error && { error_name: error.name }) });
  };
  const metrics = (metric: MetricName, value: number): void => {
    measured.push({ metric, value });
  };
  const unreadable = countUnreadable({ log, metrics });
  const direct = makeTable(name, tables, unreadable);
  const urlsAt = (endpoint: string | undefined): Record<Lane, string> => ({
    first: `${endpoint}/000000000000/${name}-first`,
    retry: `${endpoint}/000000000000/${name}-retry`,
    slow: `${endpoint}/000000000000/${name}-slow`,
    test: `${endpoint}/000000000000/${name}-test`,
  });
  const urls = urlsAt(process.env.AWS_ENDPOINT_URL_SQS);
  const createQueue = (lane: string) =>
    queues.send(new CreateQueueCommand({ QueueName: `${name}-${lane}`, Attributes: { VisibilityTimeout: '30' } }));
  const moneyUrlAt = (endpoint: string | undefined): string => `${endpoint}/000000000000/${name}-money`;
  // Without a live provider no live money work is queued.
  const moneyLanes: readonly MoneyLane[] = options.liveProviders ? [...PROVIDERS, 'test'] : ['test'];
  const moneyQueues = moneyLanes.map((lane) => moneyQueueUrl('money', lane));
  if (!options.joins)
    await Promise.all([createTable(emulator, name), ...[...Object.keys(urls), ...moneyQueues].map(createQueue)]);

  const table = options.dynamoDbEndpoint
    ? tableAt(name, options.dynamoDbEndpoint, unreadable, options.tableAnswerMs)
    : direct;
  const sqs = options.sqsEndpoint
    ? connectQueue({ answerMs: 3_000, maxAttempts: 1 }, { endpoint: options.sqsEndpoint })
    : queues;
  const clock = options.joins?.clock ?? options.clock ?? movableClock(options.startAt ?? NOON);
  const runtime: Runtime = {
    now: clock.now,
    // Use Math.random: the operating system's randomness takes longer than the rest of an id.
    newId: (prefix) => `${prefix}_${ulid(clock.now(), Math.random)}`,
    randomBytes,
    draw: () => 0.5,
    pause: systemRuntime.pause,
    wait: systemRuntime.wait,
  };
  const around = {
    now: clock.now,
    wait: runtime.wait,
    log,
    metrics,
    breakers: providerBreakerStore(table, TABLE_TIMEOUT_MS),
  };
  const live = options.liveProviders?.(around) ?? ((): undefined => undefined);
  const judgedProviders = PROVIDERS.filter((name) => live(name) !== undefined);
  const deps = {
    ...runtime,
    log: around.log,
    hashKey: HASH_KEY,
    signInKeys: makeReadKeys(SIGN_IN_KEY),
    pageLinkKeys: makeReadKeys(PAGE_LINK_KEY),
    webhookKeys: makeReadKeys(WEBHOOK_KEY),
    countRequest: requestCounter(table, TABLE_TIMEOUT_MS),
    rateLimits: options.rateLimits ?? { live: 0, test: 0, publicAddress: 0 },
    keys: keyStore(table),
    // Go past the proxy in front of the table: the first request of each hour would cost more than the others.
    keyUses: keyUses(direct, TABLE_TIMEOUT_MS),
    sessions: sessionStore(table),
    signIns: signInStore(table),
    users: userStore(table),
    challenges: challengeStore(table),
    notices: noticeStore(table),
    summaries: summaryStore(table),
    logos: logoReader(table),
    passkeys: passkeyVerifier,
    members: businessReader(table),
    audit: auditLog(table),
    idempotency: idempotencyStore(table),
    transactions: transactions(table),
    checkouts: {
      ...checkoutStore(table),
      ...checkoutOpener(table, HASH_KEY),
      ...checkoutSearch(table, HASH_KEY),
    },
    linkedCheckouts: linkedCheckouts(table),
    pageUses: pageUses(table),
    sentReports: sentReports(table),
    healthStore: healthStore(table),
    health: healthReader(table),
    healthyFirst: healthyFirst({ ...runtime, health: healthReader(table) }),
    openings: openingCounter(table, { now: clock.now, log }, TABLE_TIMEOUT_MS),
    acceptsRest,
    amountLimits,
    accountNumbers: accountNumbers(table),
    payerRecords: payerRecords(table),
    erasures: erasureStore(table),
    virtualAccounts: virtualAccountStore(table, HASH_KEY),
    payments: { ...paymentStore(table), ...paymentSearch(table, HASH_KEY) },
    totals: dailyTotals(table),
    ledger: createCheckedLedger(table),
    deliveries: deliveryStore(table),
    dueIndex: dueIndex(table),
    dueTickets: dueTickets(table),
    moneyQueue: moneyQueue(sqs, moneyUrlAt(options.sqsEndpoint ?? process.env.AWS_ENDPOINT_URL_SQS)),
    events: eventStore(table),
    usage: usageStore(table),
    recoveryLeases: leases(table, 'recovery'),
    endpoints: endpointStore(table),
    queue: deliveryQueue(sqs, options.sqsEndpoint ? urlsAt(options.sqsEndpoint) : urls),
    unmatched: unmatchedStore(table),
    checkoutIntents: checkoutIntents(table, HASH_KEY),
    checkoutAccounts,
    requeryLeases: leases(table, 'requery'),
    accountIntents: virtualAccountIntents(table, HASH_KEY),
    notifications: stuckNotifications(table),
    reconciliations: reconciliationStore(table),
    reviews: reviewStore(table),
    liveProviders: live,
    judgedProviders,
    reconciled: listProviderPasses(reconciledNow().filter((name) => live(name) !== undefined)),
    providers: providers(randomBytes, options.sandboxWait ?? (async () => {}), live, options.sandbox),
    needsOf: findNeedsWithSettings(options.providerSettings ?? {}),
    quotaMeter: quotaMeter(table, options.providerQuota ?? UNLIMITED, {
      now: clock.now,
      log: around.log,
    }),
    post: webhookPoster({ timeoutMs: 15_000, targets: 'any' }),
    breakers: breakerStore(table),
    businesses: createCheckedBusinesses(table),
    schedule: DEFAULT_SCHEDULE,
    metrics: around.metrics,
    providerBreakers: around.breakers,
    checkTarget: targetChecker('any'),
    defaultProvider: 'paystack' as const,
    routingOrder: options.routingOrder ?? [],
    probes: { table: () => probeTable(table) },
  };

  const scan = (start?: Record<string, unknown>) =>
    inNoRole(() => direct.client.send(new ScanCommand({ TableName: name, ExclusiveStartKey: start })));

  /** Receives and deletes up to ten messages of a queue; none if it is empty. */
  const takeBatch = async (QueueUrl: string): Promise<unknown[]> => {
    const { Messages = [] } = await queues.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0 }),
    );
    if (Messages.length > 0) {
      const Entries = Messages.map(({ ReceiptHandle }, i) => ({ Id: String(i), ReceiptHandle }));
      await queues.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
    }
    return Messages.map(({ Body = '' }) => JSON.parse(Body));
  };
  /** Receives and deletes all messages of a queue. */
  const takeMessages = async (QueueUrl: string): Promise<unknown[]> => {
    const bodies: unknown[] = [];
    for (;;) {
      const batch = await takeBatch(QueueUrl);
      if (batch.length === 0) return bodies;
      bodies.push(...batch);
    }
  };
  const takeJobs = async (lanes: readonly Lane[]): Promise<DeliveryJob[]> => {
    const jobs: DeliveryJob[] = [];
    for (const lane of lanes.length > 0 ? lanes : (['first', 'retry', 'slow', 'test'] as const))
      jobs.push(...(await takeMessages(urls[lane])).map((body) => deliveryJob.parse(body)));
    return jobs;
  };
  const takeTickets = async (lane: MoneyLane, take = takeMessages): Promise<DueTicket[]> => {
    const url = moneyQueueUrl(moneyUrlAt(process.env.AWS_ENDPOINT_URL_SQS), lane);
    return (await take(url)).map((body) => dueTicket.parse(body));
  };
  /** Does the queued money work, ten messages at once like the consumer, until the queues are empty. Failed work is due again in the table. */
  const consumeMoney = async (
    lanes: readonly MoneyLane[] = moneyLanes,
    changes: Partial<typeof deps> = {},
  ): Promise<void> => {
    for (const lane of lanes) {
      for (;;) {
        const tickets = await inNoRole(() => takeTickets(lane, takeBatch));
        if (tickets.length === 0) break;
        await Promise.allSettled(tickets.map((ticket) => doMoneyWork({ ...deps, ...changes }, ticket)));
      }
    }
  };

  /** Lists every item whose sort key starts with a prefix, by a scan of the whole table. */
  const listItems = async (skPrefix: string): Promise<Item[]> => {
    const items: Item[] = [];
    let start: Record<string, unknown> | undefined;
    do {
      const page = await scan(start);
      items.push(...(page.Items ?? []).filter(({ sk }) => String(sk).startsWith(skPrefix)));
      start = page.LastEvaluatedKey;
    } while (start);
    return items;
  };
  /** Runs the scheduled functions once, and then the consumer of their messages, with some dependencies replaced. They stop after 30 s of the clock. */
  const dispatch = (changes: Partial<typeof deps> = {}): Promise<void> =>
    sweepDueWork({ ...deps, ...changes }, clock.now() + 30 * SECOND);
  const sweep = async (changes: Partial<typeof deps> = {}): Promise<void> => {
    await dispatch(changes);
    await consumeMoney(undefined, changes);
  };

  return {
    table: direct,
    deps,
    clock,
    logged,
    measured,
    /** Creates a business with four keys and an endpoint of the mode for each URL. */
    addBusiness: (urls: readonly string[] = [], mode: Mode = 'test', isRouted = options.routingOrder !== undefined) =>
      addBusiness({ table: direct, now: clock.now, newId: runtime.newId, randomBytes }, urls, mode, isRouted),
    itemsOf: listItems,
    sweep,
    /** Runs the scheduled functions once. Their messages stay queued. */
    dispatch,
    consumeMoney,
    /** Receives and deletes the messages of a queue of money work. */
    takeTickets: (lane: MoneyLane): Promise<DueTicket[]> => inNoRole(() => takeTickets(lane)),
    sweepAfter: (milliseconds: number, changes: Partial<typeof deps> = {}): Promise<void> => {
      clock.advance(milliseconds);
      return sweep(changes);
    },
    /** Receives and deletes the current messages of the given lanes, or of all. Returns their jobs. */
    takeJobs: (...lanes: Lane[]): Promise<DeliveryJob[]> => inNoRole(() => takeJobs(lanes)),
    /** Receives and deletes the only message. @throws Error when there is not exactly one. */
    takeJob: async (...lanes: Lane[]): Promise<DeliveryJob> => {
      const [job, ...more] = await inNoRole(() => takeJobs(lanes));
      if (!job || more.length > 0) throw new Error(`${more.length + (job ? 1 : 0)} messages are queued.`);
      return job;
    },
    queueUrls: urls,
    ...readings({ itemsOf: listItems, logged, measured }),
  };
};
export type World = Awaited<ReturnType<typeof makeWorld>>;
