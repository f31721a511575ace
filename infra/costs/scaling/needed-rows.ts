import type { StageSettings } from '#infra/constructs/stage-settings.ts';
import { sortEnds } from './ends-first.ts';
import type { Use } from './load.ts';
import { computeDemand, countExecutions, makeSettings } from './needed.ts';
import { formatNumber } from './numbers.ts';
import { PAYSTACK, QUOTAS, type Quota } from './quotas.ts';

/** The payments a second that Paystack bears at so many times its published limits, with the checkouts beside them that nobody pays. */
export const computePayments = (settings: StageSettings, timesPublished: number): number =>
  Math.min(
    ...sortEnds({ settings, timesPublished })
      .filter(({ what }) => what.startsWith('Paystack: '))
      .map(({ payments }) => payments),
  );

/** A line of what is needed: what there is now, and what so many payments a second take. */
interface Need {
  readonly what: string;
  readonly now: number;
  readonly at: (payments: number) => number;
}

const showCode = ({ service, code }: Quota): string => (code ? ` (\`${service}\`, \`${code}\`)` : '');

const listProviderNeeds = (): readonly Need[] => {
  const rates: readonly (readonly [string, number, Use])[] = [
    ['openings a second at providers', PAYSTACK.openings, 'openings'],
    ['look-ups a second at providers', PAYSTACK.lookUps, 'lookUps'],
  ];
  return [
    ...rates.map(([what, now, use]) => ({
      what: `${what}; now: what Paystack publishes`,
      now,
      at: (payments: number) => computeDemand(payments, use),
    })),
    {
      what: 'agreements of the size that Paystack publishes',
      now: 1,
      at: (payments) => Math.max(...rates.map(([, now, use]) => Math.ceil(computeDemand(payments, use) / now))),
    },
  ];
};

/** The settings of a stage that grow with its payments, all at one provider. */
const SETTINGS: Readonly<Record<string, (settings: StageSettings) => number>> = {
  'concurrency.lanes.money-paystack': ({ concurrency }) => concurrency.lanes['money-paystack'],
  'concurrency.lookUpsPerSecond.paystack': ({ concurrency }) => concurrency.lookUpsPerSecond.paystack ?? Infinity,
  'concurrency.listsAtOnce.paystack': ({ concurrency }) => concurrency.listsAtOnce.paystack ?? 1,
  'concurrency.notifications': ({ concurrency }) => concurrency.notifications,
  'concurrency.lanes.first': ({ concurrency }) => concurrency.lanes.first,
  'concurrency.sweeps': ({ concurrency }) => concurrency.sweeps,
  'concurrency.quota': ({ concurrency }) => concurrency.quota,
  dueShards: ({ dueShards }) => dueShards,
  'warmThroughput.writes': ({ warmThroughput }) => warmThroughput?.writes ?? QUOTAS.newWrites.limit,
  'warmThroughput.reads': ({ warmThroughput }) => warmThroughput?.reads ?? QUOTAS.newReads.limit,
  'throttle.notifications.rate': ({ throttle }) => throttle.notifications.rate,
  'throttle.payers.rate': ({ throttle }) => throttle.payers.rate,
  'throttle.logos.rate': ({ throttle }) => throttle.logos.rate,
  'throttle.rate': ({ throttle }) => throttle.rate,
};

const listQuotaNeeds = (prod: StageSettings): readonly Need[] => [
  ...(
    [
      ['write units a second of the table', QUOTAS.tableWrites, 'table'],
      ['write units a second of index `gsi2`', QUOTAS.tableWrites, 'gsi2'],
    ] as const
  ).map(([what, quota, use]) => ({
    what: `AWS: ${what}${showCode(quota)}`,
    now: quota.limit,
    at: (payments: number) => computeDemand(payments, use),
  })),
  {
    what: `AWS: requests a second to API Gateway, and \`throttle.rate\`${showCode(QUOTAS.gatewayRequests)}`,
    now: QUOTAS.gatewayRequests.limit,
    at: (payments) => Math.max(computeDemand(payments, 'requests'), makeSettings(prod, payments).throttle.rate),
  },
];

const listBusinessNeeds = ({ providerQuota }: StageSettings): readonly Need[] => [
  {
    what: 'businesses at least, for their lists',
    now: 1,
    at: (payments) => computeDemand(payments, 'listed') / QUOTAS.partitionWrites.limit,
  },
  {
    what: 'businesses at least, with the default `providerQuota`',
    now: 1,
    at: (payments) => (computeDemand(payments, 'openings') * providerQuota.seconds) / providerQuota.creations,
  },
];

const showCell = (needed: number, now: number): string => {
  const text = formatNumber(Math.ceil(needed - 1e-9));
  return needed > now ? `**${text}**` : text;
};

/** The rows of what so many payments a second take, all at one provider. What is more than there is now is bold. */
export const listNeeds = (settings: StageSettings, rates: readonly number[]): readonly (readonly string[])[] => {
  const stages = rates.map((payments) => makeSettings(settings, payments));
  const makeRow = ({ what, now, at }: Need): readonly string[] => [
    what,
    formatNumber(now),
    ...rates.map((payments) => showCell(at(payments), now)),
  ];
  return [
    ...listProviderNeeds().map(makeRow),
    ...Object.entries(SETTINGS).map(([name, read]) => [
      `\`${name}\``,
      formatNumber(read(settings)),
      ...stages.map((stage) => showCell(read(stage), read(settings))),
    ]),
    ...listQuotaNeeds(settings).map(makeRow),
    ...listBusinessNeeds(settings).map(makeRow),
  ];
};

/** The rows of what each function in the money path runs at once. */
export const listExecutions = (rates: readonly number[]): readonly (readonly string[])[] =>
  Object.keys(countExecutions(0)).map((name) => [
    `\`${name}\``,
    ...rates.map((payments) => formatNumber(Math.ceil((countExecutions(payments)[name] ?? 0) - 1e-9))),
  ]);
