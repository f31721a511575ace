import { DUE_WRITES, LIVE_STEPS, QUEUED, STEPS, WRITES, type WritesByPlace } from '#infra/costs/steps.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import { REGISTRY } from '#shared/providers/registry.ts';
import { assume } from './assumptions.ts';
import { countMostListings, countPages, PAGE_SECONDS } from './reconciliation.ts';

/**
 * The two kinds of checkouts: paid and unpaid. `after`: the step that follows the opening. `due`: the name in `DUE_WRITES`. `swept`: the tickets
 * that a sweep has to queue.
 */
const KINDS = {
  paid: {
    after: 'Money landed: notified, looked up, one endpoint',
    due: 'Live checkout, paid, with its notification',
    verifies: assume('verifies'),
    notifications: 1,
    /** The ticket is queued when the notification arrives, so no sweep has to queue it. */
    swept: 0,
    reviews: LIVE_STEPS['Payment reviewed within the week, at Korapay'][0],
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

/** Makes a figure for each provider, such as `paystackRows`. */
const nameForEach = <S extends string>(
  suffix: S,
  count: (provider: ProviderName) => number,
): Readonly<Record<`${ProviderName}${S}`, number>> =>
  Object.fromEntries(PROVIDERS.map((name) => [`${name}${suffix}`, count(name)])) as Record<
    `${ProviderName}${S}`,
    number
  >;

/**
 * Computes the load of a checkout with one endpoint and an open payment page: calls to providers, entries of the due-work index, requests,
 * read and write units of the table, and seconds of Lambda executions.
 */
const computeLoad = (kind: keyof typeof KINDS) => {
  const { after, due, verifies, notifications, swept, reviews } = KINDS[kind];
  const openings = LIVE_STEPS[OPENED][0];
  const lookUps = LIVE_STEPS[after][0];
  const keyRequests = openings + verifies;
  const newsRequests = assume('pageOpen') / assume('newsInterval');
  const { tickets, deliveries } = QUEUED[kind];
  const writes = (place: keyof WritesByPlace): number =>
    WRITES[OPENED][place] + WRITES[after][place] + deliveries * WRITES[DELIVERED][place];
  return {
    openings,
    lookUps,
    /** Calls to Paystack. */
    calls: lookUps + countPages('paystack'),
    /**
     * Rows that the busiest pass of reconciliation reads for the checkout. A pass that is on time reads a row several times, because its
     * rounds overlap; how often depends on the provider. A pass that catches up reads it once. Providers list unpaid checkouts too.
     */
    ...nameForEach('Rows', countMostListings),
    rowsCatchingUp: 1,
    /**
     * Seconds for which the checkout occupies the provider's queue of money work. At a provider that returns money silently, each payment is
     * also reviewed.
     */
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
    newsRequests,
    requests: keyRequests + 1 + newsRequests + notifications,
    /** Seconds of unreserved executions. */
    unreservedSeconds: openings * assume('lookUp') + (keyRequests + 1 + newsRequests) * assume('request'),
    table: writes('table') + keyRequests * STEPS['Count for the rate limit, of one to five requests'][2],
    gsi1: writes('gsi1'),
    gsi2: writes('gsi2'),
    gsi3: writes('gsi3'),
    reads:
      LIVE_STEPS[OPENED][2] +
      LIVE_STEPS[after][2] +
      deliveries * STEPS[DELIVERED][1] +
      verifies * STEPS['Checkout verified'][1] +
      STEPS['Payment page shown'][1] +
      newsRequests * STEPS['Payment page asks for news, there is none'][1],
    dueMoney: DUE_WRITES[due],
    dueDeliveries: deliveries * DUE_WRITES[DELIVERED],
    /** Writes to the business's list of checkouts. A list of events gets as many writes, and a list of payments not more. */
    listed: 1,
  };
};

/** A figure of the load, such as `openings`. */
export type LoadFigure = keyof ReturnType<typeof computeLoad>;
const [PAID, UNPAID] = [computeLoad('paid'), computeLoad('unpaid')];

/** Sums one figure of the load, `use`: that of a payment, and that of each of the `unpaid` checkouts that come with it. */
export const sumFigure = (use: LoadFigure, unpaid: number): number => PAID[use] + unpaid * UNPAID[use];
