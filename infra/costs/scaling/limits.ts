import { sumReserved } from '#infra/constructs/reserved-concurrency.ts';
import type { StageSettings } from '#infra/constructs/stage-settings.ts';
import type { FunctionSpec } from '#infra/function-spec.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import type { RunbookEntry } from '#infra/watch/entries.ts';
import { MOST_LISTS } from '#shared/payments/domain/reconciliation.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import { assume } from './assumptions.ts';
import type { LoadFigure } from './load.ts';
import { PAYSTACK, QUOTAS } from './quotas.ts';
import { countRows } from './reconciliation.ts';

/** A limit of the money path. `capacity` and `unit`: how much of something is possible per second, or at the same time. */
export interface Limit {
  readonly label: string;
  readonly capacity: number;
  readonly unit: string;
  /** The figure of a payment's load that counts against this limit. */
  readonly use: LoadFigure;
  /** The limit is only for payments of this provider, or of one business. Default: all payments. */
  readonly onlyFor?: (typeof PROVIDERS)[number] | 'business';
  /** Whether exceeding the limit only makes work late. */
  readonly isSoft?: true;
  /** The alarm, or another sign, that shows that the limit is reached. */
  readonly sign: { readonly alarm: RunbookEntry } | { readonly text: string };
  /** The setting, quota or agreement that raises the limit. */
  readonly raise: string;
}

/** A stage, and the limits that Paystack agreed to: `timesPublished` times its published limits. */
export interface Scale {
  readonly settings: StageSettings;
  readonly timesPublished: number;
}

/** Finds a consumer or sweep of the manifest by name. */
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

/**
 * Seconds of `sweep-payments` (functions/sweep-payments). `every`: from the start of a run to the next start. `margin`: the last part of a run,
 * in which it starts no more work. `reviews`: the part of a run for reviews.
 */
const SWEEP = { margin: 20, reviews: 10, every: 60 } as const;
const SWEPT_SECONDS = findFunction('sweep-payments').timeoutSeconds - SWEEP.margin;

/** Entries per second that one sweep can queue, averaged over the minute from run to run: entries of due money work, and reviews. */
export const ENTRIES_A_SECOND = SWEPT_SECONDS / SWEEP.every / assume('entry');
export const REVIEWS_A_SECOND = SWEEP.reviews / SWEEP.every / assume('entry');

const showAlarm = (entry: RunbookEntry) => ({ alarm: entry });

/** Lists the limits that Paystack publishes. */
const listPaystackLimits = (times: number): readonly Limit[] => [
  {
    label: 'Paystack: openings of payment accounts',
    capacity: PAYSTACK.openings * times,
    unit: 'a second',
    onlyFor: 'paystack',
    use: 'openings',
    sign: { text: 'merchants get `provider_busy`' },
    raise: 'an agreement with Paystack, or another provider; payments into virtual accounts need no openings',
  },
  {
    label: 'Paystack: look-ups',
    capacity: PAYSTACK.lookUps * times,
    unit: 'a second',
    onlyFor: 'paystack',
    use: 'lookUps',
    sign: showAlarm('look-ups-limited'),
    raise: 'an agreement with Paystack, or another provider',
  },
];

/**
 * Computes the calls per second of a lane under load. `pace`: the most calls per second of the lane. The executions share it equally, so the
 * calls of a batch start `executions / pace` seconds apart.
 */
const countCallsAtPace = (pace: number, executions: number): number =>
  Math.min(pace, (executions * MONEY_BATCH) / (((MONEY_BATCH - 1) * executions) / pace + assume('lookUp')));

/** Computes the executions that a lane needs for `calls` calls per second, if its pace is twice as many calls per second. */
export const countExecutionsAtPace = (calls: number): number =>
  (calls * assume('lookUp')) / (MONEY_BATCH - (MONEY_BATCH - 1) / 2);

