import type { NewPaymentContext } from '#shared/payments/domain/payment.ts';
import { supersedes, type UnmatchedPayment } from '#shared/payments/domain/unmatched-payment.ts';
import { isReinstated, isReturned, type MoneyReport, toSourceId } from '#shared/providers/domain/report.ts';
import type { Landing, LandingEntries, LandingState } from './landing.ts';

const posted = (as: 'landed' | 'unmatched', unmatched: NonNullable<LandingEntries['unmatched']>): Landing => ({
  kind: 'posted',
  as,
  entries: { unmatched },
  events: [],
  isPartial: false,
});

/**
 * Saves money whose owner is not known. Returned money is saved, too: an older report that it was accepted may still be under way. The
 * money lands as returned when its owner is known.
 */
export const saveUnmatched = (
  { unmatched: before, isForeign }: Pick<LandingState, 'unmatched' | 'isForeign'>,
  { provider, money, state, askedAt, refund }: MoneyReport,
  { id, recordedAt: now }: NewPaymentContext,
): Landing => {
  // A refund is not saved. Its notification is tried again until the money has landed (landRefund).
  if (refund) return { kind: 'ignored', as: 'unmatched' };
  const isMoneyReturned = isReturned(money);
  // The reinstated transfer was returned again. Nothing is left to assign, so its entry is deleted.
  if (isMoneyReturned && isReinstated(money)) {
    return before ? posted('landed', { before }) : { kind: 'ignored', as: 'landed' };
  }
  if (isMoneyReturned && isForeign && !before) return { kind: 'ignored', as: 'foreign' };
  if (before && !supersedes(before, money, askedAt)) return { kind: 'ignored', as: 'unmatched' };
  const identity = { id, mode: 'live', provider, source: toSourceId(money) } as const;
  // If the provider has returned the money since the last report, or keeps it again, matching starts again. So an owner that becomes known within
  // the hour is notified of that.
  const { recordedAt, tries } =
    before && isReturned(before.money) === isMoneyReturned ? before : { recordedAt: now, tries: 0 };
  const after: UnmatchedPayment = {
    ...(before ?? identity),
    money,
    state,
    // If a notification reports a return, `askedAt` is 0. It must not replace the time of the last look-up.
    askedAt: Math.max(askedAt, before?.askedAt ?? 0),
    recordedAt,
    tries,
  };
  return posted('unmatched', { before, after });
};
