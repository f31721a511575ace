import { rounded, type Table } from '#test/bench/report.ts';
import { percentile } from '#test/bench/statistics.ts';
import type { Offer } from './offer.ts';

/* What an offer came to, as rows of a table. */

const ms = (values: readonly number[], p: number): number | string =>
  values.length === 0 ? '–' : Math.round(percentile(values, p));

/** What became of each payment of an offer. */
export const accountOf = ({ seconds, payments, processors }: Offer) => {
  const accepted = payments.filter(({ status }) => status === 200);
  const refused = payments.filter(({ status, hasRetryAfter }) => status === 503 && hasRetryAfter);
  const broken = payments.filter(({ status }) => status === null);
  const unanswered = payments.filter(({ status }) => status === undefined);
  const others = payments.length - accepted.length - refused.length - broken.length - unanswered.length;
  const begin = payments[0]?.writtenAt ?? 0;
  const inTime = accepted.filter(({ answeredAt = Number.POSITIVE_INFINITY }) => answeredAt <= begin + seconds * 1_000);
  const delivered = accepted.filter(({ received }) => received.length > 0);
  return {
    offered: payments.length,
    accepted: accepted.length,
    refused: refused.length,
    /** Connections that broke, requests without an answer, and every other status. */
    wrong: broken.length + unanswered.length + others,
    lost: accepted.length - delivered.length,
    doubled: payments.filter(({ received }) => received.length > 1).length,
    acceptedPerSecond: inTime.length / seconds,
    /** Milliseconds from just before the request is written until the whole webhook is read. */
    delays: delivered.map(({ writtenAt, received }) => (received[0] ?? 0) - writtenAt),
    refusals: refused.map(({ writtenAt, answeredAt = 0 }) => answeredAt - writtenAt),
    /** How late the load itself was, in milliseconds: a load that is late offers less than it says. */
    late: payments.map(({ late }) => late),
    /** Infinite where nothing was accepted, so that such a round is not the quietest. */
    cpuPerThousand: (processors.measured * 1_000) / accepted.length,
    processors,
  };
};
export type Account = ReturnType<typeof accountOf>;

/**
 * The quietest of several rounds: the one that took the least processor time, since whatever else the machine does makes the same work
 * take more. What became of payments, and how long refusals took, is counted in all of them.
 */
export const quietestOf = (rounds: readonly Account[]): Account => {
  const [quietest] = rounds.toSorted((a, b) => a.cpuPerThousand - b.cpuPerThousand);
  if (!quietest) throw new Error('There was no round.');
  const sum = (count: (of: Account) => number): number => rounds.reduce((total, one) => total + count(one), 0);
  return {
    ...quietest,
    offered: sum(({ offered }) => offered),
    accepted: sum(({ accepted }) => accepted),
    refused: sum(({ refused }) => refused),
    refusals: rounds.flatMap(({ refusals }) => refusals),
    wrong: sum(({ wrong }) => wrong),
    lost: sum(({ lost }) => lost),
    doubled: sum(({ doubled }) => doubled),
  };
};

/** An account as a row. */
export const rowOf = (name: string, perSecond: number, account: Account): Table['rows'][number] => ({
  stack: name,
  'offered/s': perSecond,
  'accepted/s': rounded(account.acceptedPerSecond, 1),
  p50: ms(account.delays, 50),
  p95: ms(account.delays, 95),
  p99: ms(account.delays, 99),
  offered: account.offered,
  accepted: account.accepted,
  refused: account.refused,
  'refusal p95': ms(account.refusals, 95),
  'refusal max': ms(account.refusals, 100),
  wrong: account.wrong,
  'webhooks lost': account.lost,
  doubled: account.doubled,
  'CPU s per 1,000': rounded(account.cpuPerThousand, 1),
  'load, CPU s': rounded(account.processors.load, 1),
  'others, CPU s': rounded(account.processors.others, 1),
  'load late p99': ms(account.late, 99),
});
