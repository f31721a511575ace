import type { Millis } from '#shared/platform/kernel/time.ts';
import { addRefund, sumUnseenRefunds } from '#shared/providers/domain/refund.ts';
import { isReturned, type MoneyReport } from '#shared/providers/domain/report.ts';
import type { LandingState } from './landing.ts';
import { mayLookUpDisproveReturn } from './refunded-transfer.ts';

/*
 * A transfer is reinstated if its provider returned it and then keeps it after all. The owner was notified of the return. So the reinstated
 * money becomes a new payment, which counts only after an operator assigns it.
 */

type Records = Pick<LandingState, 'known' | 'unmatched'>;

/**
 * Whether a report of a transfer may be newer than the transfer's return. Then it may concern the reinstated transfer. Always false if no return is
 * recorded, or if a look-up cannot disprove the return (mayLookUpDisproveReturn).
 * - A report with a refund may be newer if the first payment does not have this refund in its notes, and its amount does not exclude it.
 * - Any other report may be newer if it was asked for after the first payment was recorded. If the transfer is unmatched, it must have been asked
 *   for after the report of the return.
 * A wrong guess is undone, because reinstated money is looked up again within the hour (matchAgain).
 */
export const mayFollowReturn = ({ known, unmatched }: Records, { money, askedAt, refund }: MoneyReport): boolean => {
  if (money.kind !== 'transfer') return false;
  if (refund) {
    if (!known || !mayLookUpDisproveReturn(known)) return false;
    const before = known.refunds ?? [];
    const after = addRefund(before, refund);
    // Otherwise the first payment has this refund in its notes, or the payment's amount excludes it.
    return after.length > before.length && sumUnseenRefunds(after, known.leftOut) > 0;
  }
  if (known) return mayLookUpDisproveReturn(known) && askedAt > known.recordedAt;
  return unmatched !== undefined && isReturned(unmatched.money) && askedAt > unmatched.askedAt;
};

/** Returns when the payment was recorded, or when the report of the unmatched money was asked for; 0 if there is neither. */
export const knownSince = ({ known, unmatched }: Records): Millis => known?.recordedAt ?? unmatched?.askedAt ?? 0;
