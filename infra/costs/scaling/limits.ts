import { sumReserved } from '#infra/constructs/reserved-concurrency.ts';
import type { StageSettings } from '#infra/constructs/stage-settings.ts';
import type { FunctionSpec } from '#infra/function-spec.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import type { RunbookEntry } from '#infra/watch/entries.ts';
import { MOST_LISTS } from '#shared/payments/domain/reconciliation.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import { assume } from './assumptions.ts';
import type { Use } from './load.ts';
import { PAYSTACK, QUOTAS } from './quotas.ts';
import { countRows } from './reconciliation.ts';

/** Something that ends at so many a second, or at once. */
export interface Limit {
  readonly what: string;
  readonly capacity: number;
  readonly unit: string;
  /** The use that payments make of it. */
  readonly use: Use;
  /** The provider whose payments alone meet it, or a single business; without this, all payments. */
  readonly only?: (typeof PROVIDERS)[number] | 'business';
  /** Above it something is later, and nothing else happens. */
  readonly isSoft?: true;
  /** The alarm, or what else shows that it has ended. */
  readonly sign: { readonly alarm: RunbookEntry } | { readonly text: string };
  readonly raise: string;
}

/** A stage, and how many times the limits that Paystack publishes an agreement with it allows. */
export interface Scale {
  readonly settings: StageSettings;
  readonly timesPublished: number;
}

/** The consumer or sweep of the manifest with this name. */
const findFunction = (name: string): FunctionSpec => {
  const spec = FUNCTIONS.find((entry) => entry.name === name);
  if (!spec) throw new Error(`The manifest has no function ${name}.`);
  return spec;
};
const readBatchSize = (name: string): number => {
  const { trigger } = findFunction(name);
  return trigger.kind === 'queue' ? trigger.batchSize : 1;
};
export const MONEY_BATCH = readBatchSize('do-money-work');
export const WEBHOOK_BATCH = readBatchSize('deliver-webhooks');

/** Seconds of each minute in which `sweep-payments` takes new pages (functions/sweep-payments), and in which it queues reviews. */
const SWEEP = { margin: 20, reviews: 10, every: 60 } as const;
const SWEPT_SECONDS = findFunction('sweep-payments').timeoutSeconds - SWEEP.margin;

/** Entries a second that one run of `sweep-payments` sends on their way: money that is due, and reviews. */
export const ENTRIES_A_RUN = SWEPT_SECONDS / SWEEP.every / assume('entry');
export const REVIEWS_A_RUN = SWEEP.reviews / SWEEP.every / assume('entry');

const showAlarm = (entry: RunbookEntry) => ({ alarm: entry });

/** The limits that Paystack publishes. */
const limitPaystack = (times: number): readonly Limit[] => [
  {
    what: 'Paystack: openings of payment accounts',
    capacity: PAYSTACK.openings * times,
    unit: 'a second',
    only: 'paystack',
    use: 'openings',
    sign: { text: 'merchants get `provider_busy`' },
    raise: 'an agreement with Paystack, or another provider; payments into virtual accounts need none',
  },
  {
    what: 'Paystack: look-ups',
    capacity: PAYSTACK.lookUps * times,
    unit: 'a second',
    only: 'paystack',
    use: 'lookUps',
    sign: showAlarm('look-ups-limited'),
    raise: 'an agreement with Paystack, or another provider',
  },
];

/** The calls a second of a lane under load: its batches, each of whose calls begin apart. */
const callsAtPace = (pace: number, executions: number): number =>
  Math.min(pace, (executions * MONEY_BATCH) / (((MONEY_BATCH - 1) * executions) / pace + assume('lookUp')));

/** The executions that a lane needs for so many calls a second at a pace that is twice that. */
export const executionsAtPace = (calls: number): number =>
  (calls * assume('lookUp')) / (MONEY_BATCH - (MONEY_BATCH - 1) / 2);

/** The lanes of providers' money work: their concurrency, and their pace where they have one. */
const limitLanes = ({ concurrency: { lanes, lookUpsPerSecond } }: StageSettings): readonly Limit[] =>
  PROVIDERS.flatMap((provider): Limit[] => {
    const lane = `money-${provider}` as const;
    const shared = { only: provider, sign: showAlarm('money-waiting') };
    const pace = lookUpsPerSecond[provider];
    const calls: Limit = {
      what: `queue \`${lane}\`: its calls`,
      capacity: pace === undefined ? Number.POSITIVE_INFINITY : callsAtPace(pace, lanes[lane]),
      unit: 'a second',
      use: 'calls',
      raise: `\`concurrency.lookUpsPerSecond.${provider}\` and its lane, as far as the provider bears it`,
      ...shared,
    };
    return [
      ...(pace === undefined ? [] : [calls]),
      {
        what: `queue \`${lane}\`: look-ups, and pages of reconciliation`,
        capacity: lanes[lane] * MONEY_BATCH,
        unit: 'at once',
        use: `${provider}Seconds`,
        raise: `\`concurrency.lanes.${lane}\`, as far as the provider bears it`,
        ...shared,
      },
    ];
  });

/** The lists of the providers, each page after page. */
const limitReconciliation = ({ concurrency: { listsAtOnce } }: StageSettings): readonly Limit[] =>
  PROVIDERS.flatMap((provider): Limit[] => {
    const lists = listsAtOnce[provider] ?? 1;
    const shared = {
      only: provider,
      capacity: countRows(provider, lists),
      unit: 'rows a second',
      sign: showAlarm('reconciliation-behind'),
      raise: `\`concurrency.listsAtOnce.${provider}\`${lists < MOST_LISTS ? '' : ' is at its most: another agreement, which has lists of its own'}`,
    };
    return [
      { what: `reconciliation with ${provider}, in time`, use: `${provider}Rows`, isSoft: true, ...shared },
      { what: `reconciliation with ${provider}, however late`, use: 'rowsCatchingUp', ...shared },
    ];
  });

