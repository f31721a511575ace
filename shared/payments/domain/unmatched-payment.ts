import * as z from 'zod/mini';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { count, millis } from '#shared/platform/kernel/schemas.ts';
import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { providerName } from '#shared/providers/domain/provider.ts';
import {
  isReturned,
  type ReportedMoney,
  reinstateTransfer,
  reportedMoney,
  reportState,
  toSourceId,
} from '#shared/providers/domain/report.ts';
import { type SourceId, sourceId } from '#shared/providers/domain/source.ts';

/** Money that matches no account and no checkout of ours (yet): the last report of its source. */
export const unmatchedPayment = z.object({
  id: idSchema('pay'),
  mode: z.literal('live'),
  provider: providerName,
  source: sourceId,
  money: reportedMoney,
  /** How the provider saw the payment as a whole. */
  state: reportState,
  /** When we began to ask for the report; 0 where nobody asked. */
  askedAt: millis,
  recordedAt: millis,
  /** How often it was matched again. */
  tries: count,
});
export type UnmatchedPayment = z.infer<typeof unmatchedPayment>;

/** Milliseconds after it was recorded at which unmatched money is matched again (architecture.md section 4). After that operators handle it. */
const MATCH_AGAIN = [MINUTE, 5 * MINUTE, 60 * MINUTE] as const;

/** When the money is matched again; null when it waits for an operator, or for its account to be opened. */
export const matchDue = ({ recordedAt, tries }: UnmatchedPayment): Millis | null => {
  const gap = MATCH_AGAIN[tries];
  return gap === undefined ? null : recordedAt + gap;
};

/** Whether this try is the last before it waits for an operator. */
export const isLastTry = (before: UnmatchedPayment): boolean =>
  matchDue({ ...before, tries: before.tries + 1 }) === null;

/** Starts again with the first interval, because the checkout that the money may be for is still being opened. */
export const restartMatching = (before: UnmatchedPayment, now: Millis): UnmatchedPayment => ({
  ...before,
  recordedAt: now,
  tries: 0,
});

/**
 * Whether a report replaces the stored one. For a cumulative report the latest report does. For a transfer or a rejection only the report
 * that it was returned does, which is final.
 */
export const supersedes = (stored: UnmatchedPayment, money: ReportedMoney, askedAt: Millis): boolean =>
  money.kind === 'cumulative_report' ? askedAt >= stored.askedAt : isReturned(money) && !isReturned(stored.money);

const isSameSource = (source: SourceId, other: SourceId): boolean => {
  if (source.kind === 'transfer') return other.kind === 'transfer' && source.transferId === other.transferId;
  if (source.kind === 'cumulative_report')
    return other.kind === 'cumulative_report' && source.reference === other.reference;
  return (
    other.kind === 'rejection' && source.transaction === other.transaction && source.rejectionId === other.rejectionId
  );
};

/** The unmatched money as a provider reports it now; undefined where it does not. A reinstated transfer stays one. */
export const findReportedMoney = (
  { source, money: stored }: UnmatchedPayment,
  reported: readonly ReportedMoney[],
): ReportedMoney | undefined => {
  const money = reported.find((candidate) => isSameSource(toSourceId(candidate), source));
  if (money?.kind !== 'transfer' || stored.kind !== 'transfer' || stored.reinstatements === undefined) return money;
  return { ...reinstateTransfer(money), reinstatements: stored.reinstatements };
};
