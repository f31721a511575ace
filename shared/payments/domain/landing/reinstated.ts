import type { Millis } from '#shared/platform/kernel/time.ts';
import { addRefund, unseenRefunds } from '#shared/providers/domain/refund.ts';
import { isReturned, type MoneyReport } from '#shared/providers/domain/report.ts';
import type { LandingState } from './landing.ts';
import { isReturnContradictable } from './refunded-transfer.ts';

/*
 * A transfer that its provider returned and then keeps after all was reinstated. It becomes money of its own, since its owner was told of the
 * return, and it counts only when an operator assigns it.
 */

type Records = Pick<LandingState, 'known' | 'unmatched'>;

/**
 * Whether a report of a transfer that was returned may be newer than the return, and so concerns what came after it: it was asked for after
 * the transfer was recorded, or its refund is not among those of the first payment. Reinstated money is looked up again within the hour
 * (matchAgain), which undoes a wrong guess.
 */
export const mayFollowReturn = ({ known, unmatched }: Records, { money, askedAt, refund }: MoneyReport): boolean => {
  if (money.kind !== 'transfer') return false;
  if (refund) {
    if (!known || !isReturnContradictable(known)) return false;
    const before = known.refunds ?? [];
    const after = addRefund(before, refund);
    // It is noted on the first payment already, or that was recorded without it.
    return after.length > before.length && unseenRefunds(after, known.leftOut) > 0;
  }
  if (known) return isReturnContradictable(known) && askedAt > known.recordedAt;
  return unmatched !== undefined && isReturned(unmatched.money) && askedAt > unmatched.askedAt;
};

/** When a payment was recorded, or the report of unmatched money was asked for; 0 where neither is there. */
export const knownSince = ({ known, unmatched }: Records): Millis => known?.recordedAt ?? unmatched?.askedAt ?? 0;
