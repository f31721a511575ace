import { rounded } from '#test/bench/report.ts';
import { percentile } from '#test/bench/statistics.ts';
import type { Account } from './account.ts';

/* What performance.md (Overload) asks of this checkout, each miss in a sentence. */

/** Processor seconds per 1,000 payments, at `QUIET_PER_SECOND`. */
const CPU_BUDGET = 10;
export const QUIET_PER_SECOND = 50;
/** Of the peak, the most that was accepted a second in any row. */
const SHARE_BUDGET = 0.9;
/** Of the slowest refusal. */
const REFUSAL_BUDGET_MS = 1_000;
/** Times the p95 without a neighbour, and times the p95 before an overload. */
const NEIGHBOUR_BUDGET = 2;
const RECOVERY_BUDGET = 2;

/** Payments that went wrong, webhooks that were lost or came twice, and refusals that took long. */
export const failuresOf = (name: string, { wrong, lost, doubled, refusals }: Account): string[] => {
  const slowest = percentile(refusals, 100);
  return [
    ...Object.entries({ wrong, 'webhooks lost': lost, doubled }).flatMap(([what, count]) =>
      count > 0 ? [`${name}: ${count} ${what}, budget 0.`] : [],
    ),
    ...(slowest > REFUSAL_BUDGET_MS
      ? [
          `${name}: refusals took ${rounded(percentile(refusals, 95), 0)} ms at p95 and ${rounded(slowest, 0)} ms at most, budget ${REFUSAL_BUDGET_MS} ms.`,
        ]
      : []),
  ];
};

/** Processor time at a rate that the stack bears easily; at other rates it has no budget. */
export const processorMisses = (name: string, perSecond: number, { cpuPerThousand }: Account): string[] =>
  perSecond !== QUIET_PER_SECOND || cpuPerThousand <= CPU_BUDGET
    ? []
    : [`${name}: ${rounded(cpuPerThousand, 1)} s of processor time per 1,000 payments, budget ${CPU_BUDGET} s.`];

/** Fewer accepted under an overload than at the peak. */
export const overloadMisses = (name: string, { acceptedPerSecond }: Account, peak: number): string[] =>
  acceptedPerSecond >= SHARE_BUDGET * peak
    ? []
    : [
        `${name}: ${rounded(acceptedPerSecond, 1)} accepted a second, budget ${SHARE_BUDGET * 100} % of the peak of ${rounded(peak, 1)}.`,
      ];

/** Slower beside a neighbour than it may be, at a rate that the stack bears easily. */
export const neighbourMisses = (name: string, perSecond: number, quiet: Account, beside: Account): string[] => {
  const [alone, p95] = [percentile(quiet.delays, 95), percentile(beside.delays, 95)];
  // Without samples both are NaN, and this is a miss too.
  return perSecond !== QUIET_PER_SECOND || p95 <= NEIGHBOUR_BUDGET * alone
    ? []
    : [`${name}: p95 ${rounded(p95, 0)} ms, budget ${NEIGHBOUR_BUDGET} times the ${rounded(alone, 0)} ms without it.`];
};

/** Not itself again a while after an overload: it refuses what it bears easily, or is slower than it may be. */
export const recoveryMisses = (name: string, before: Account, after: Account): string[] => {
  const [was, p95] = [percentile(before.delays, 95), percentile(after.delays, 95)];
  return [
    ...(after.refused > 0 ? [`${name}: ${after.refused} refused, budget 0.`] : []),
    // Without samples both are NaN, and this is a miss too.
    ...(p95 <= RECOVERY_BUDGET * was
      ? []
      : [`${name}: p95 ${rounded(p95, 0)} ms, budget ${RECOVERY_BUDGET} times the ${rounded(was, 0)} ms before it.`]),
  ];
};
