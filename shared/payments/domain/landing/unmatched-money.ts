import type { NewPayment } from '#shared/payments/domain/payment.ts';
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
 * Saves money whose owner is not known. Returned money is saved as well: an older report that it was accepted may still be under way, and
 * it lands as returned as soon as its owner is known.
 */
export const saveUnmatched = (
  { unmatched: before, isForeign }: Pick<LandingState, 'unmatched' | 'isForeign'>,
  { provider, money, state, askedAt, refund }: MoneyReport,
  { id, recordedAt: now }: NewPayment,
): Landing => {
  // A refund waits for its money to land.
  if (refund) return { kind: 'ignored', as: 'unmatched' };
  const returned = isReturned(money);
  // Returned again: nothing is left to assign.
  if (returned && isReinstated(money)) {
    return before ? posted('landed', { before }) : { kind: 'ignored', as: 'landed' };
  }
  if (returned && isForeign && !before) return { kind: 'ignored', as: 'foreign' };
  if (before && !supersedes(before, money, askedAt)) return { kind: 'ignored', as: 'unmatched' };
  const first = { id, mode: 'live', provider, source: toSourceId(money) } as const;
  // After a return, matching starts again: an owner that is known within the hour is notified of it.
  const { recordedAt, tries } =
    before && isReturned(before.money) === returned ? before : { recordedAt: now, tries: 0 };
  const after: UnmatchedPayment = {
    ...(before ?? first),
    money,
    state,
    // A notification of a return carries no time.
    askedAt: Math.max(askedAt, before?.askedAt ?? 0),
    recordedAt,
    tries,
  };
  return posted('unmatched', { before, after });
};