/** Lists the limits of the providers' money lanes: concurrency, and pace if there is one. */
const listLaneLimits = ({ concurrency: { lanes, lookUpsPerSecond } }: StageSettings): readonly Limit[] =>
  PROVIDERS.flatMap((provider): Limit[] => {
    const lane = `money-${provider}` as const;
    const shared = { onlyFor: provider, sign: showAlarm('money-waiting') };
    const pace = lookUpsPerSecond[provider];
    const calls: Limit = {
      label: `queue \`${lane}\`: calls at its pace`,
      capacity: pace === undefined ? Number.POSITIVE_INFINITY : countCallsAtPace(pace, lanes[lane]),
      unit: 'a second',
      use: 'calls',
      raise: `\`concurrency.lookUpsPerSecond.${provider}\` and its lane, as far as the provider allows`,
      ...shared,
    };
    return [
      ...(pace === undefined ? [] : [calls]),
      {
        label: `queue \`${lane}\`: look-ups and list pages of reconciliation`,
        capacity: lanes[lane] * MONEY_BATCH,
        unit: 'at once',
        use: `${provider}Seconds`,
        raise: `\`concurrency.lanes.${lane}\`, as far as the provider allows`,
        ...shared,
      },
    ];
  });

/** Lists the limits of reconciliation with each provider. */
const listReconciliationLimits = ({ concurrency: { listsAtOnce } }: StageSettings): readonly Limit[] =>
  PROVIDERS.flatMap((provider): Limit[] => {
    const lists = listsAtOnce[provider] ?? 1;
    const shared = {
      onlyFor: provider,
      capacity: countRows(provider, lists),
      unit: 'rows a second',
      sign: showAlarm('reconciliation-behind'),
      raise: `\`concurrency.listsAtOnce.${provider}\`${lists < MOST_LISTS ? '' : ' is at its maximum: another agreement, which has its own lists'}`,
    };
    return [
      { label: `reconciliation with ${provider}, on time`, use: `${provider}Rows`, isSoft: true, ...shared },
      {
        label: `reconciliation with ${provider}, late but not falling further behind`,
        use: 'rowsCatchingUp',
        ...shared,
      },
    ];
  });

const listBusinessLimits = ({ providerQuota, requestsPerSecond }: StageSettings): readonly Limit[] => [
  {
    label: 'one business at one provider: openings by its servers',
    capacity: providerQuota.creations / providerQuota.seconds,
    unit: 'a second',
    onlyFor: 'business',
    use: 'openings',
    sign: { text: '[`provider_quota_used_up`](runbook.md#a-merchant-that-is-busy)' },
    raise: '`providerQuota`',
  },
  {
    label: 'one key: requests',
    capacity: requestsPerSecond.live,
    unit: 'a second',
    onlyFor: 'business',
    use: 'keyRequests',
    sign: { text: 'that key gets 429' },
    raise: '`requestsPerSecond.live`, or more keys',
  },
];

const listTableLimits = ({ warmThroughput }: StageSettings): readonly Limit[] => {
  const warm = Math.max(warmThroughput?.writes ?? 0, QUOTAS.newWrites.limit);
  const places = [
    ['the table', 'table', 'table-throttles'],
    ['the busiest index, `gsi2`', 'gsi2', 'index-throttles'],
  ] as const;
  return places.flatMap(([place, use, entry]): Limit[] => [
    {
      label: `${place}, just created`,
      capacity: warm,
      unit: 'write units a second',
      use,
      sign: showAlarm(entry),
      raise: '`warmThroughput` before a launch; without it, the limit grows to twice the last peak every 30 minutes',
    },
    {
      label: `${place}, at its quota`,
      capacity: QUOTAS.tableWrites.limit,
      unit: 'write units a second',
      use,
      sign: showAlarm(entry),
      raise: 'Service Quotas, DynamoDB',
    },
  ]);
};

