import type { Millis } from '#shared/platform/kernel/time.ts';
import { unseenRefunds, withRefund } from '#shared/providers/domain/refund.ts';
import { isReturned, type MoneyReport } from '#shared/providers/domain/report.ts';
import type { LandingState } from './landing.ts';
import { isReturnContradictable } from './refunded-transfer.ts';

/*
 * A transfer that its provider returned and then keeps after all was reinstated. It becomes money of its own, since its owner was told of the
 * return, and it counts only when an operator assigns it.
 */

type Recorded = Pick<LandingState, 'known' | 'unmatched'>;

/**
 * Whether a report of a transfer concerns what came after its return: it was asked for after the return was recorded, or its refund is not
 * among those of the first payment.
 */
export const isAfterReturn = ({ known, unmatched }: Recorded, { money, askedAt, refund }: MoneyReport): boolean => {
  if (money.kind !== 'transfer') return false;
  if (refund) {
    if (!known || !isReturnContradictable(known)) return false;
    const before = known.refunds ?? [];
    const after = withRefund(before, refund);
    // It is noted on the first payment already, or that was recorded without it.
    return after.length > before.length && unseenRefunds(after, known.leftOut) > 0;
  }
  if (known) return isReturnContradictable(known) && askedAt > known.recordedAt;
  return unmatched !== undefined && isReturned(unmatched.money) && askedAt > unmatched.askedAt;
};

/** When the newest report of recorded money was asked for or recorded; 0 where nothing of it is recorded. */
export const lastReportAt = ({ known, unmatched }: Recorded): Millis => known?.recordedAt ?? unmatched?.askedAt ?? 0;
