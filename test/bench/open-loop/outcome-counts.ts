import { round, type Table } from '#test/bench/report.ts';
import { percentile } from '#test/bench/statistics.ts';
import type { Offer } from './offer.ts';

/* Sums up the payments of an offer as a row of a table, and describes its faults in sentences. */

/** The most milliseconds that a 503 answer may take. */
const ERROR_BUDGET_MS = 1_000;

const percentileMs = (values: readonly number[], p: number): number | string =>
  values.length === 0 ? '–' : Math.round(percentile(values, p));

/** Counts the outcomes of all payments of an offer. */
export const countOutcomes = ({ seconds, payments }: Offer) => {
  const accepted = payments.filter(({ status }) => status === 200);
  const refused = payments.filter(({ status, hasRetryAfter }) => status === 503 && hasRetryAfter);
  const begin = payments[0]?.writtenAt ?? 0;
  const inTime = accepted.filter(({ answeredAt = Number.POSITIVE_INFINITY }) => answeredAt <= begin + seconds * 1_000);
  const delivered = accepted.filter(({ received }) => received.length > 0);
  return {
    offered: payments.length,
    accepted: accepted.length,
    refused: refused.length,
    /** Broken connections, requests without an answer, and every other status. */
    wrong: payments.length - accepted.length - refused.length,
    /** Accepted, but not recorded or not announced. */
    lost: accepted.filter(({ received, recorded }) => received.length === 0 || recorded === 0).length,
    /** Recorded or announced twice. */
    doubled: payments.filter(({ received, recorded }) => received.length > 1 || recorded > 1).length,
    refusedButRecorded: refused.filter(({ recorded }) => recorded > 0).length,
    acceptedPerSecond: inTime.length / seconds,
    /** Milliseconds from just before the request is written until the whole webhook is read. */
    delays: delivered.map(({ writtenAt, received }) => (received[0] ?? 0) - writtenAt),
    refusedMs: refused.map(({ writtenAt, answeredAt = 0 }) => answeredAt - writtenAt),
    /**
     * Milliseconds by which each request was sent later than planned. If they are large, fewer payments a second were sent than the table
     * says.
     */
    late: payments.map(({ late }) => late),
  };
};
export type OutcomeCounts = ReturnType<typeof countOutcomes>;

/** Makes a table row of the counted outcomes of a phase. */
export const outcomeRow = (phase: string, perSecond: number, outcomes: OutcomeCounts): Table['rows'][number] => ({
  phase,
  'offered/s': perSecond,
  'accepted/s': round(outcomes.acceptedPerSecond, 1),
  p50: percentileMs(outcomes.delays, 50),
  p95: percentileMs(outcomes.delays, 95),
  p99: percentileMs(outcomes.delays, 99),
  accepted: outcomes.accepted,
  refused: outcomes.refused,
  'refused max': percentileMs(outcomes.refusedMs, 100),
  wrong: outcomes.wrong,
  lost: outcomes.lost,
  doubled: outcomes.doubled,
  'load late p99': percentileMs(outcomes.late, 99),
});

/** Lists the missed budgets: payments that went wrong, were lost or counted twice, and slow 503 answers. */
export const findMisses = (phase: string, outcomes: OutcomeCounts): string[] => {
  const { wrong, lost, doubled, refusedButRecorded } = outcomes;
  const slowest = percentile(outcomes.refusedMs, 100);
  return [
    ...Object.entries({ wrong, lost, doubled, 'refused but recorded': refusedButRecorded }).flatMap(([what, count]) =>
      count > 0 ? [`${phase}: ${count} ${what}, budget 0.`] : [],
    ),
    ...(slowest > ERROR_BUDGET_MS
      ? [`${phase}: the slowest 503 answer took ${round(slowest, 0)} ms, budget ${ERROR_BUDGET_MS} ms.`]
      : []),
  ];
};
