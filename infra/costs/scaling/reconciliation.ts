import { choosePasses, PASSES } from '#shared/payments/domain/reconciliation.ts';
import { DAY, HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import type { PROVIDERS } from '#shared/providers/domain/names.ts';
import { byProvider } from '#shared/providers/registry.ts';
import { assume } from './assumptions.ts';

type ProviderName = (typeof PROVIDERS)[number];

/*
 * Reconciliation by list pages: a message in a provider's queue causes one request for a list page, one batch read of our books, and a
 * ticket for each row that differs. The pages of a list come one after another. A setting says how many lists of a provider run in parallel.
 */

/** The most rows of a list page (`limit` of the providers' lists). */
const ROWS_A_PAGE = 100;
const ROWS_AT_PROVIDER: Readonly<Partial<Record<ProviderName, number>>> = { korapay: 50 };
const countRowsOfPage = (provider: ProviderName): number => ROWS_AT_PROVIDER[provider] ?? ROWS_A_PAGE;

/** The passes of each provider, in milliseconds. `round`: the time that a round covers if the pass is on time. */
const passesByProvider = byProvider((_, { listsByCreation = false, listedAhead = 0 }) =>
  choosePasses(listsByCreation).map((pass) => {
    const { every, overlap, turn } = PASSES[pass];
    return { every, turn, round: every + overlap + listedAhead };
  }),
);
/** Counts how often each pass lists a payment, if the pass is on time. */
const countListings = (provider: ProviderName): readonly number[] =>
  passesByProvider[provider].map(({ every, round }) => round / every);
/** Counts how often the busiest pass lists a payment. This pass is late first. */
export const countMostListings = (provider: ProviderName): number => Math.max(...countListings(provider));
/** Counts the list pages that a payment needs: a fraction, because a list page has many other rows. */
export const countPages = (provider: ProviderName): number =>
  countListings(provider).reduce((sum, times) => sum + times, 0) / countRowsOfPage(provider);

/** Seconds for which a list page occupies its place in a lane. */
export const PAGE_SECONDS = assume('lookUp') + assume('batchRead');
/**
 * Counts the rows per second of lists that run in parallel. Several lists divide each turn of a round among them. A round may begin and end
 * within a turn. Then one list may have its part of one turn more, and the round ends only when this list has read it.
 */
export const countRows = (provider: ProviderName, lists: number): number => {
  const rows = (lists * countRowsOfPage(provider)) / (PAGE_SECONDS + assume('queued'));
  const turns = Math.min(...passesByProvider[provider].map(({ round, turn }) => round / turn));
  return lists === 1 ? rows : (rows * turns) / (turns + 1);
};

const { recent, hours, week } = PASSES;

/** Describes what happens if the lists of a provider are not on time. */
export const describeReconciliation = (): string =>
  [
    `Every ${recent.every / MINUTE} minutes we list a provider's last ${(recent.every + recent.overlap) / MINUTE} minutes, and every day its last ${Math.round(week.overlap / DAY)} days. Paystack sorts a payment by the creation of its checkout, so there we also list the last ${(hours.every + hours.overlap) / HOUR} hours every ${hours.every / MINUTE} minutes. Unpaid checkouts are rows too.`,
    `The pages of a list are read one after another, about one every ${PAGE_SECONDS + assume('queued')} s. With \`concurrency.listsAtOnce\` several lists of a provider run in parallel, each with its share of the time.`,
    `If a round does not end within its interval, the next one starts at once, and covers the time that the late round took as well. A payment without a notification is then found only in the round after the one during which it was paid. If half as many rows come in a second as the lists can read, a round takes as long as the time that each round compares again: ${recent.overlap / HOUR} hour for the rounds of every ${recent.every / MINUTE} minutes, ${hours.overlap / HOUR} hours for those of every ${hours.every / MINUTE} minutes. If as many rows come as the lists can read, reconciliation falls further and further behind.`,
    'Notifications still land money meanwhile.',
  ].join('\n');
