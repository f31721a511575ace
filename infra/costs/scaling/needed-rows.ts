import type { StageSettings } from '#infra/constructs/stage-settings.ts';
import { sortLimits } from './ends-first.ts';
import type { LoadFigure } from './load.ts';
import { computeDemand, countExecutions, makeSettings } from './needed.ts';
import { formatNumber } from './numbers.ts';
import { PAYSTACK, QUOTAS, type Quota } from './quotas.ts';

/**
 * Computes how many payments per second Paystack would allow if its limits were `timesPublished` times the published ones. Unpaid checkouts
 * count against the limits, too.
 */
export const computePayments = (settings: StageSettings, timesPublished: number): number =>
  Math.min(
    ...sortLimits({ settings, timesPublished })
      .filter(({ label }) => label.startsWith('Paystack: '))
      .map(({ payments }) => payments),
  );

/** A row of the table of needs: the present value, and the value for a number of payments per second. */
interface Need {
  readonly what: string;
  readonly now: number;
  readonly at: (payments: number) => number;
}

const showCode = ({ service, code }: Quota): string => (code ? ` (\`${service}\`, \`${code}\`)` : '');

const listProviderNeeds = (): readonly Need[] => {
  const rates: readonly (readonly [string, number, LoadFigure])[] = [
    ['openings at providers, per second', PAYSTACK.openings, 'openings'],
    ['look-ups at providers, per second', PAYSTACK.lookUps, 'lookUps'],
  ];
  return [
    ...rates.map(([what, now, use]) => ({
      what: `${what} (now: Paystack's published limit)`,
      now,
      at: (payments: number) => computeDemand(payments, use),
    })),
    {
      what: 'limits at Paystack, as a multiple of its published ones',
      now: 1,
      at: (payments) => Math.max(...rates.map(([, now, use]) => Math.ceil(computeDemand(payments, use) / now))),
    },
  ];
};

/** The settings of a stage that grow with its payments, if all payments are at Paystack. */
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
      ['write units of the table, per second', QUOTAS.tableWrites, 'table'],
      ['write units of index `gsi2`, per second', QUOTAS.tableWrites, 'gsi2'],
    ] as const
  ).map(([what, quota, use]) => ({
    what: `AWS: ${what}${showCode(quota)}`,
    now: quota.limit,
    at: (payments: number) => computeDemand(payments, use),
  })),
  {
    what: `AWS: requests to API Gateway per second, and \`throttle.rate\`${showCode(QUOTAS.gatewayRequests)}`,
    now: QUOTAS.gatewayRequests.limit,
    at: (payments) => Math.max(computeDemand(payments, 'requests'), makeSettings(prod, payments).throttle.rate),
  },
];

const listBusinessNeeds = ({ providerQuota }: StageSettings): readonly Need[] => [
  {
    what: 'minimum number of businesses, because each writes its list of checkouts to one partition',
    now: 1,
    at: (payments) => computeDemand(payments, 'listed') / QUOTAS.partitionWrites.limit,
  },
  {
    what: 'minimum number of businesses, with the default `providerQuota`',
    now: 1,
    at: (payments) => (computeDemand(payments, 'openings') * providerQuota.seconds) / providerQuota.creations,
  },
];

const showCell = (needed: number, now: number): string => {
  const text = formatNumber(Math.ceil(needed - 1e-9));
  return needed > now ? `**${text}**` : text;
};

/**
 * Lists the rows of the table of needs: the present value, then the needed value at each of `rates` (payments per second, all at Paystack).
 * Values above the present one are bold.
 */
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

/** Lists the concurrent executions of each function in the money path. */
export const listExecutions = (rates: readonly number[]): readonly (readonly string[])[] =>
  Object.keys(countExecutions(0)).map((name) => [
    `\`${name}\``,
    ...rates.map((payments) => formatNumber(Math.ceil((countExecutions(payments)[name] ?? 0) - 1e-9))),
  ]);