const limitBusiness = ({ providerQuota, requestsPerSecond }: StageSettings): readonly Limit[] => [
  {
    what: 'one business at one provider: accounts that its servers open',
    capacity: providerQuota.creations / providerQuota.seconds,
    unit: 'a second',
    only: 'business',
    use: 'openings',
    sign: { text: '[`provider_quota_used_up`](runbook.md#a-merchant-that-is-busy)' },
    raise: '`providerQuota`',
  },
  {
    what: 'one key: requests',
    capacity: requestsPerSecond.live,
    unit: 'a second',
    only: 'business',
    use: 'keyRequests',
    sign: { text: 'that key gets 429' },
    raise: '`requestsPerSecond.live`, or more keys',
  },
];

const limitTable = ({ warmThroughput }: StageSettings): readonly Limit[] => {
  const warm = Math.max(warmThroughput?.writes ?? 0, QUOTAS.newWrites.limit);
  const places = [
    ['the table', 'table', 'table-throttles'],
    ['index `gsi2`, the fullest', 'gsi2', 'index-throttles'],
  ] as const;
  return places.flatMap(([place, use, entry]): Limit[] => [
    {
      what: `${place}, new`,
      capacity: warm,
      unit: 'write units a second',
      use,
      sign: showAlarm(entry),
      raise: '`warmThroughput` before a launch; else it bears twice its last peak every 30 minutes',
    },
    {
      what: `${place}, its quota`,
      capacity: QUOTAS.tableWrites.limit,
      unit: 'write units a second',
      use,
      sign: showAlarm(entry),
      raise: 'Service Quotas, DynamoDB',
    },
  ]);
};

const limitShards = ({ dueShards }: StageSettings): readonly Limit[] => {
  const capacity = dueShards * QUOTAS.partitionWrites.limit;
  const shared = { capacity, unit: 'index writes a second', sign: showAlarm('index-throttles'), raise: '`dueShards`' };
  return [
    { what: `due-work index, money: ${dueShards} shards`, use: 'dueMoney', ...shared },
    { what: `due-work index, webhooks: ${dueShards} shards`, use: 'dueDeliveries', ...shared },
  ];
};

const limitSweeps = ({ concurrency: { sweeps } }: StageSettings): readonly Limit[] => {
  const shared = { unit: 'entries a second', sign: showAlarm('payments-overdue'), raise: '`concurrency.sweeps`' };
  return [
    { what: 'due work of money on its way to the queues', capacity: sweeps * ENTRIES_A_RUN, use: 'swept', ...shared },
    {
      what: 'reviews of payments at Korapay on their way; they have days',
      capacity: sweeps * REVIEWS_A_RUN,
      ...shared,
      only: 'korapay',
      use: 'reviews',
      sign: { text: '`oldest` of the log event `swept`' },
    },
  ];
};

const limitLambda = ({ concurrency }: StageSettings): readonly Limit[] => [
  {
    what: 'notifications',
    capacity: concurrency.notifications / assume('notification'),
    unit: 'a second',
    use: 'notifications',
    sign: showAlarm('lambda-throttles'),
    raise: '`concurrency.notifications`',
  },
  {
    what: 'first attempts of webhooks, in full batches',
    capacity: (concurrency.lanes.first * WEBHOOK_BATCH) / assume('webhook'),
    unit: 'a second',
    use: 'deliveries',
    sign: showAlarm('first-attempt-lag'),
    raise: '`concurrency.lanes.first`',
  },
  {
    what: 'checkouts, verifies and payers’ pages: executions that nobody reserves',
    capacity: concurrency.quota - sumReserved(concurrency),
    unit: 'at once',
    use: 'freeSeconds',
    sign: showAlarm('lambda-throttles'),
    raise: `Service Quotas, Lambda (${QUOTAS.executions.code}), then \`concurrency.quota\``,
  },
];

const limitGateway = ({ throttle }: StageSettings): readonly Limit[] => [
  {
    what: 'API Gateway: all requests of an account and region',
    capacity: QUOTAS.gatewayRequests.limit,
    unit: 'a second',
    use: 'requests',
    sign: { text: '429 without a body of ours' },
    raise: `Service Quotas, API Gateway (${QUOTAS.gatewayRequests.code})`,
  },
  {
    what: 'API Gateway: requests with keys',
    capacity: throttle.rate,
    unit: 'a second',
    use: 'keyRequests',
    sign: { text: '429 without a body of ours' },
    raise: '`throttle.rate`, up to the account’s quota',
  },
  {
    what: 'API Gateway: notifications of all providers, and whoever else sends any',
    capacity: throttle.notifications.rate,
    unit: 'a second',
    use: 'notifications',
    sign: showAlarm('payments-not-notified'),
    raise: '`throttle.notifications`',
  },
  {
    what: 'API Gateway: questions of payers’ pages; money lands meanwhile, and the page shows it later',
    capacity: throttle.payers.rate,
    unit: 'a second',
    use: 'questions',
    sign: { text: '429 in the access log' },
    raise: '`throttle.payers`',
  },
];

/** Lists the limits of the money path. */
export const listLimits = ({ settings, timesPublished }: Scale): readonly Limit[] => [
  ...limitPaystack(timesPublished),
  ...limitLanes(settings),
  ...limitReconciliation(settings),
  ...limitBusiness(settings),
  ...limitTable(settings),
  ...limitShards(settings),
  ...limitSweeps(settings),
  ...limitLambda(settings),
  ...limitGateway(settings),
];