const listShardLimits = ({ dueShards }: StageSettings): readonly Limit[] => {
  const capacity = dueShards * QUOTAS.partitionWrites.limit;
  const shared = { capacity, unit: 'index writes a second', sign: showAlarm('index-throttles'), raise: '`dueShards`' };
  return [
    { label: `due-work index, money: ${dueShards} shards`, use: 'dueMoney', ...shared },
    { label: `due-work index, webhooks: ${dueShards} shards`, use: 'dueDeliveries', ...shared },
  ];
};

const listSweepLimits = ({ concurrency: { sweeps } }: StageSettings): readonly Limit[] => {
  const shared = { unit: 'entries a second', sign: showAlarm('payments-overdue'), raise: '`concurrency.sweeps`' };
  return [
    { label: 'due money work, queued by sweeps', capacity: sweeps * ENTRIES_A_SECOND, use: 'swept', ...shared },
    {
      label: 'reviews of payments at Korapay, queued by sweeps (reviews may wait for days)',
      capacity: sweeps * REVIEWS_A_SECOND,
      ...shared,
      onlyFor: 'korapay',
      use: 'reviews',
      sign: { text: '`oldest` of the log event `swept`' },
    },
  ];
};

const listLambdaLimits = ({ concurrency }: StageSettings): readonly Limit[] => [
  {
    label: 'notifications',
    capacity: concurrency.notifications / assume('notification'),
    unit: 'a second',
    use: 'notifications',
    sign: showAlarm('lambda-throttles'),
    raise: '`concurrency.notifications`',
  },
  {
    label: 'first attempts of webhooks, in full batches',
    capacity: (concurrency.lanes.first * WEBHOOK_BATCH) / assume('webhook'),
    unit: 'a second',
    use: 'deliveries',
    sign: showAlarm('first-attempt-lag'),
    raise: '`concurrency.lanes.first`',
  },
  {
    label: 'checkouts, verifies and payment pages: unreserved executions',
    capacity: concurrency.quota - sumReserved(concurrency),
    unit: 'at once',
    use: 'unreservedSeconds',
    sign: showAlarm('lambda-throttles'),
    raise: `Service Quotas, Lambda (${QUOTAS.executions.code}), then \`concurrency.quota\``,
  },
];

const listGatewayLimits = ({ throttle }: StageSettings): readonly Limit[] => [
  {
    label: 'API Gateway: all requests in an account and region',
    capacity: QUOTAS.gatewayRequests.limit,
    unit: 'a second',
    use: 'requests',
    sign: { text: '429 from API Gateway, without our body' },
    raise: `Service Quotas, API Gateway (${QUOTAS.gatewayRequests.code})`,
  },
  {
    label: 'API Gateway: requests with keys',
    capacity: throttle.rate,
    unit: 'a second',
    use: 'keyRequests',
    sign: { text: '429 from API Gateway, without our body' },
    raise: '`throttle.rate`, up to the account’s quota',
  },
  {
    label: 'API Gateway: notifications of all providers and all other senders',
    capacity: throttle.notifications.rate,
    unit: 'a second',
    use: 'notifications',
    sign: showAlarm('payments-not-notified'),
    raise: '`throttle.notifications`',
  },
  {
    label: 'API Gateway: requests of payment pages for news (money still lands, and pages show it later)',
    capacity: throttle.payers.rate,
    unit: 'a second',
    use: 'newsRequests',
    sign: { text: '429 in the access log' },
    raise: '`throttle.payers`',
  },
];

/** Lists the limits of the money path. */
export const listLimits = ({ settings, timesPublished }: Scale): readonly Limit[] => [
  ...listPaystackLimits(timesPublished),
  ...listLaneLimits(settings),
  ...listReconciliationLimits(settings),
  ...listBusinessLimits(settings),
  ...listTableLimits(settings),
  ...listShardLimits(settings),
  ...listSweepLimits(settings),
  ...listLambdaLimits(settings),
  ...listGatewayLimits(settings),
];
