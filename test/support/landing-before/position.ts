import type { Payment } from '#shared/payments/domain/payment.ts';
import { type Kobo, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import { isReturned, type ReportedMoney, sourceOf } from '#shared/providers/domain/report.ts';
import type { SourceId } from '#shared/providers/domain/source.ts';

/** How the money of one source stands: what the provider keeps of it and what it has returned, in kobo. */
export interface Position {
  readonly source: SourceId;
  readonly kept: Kobo;
  readonly returned: Kobo;
  /**
   * Of a report: when we began to ask for it, 0 where that is not known. Of a stored position: when the report that it rests on
   * was recorded, which is as new as that report can be.
   */
  readonly observedAt: Millis;
}

/** What a provider reports, as a position. */
export const reportedPosition = (money: ReportedMoney, askedAt: Millis): Position => {
  const source = sourceOf(money);
  if (money.kind === 'running_total') {
    return { source, kept: money.kept, returned: money.returned, observedAt: askedAt };
  }
  return isReturned(money)
    ? { source, kept: ZERO_KOBO, returned: money.amount, observedAt: askedAt }
    : { source, kept: money.amount, returned: ZERO_KOBO, observedAt: askedAt };
};

/** The position of a single transfer or rejection is its payment. */
export const recordedPosition = (source: SourceId, { amount, outcome, recordedAt }: Payment): Position =>
  outcome === 'accepted'
    ? { source, kept: amount, returned: ZERO_KOBO, observedAt: recordedAt }
    : { source, kept: ZERO_KOBO, returned: amount, observedAt: recordedAt };

/** Longer than the clocks of our containers differ, and than one server of a provider lags behind another. */
export const STALE_READ_MARGIN = 30 * SECOND;

/**
 * Whether a report may be older than the position that it contradicts. An older report of a growing total is recognised by its
 * time alone. Where money was returned, before or by this report, an older one looks the same as a newer one: the report must
 * have been asked for well after the position was recorded. `hasFallen`: some of the source was returned before.
 */
export const isStale = (before: Position, now: Position, hasFallen: boolean): boolean => {
  if (now.kept === before.kept) return false;
  const margin = now.kept > before.kept && !hasFallen ? 0 : STALE_READ_MARGIN;
  return now.observedAt < before.observedAt + margin;
};
