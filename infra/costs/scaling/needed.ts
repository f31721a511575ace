import { MIN_UNRESERVED, sumReserved } from '#infra/constructs/reserved-concurrency.ts';
import { throttledRoutes } from '#infra/constructs/route-throttles.ts';
import { parseStage, type StageInput, type StageSettings } from '#infra/constructs/stage-settings.ts';
import { MOST_LISTS } from '#shared/payments/domain/reconciliation.ts';
import { assume } from './assumptions.ts';
import { countExecutionsAtPace, ENTRIES_A_SECOND, MONEY_BATCH, WEBHOOK_BATCH } from './limits.ts';
import { type LoadFigure, sumFigure } from './load.ts';
import { QUOTAS } from './quotas.ts';
import { countRows } from './reconciliation.ts';

/** Computes one figure of the load (`use`) per second, for a number of payments per second and the unpaid checkouts that come with them. */
export const computeDemand = (payments: number, use: LoadFigure): number => payments * sumFigure(use, assume('unpaid'));

const atLeast = (now: number, needed: number): number => Math.max(now, Math.ceil(needed));

/** Counts the concurrent executions of each function in the money path, for a number of payments per second. */
export const countExecutions = (payments: number): Readonly<Record<string, number>> => {
  const [requestSeconds, openingSeconds] = [assume('request'), assume('request') + assume('lookUp')];
  return {
    'initialize-checkout': computeDemand(payments, 'openings') * openingSeconds,
    'verify-checkout': computeDemand(payments, 'verifies') * requestSeconds,
    'show-checkout': computeDemand(payments, 'pages') * requestSeconds,
    'show-checkout-status': computeDemand(payments, 'newsRequests') * requestSeconds,
    'receive-notification': computeDemand(payments, 'notifications') * assume('notification'),
    'do-money-work': computeDemand(payments, 'paystackSeconds') / MONEY_BATCH,
    'deliver-webhooks': (computeDemand(payments, 'deliveries') * assume('webhook')) / WEBHOOK_BATCH,
    'sweep-payments': computeDemand(payments, 'swept') / ENTRIES_A_SECOND,
  };
};

/** Counts the parallel lists at Paystack that reconciliation needs to be on time; MOST_LISTS if even so many are not enough. */
const countLists = (payments: number, current: number): number => {
  let lists = current;
  while (lists < MOST_LISTS && countRows('paystack', lists) < computeDemand(payments, 'paystackRows')) lists += 1;
  return lists;
};

/** Sums the rates or bursts of the routes in a group. */
const sumRoutes = (settings: StageSettings, field: 'rate' | 'burst', group: 'open' | 'management'): number =>
  throttledRoutes(settings).reduce((sum, route) => sum + (route.group === group ? route[field] : 0), 0);

/**
 * Makes the settings of a stage for a number of payments per second, all at Paystack. No setting becomes lower.
 * @throws Error if the settings break a rule.
 */
export const makeSettings = (stage: StageSettings, payments: number): StageSettings => {
  const { stage: name, concurrency: current, throttle: currentThrottle, ...rest } = stage;
  const executions = countExecutions(payments);
  const read = (fn: string): number => executions[fn] ?? 0;
  const notifications = atLeast(current.notifications, read('receive-notification'));
  const calls = computeDemand(payments, 'calls');
  const pace = current.lookUpsPerSecond.paystack;
  const lanes = {
    ...current.lanes,
    first: atLeast(current.lanes.first, read('deliver-webhooks')),
    'money-paystack': atLeast(
      current.lanes['money-paystack'],
      Math.max(read('do-money-work'), countExecutionsAtPace(calls)),
    ),
  };
  const sweeps = atLeast(current.sweeps, read('sweep-payments'));
  const lookUpsPerSecond = {
    ...current.lookUpsPerSecond,
    // Twice the calls, because batches do not fill the pace: their calls start one after another.
    ...(pace === undefined ? {} : { paystack: atLeast(pace, 2 * calls) }),
  };
  const listsAtOnce = { ...current.listsAtOnce, paystack: countLists(payments, current.listsAtOnce.paystack ?? 1) };
  const concurrency = { ...current, notifications, lanes, sweeps, lookUpsPerSecond, listsAtOnce };
  const throttle = {
    ...currentThrottle,
    notifications: {
      rate: atLeast(currentThrottle.notifications.rate, computeDemand(payments, 'notifications')),
      burst: Math.min(notifications, atLeast(currentThrottle.notifications.burst, read('receive-notification'))),
    },
    logos: { ...currentThrottle.logos, rate: atLeast(currentThrottle.logos.rate, computeDemand(payments, 'pages')) },
    payers: {
      ...currentThrottle.payers,
      rate: atLeast(currentThrottle.payers.rate, computeDemand(payments, 'newsRequests')),
    },
  };
  const openRate = sumRoutes({ ...stage, throttle }, 'rate', 'open');
  const freeExecutions = Math.max(
    computeDemand(payments, 'unreservedSeconds'),
    sumRoutes(stage, 'burst', 'management'),
    MIN_UNRESERVED,
  );
  const shards = Math.max(computeDemand(payments, 'dueMoney'), computeDemand(payments, 'dueDeliveries'));
  const writes = Math.max(
    ...(['table', 'gsi1', 'gsi2', 'gsi3'] as const).map((place) => computeDemand(payments, place)),
  );
  return parseStage(name, {
    ...rest,
    concurrency: { ...concurrency, quota: atLeast(current.quota, sumReserved(concurrency) + freeExecutions) },
    // Routes without a key may have half of the stage's rate, so the rate is at least twice theirs.
    throttle: {
      ...throttle,
      rate: atLeast(currentThrottle.rate, Math.max(2 * openRate, computeDemand(payments, 'keyRequests'))),
    },
    dueShards: atLeast(stage.dueShards, shards / QUOTAS.partitionWrites.limit),
    warmThroughput: {
      writes: atLeast(stage.warmThroughput?.writes ?? QUOTAS.newWrites.limit, writes),
      reads: atLeast(stage.warmThroughput?.reads ?? QUOTAS.newReads.limit, computeDemand(payments, 'reads')),
    },
  } satisfies StageInput);
};
