import { DUE_WRITES, LIVE_STEPS, QUEUED, STEPS, WRITES, type WritesByPlace } from '#infra/costs/steps.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import { REGISTRY } from '#shared/providers/registry.ts';
import { assume } from './assumptions.ts';
import { countMostListings, countPages, PAGE_SECONDS } from './reconciliation.ts';

/** The two ends of a checkout: somebody pays it, or nobody. */
const KINDS = {
  paid: {
    after: 'Money landed: notified, looked up, one endpoint',
    due: 'Live checkout, paid, with its notification',
    verifies: assume('verifies'),
    notifications: 1,
    /** The notification's own ticket is sent as it comes. */
    swept: 0,
    reviews: LIVE_STEPS['Reviewed within the week, at Korapay'][0],
  },
  unpaid: {
    after: 'Checkout that nobody pays: three look-ups, expired',
    due: 'Live checkout that nobody pays',
    verifies: 0,
    notifications: 0,
    swept: QUEUED.unpaid.tickets,
    reviews: 0,
  },
} as const;
const [OPENED, DELIVERED] = ['Checkout initialized', 'Delivered at the first attempt'] as const;

type ProviderName = (typeof PROVIDERS)[number];

/** A figure of each provider, such as `paystackRows`. */
const nameForEach = <S extends string>(
  suffix: S,
  count: (provider: ProviderName) => number,
): Readonly<Record<`${ProviderName}${S}`, number>> =>
  Object.fromEntries(PROVIDERS.map((name) => [`${name}${suffix}`, count(name)])) as Record<
    `${ProviderName}${S}`,
    number
  >;

/** Calls of the provider, entries, requests, units and seconds of executions that a checkout with one endpoint takes; its payer looks at our page. */
const computeLoad = (kind: keyof typeof KINDS) => {
  const { after, due, verifies, notifications, swept, reviews } = KINDS[kind];
  const openings = LIVE_STEPS[OPENED][0];
  const lookUps = LIVE_STEPS[after][0];
  const keyRequests = openings + verifies;
  const questions = assume('looking') / assume('asking');
  const { tickets, deliveries } = QUEUED[kind];
  const writes = (place: keyof WritesByPlace): number =>
    WRITES[OPENED][place] + WRITES[after][place] + deliveries * WRITES[DELIVERED][place];
  return {
    openings,
    lookUps,
    /** Calls of Paystack. */
    calls: lookUps + countPages('paystack'),
    /** Rows of the pass that is late first, while it keeps its time, and while it catches up. A provider lists what nobody paid, too. */
    ...nameForEach('Rows', countMostListings),
    rowsCatchingUp: 1,
    /** Seconds of a place in the lane of its provider. One that returns money in silence is asked about each payment once more. */
    ...nameForEach('Seconds', (provider) => {
      const total = lookUps + (REGISTRY[provider].returnsSilently ? reviews : 0);
      return total * assume('lookUp') + countPages(provider) * PAGE_SECONDS;
    }),
    reviews,
    notifications,
    swept,
    tickets,
    deliveries,
    verifies,
    keyRequests,
    pages: 1,
    questions,
    requests: keyRequests + 1 + questions + notifications,
    /** Seconds of executions that nobody reserves. */
    freeSeconds: openings * assume('lookUp') + (keyRequests + 1 + questions) * assume('request'),
    table: writes('table') + keyRequests * STEPS['A report to the rate limit, of one to five requests'][2],
    gsi1: writes('gsi1'),
    gsi2: writes('gsi2'),
    gsi3: writes('gsi3'),
    reads:
      LIVE_STEPS[OPENED][2] +
      LIVE_STEPS[after][2] +
      deliveries * STEPS[DELIVERED][1] +
      verifies * STEPS['Checkout verified'][1] +
      STEPS['Payment page shown'][1] +
      questions * STEPS['Payment page asks, nothing is new'][1],
    dueMoney: DUE_WRITES[due],
    dueDeliveries: deliveries * DUE_WRITES[DELIVERED],
    /** In the list of its business's checkouts; the list of events takes as much, that of payments no more. */
    listed: 1,
  };
};

/** Something that payments use up. */
export type Use = keyof ReturnType<typeof computeLoad>;
const [PAID, UNPAID] = [computeLoad('paid'), computeLoad('unpaid')];

/** Sums the use of a payment, with so many checkouts beside it that nobody pays. */
export const sumUse = (use: Use, unpaid: number): number => PAID[use] + unpaid * UNPAID[use];
