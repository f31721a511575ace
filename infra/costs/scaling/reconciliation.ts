import { choosePasses, PASSES } from '#shared/payments/domain/reconciliation.ts';
import { DAY, HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import type { PROVIDERS } from '#shared/providers/domain/names.ts';
import { byProvider } from '#shared/providers/registry.ts';
import { assume } from './assumptions.ts';

type ProviderName = (typeof PROVIDERS)[number];

/*
 * Reconciliation by pages: a message in the queue of its provider is one page of its list, one batch read of our books, and a ticket for
 * each row that differs. The pages of a list follow one another; a provider has as many lists side by side as its stage's settings say.
 */

/** Rows of a page at most (`limit` of the providers' lists). */
const ROWS_A_PAGE = 100;
const FEWER_ROWS: Readonly<Partial<Record<ProviderName, number>>> = { korapay: 50 };
const countRowsOfPage = (provider: ProviderName): number => FEWER_ROWS[provider] ?? ROWS_A_PAGE;

/** The passes of each provider, and how much of its list's time a round of each has. Milliseconds. */
const passes = byProvider((_, { listsByCreation = false, listedAhead = 0 }) =>
  choosePasses(listsByCreation).map((pass) => {
    const { every, overlap, turn } = PASSES[pass];
    return { every, turn, round: every + overlap + listedAhead };
  }),
);
/** Times that each pass lists a payment, while it keeps its time. */
const countListings = (provider: ProviderName): readonly number[] =>
  passes[provider].map(({ every, round }) => round / every);
/** The times of the pass that lists a payment most often, and so is late first. */
export const countMostListings = (provider: ProviderName): number => Math.max(...countListings(provider));
/** Pages in which a payment is listed, each of them shared with the other rows. */
export const countPages = (provider: ProviderName): number =>
  countListings(provider).reduce((sum, times) => sum + times, 0) / countRowsOfPage(provider);

/** Seconds for which a page has its place in a lane. */
export const PAGE_SECONDS = assume('lookUp') + assume('batchRead');
/** Rows a second of so many lists side by side. The fullest of several has a turn more than its share. */
export const countRows = (provider: ProviderName, lists: number): number => {
  const rows = (lists * countRowsOfPage(provider)) / (PAGE_SECONDS + assume('queued'));
  const turns = Math.min(...passes[provider].map(({ round, turn }) => round / turn));
  return lists === 1 ? rows : (rows * turns) / (turns + 1);
};

const { recent, hours, week } = PASSES;

/** Says how the lists of a provider go on where they cannot keep their time. */
export const describeReconciliation = (): string =>
  [
    `Every ${recent.every / MINUTE} minutes a provider lists the last ${(recent.every + recent.overlap) / MINUTE} minutes, and every day the last ${Math.round(week.overlap / DAY)} days. Paystack, which lists a payment by the creation of its checkout, lists ${(hours.every + hours.overlap) / HOUR} hours every ${hours.every / MINUTE} minutes, too. Checkouts that nobody pays are rows as well.`,
    `The pages of a list follow one another, about one in ${PAGE_SECONDS + assume('queued')} s. \`concurrency.listsAtOnce\` of a provider has several lists compared side by side, each with its share of the minutes.`,
    'A round that does not end within its interval is followed by the next one at once. Where rows come half as fast as the lists bear, a round takes as long as what it looks back, and a payment whose notification never came is found that much later; near to what they bear it falls ever further behind.',
    'Notifications land money all the while.',
  ].join('\n');
