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

/** Money that matches no account and no checkout of ours yet, as its provider last reported it. */
export const unmatchedPayment = z.object({
  id: idSchema('pay'),
  mode: z.literal('live'),
  provider: providerName,
  source: sourceId,
  money: reportedMoney,
  /** The provider's state of the whole payment. */
  state: reportState,
  /** When we began to ask for the report; 0 if it came without a look-up. */
  askedAt: millis,
  recordedAt: millis,
  /** The number of times that matching was tried again. */
  tries: count,
});
export type UnmatchedPayment = z.infer<typeof unmatchedPayment>;

/** Milliseconds after recording at which unmatched money is matched again. After the last one, operators handle it. */
const MATCH_DELAYS = [MINUTE, 5 * MINUTE, 60 * MINUTE] as const;

/** Returns when the money is matched again; null if it waits for an operator, or for its account to be opened. */
export const nextMatchAt = ({ recordedAt, tries }: UnmatchedPayment): Millis | null => {
  const gap = MATCH_DELAYS[tries];
  return gap === undefined ? null : recordedAt + gap;
};

/** Whether this try is the last one before the money waits for an operator. */
export const isLastTry = (before: UnmatchedPayment): boolean =>
  nextMatchAt({ ...before, tries: before.tries + 1 }) === null;

/**
 * Starts matching again, as if the money were recorded now. It is used if the money's checkout is still opening, or if its checkout or account has
 * just opened.
 */
export const restartMatching = (before: UnmatchedPayment, now: Millis): UnmatchedPayment => ({
  ...before,
  recordedAt: now,
  tries: 0,
});

/**
 * Whether a report replaces the stored one. A cumulative report does if it was not asked for earlier than the stored one. An accepted transfer is
 * replaced only by a report that it was returned. A returned transfer and a rejection are never replaced.
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

/** Finds unmatched money among reported money; undefined if it is not reported. A reinstated transfer stays reinstated. */
export const findReportedMoney = (
  { source, money: stored }: UnmatchedPayment,
  reported: readonly ReportedMoney[],
): ReportedMoney | undefined => {
  const money = reported.find((candidate) => isSameSource(toSourceId(candidate), source));
  if (money?.kind !== 'transfer' || stored.kind !== 'transfer' || stored.reinstatements === undefined) return money;
  return { ...reinstateTransfer(money), reinstatements: stored.reinstatements };
};
