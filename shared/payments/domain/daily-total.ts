import { endOfLagosDay } from '#shared/platform/kernel/lagos-day.ts';
import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import type { Payment } from './payment.ts';

/** The payments of one day in Lagos time. A payment counts on the day it was recorded, with its present outcome. Amounts in kobo. */
export interface DailyTotal {
  /** The number of accepted payments. */
  readonly count: number;
  /** The sum of the accepted payments. */
  readonly amount: number;
  readonly rejected: number;
  readonly reversed: number;
}

export const NOTHING_LANDED: DailyTotal = { count: 0, amount: 0, rejected: 0, reversed: 0 };

/** The fields of a payment that a total sums. `remainder`: kobo of a reversed payment that its provider kept. They count as another payment. */
interface CountedPayment extends Pick<Payment, 'outcome'> {
  readonly amount: number;
  readonly remainder: number;
}

/** Adds a payment to a total. */
export const withPayment = (total: DailyTotal, { outcome, amount, remainder: kept }: CountedPayment): DailyTotal => {
  switch (outcome) {
    case 'accepted':
      return { ...total, count: total.count + 1, amount: total.amount + amount };
    case 'rejected':
      return { ...total, rejected: total.rejected + amount };
    case 'reversed':
      return { ...total, reversed: total.reversed + amount - kept };
  }
};

/** Milliseconds after which the index has every payment: longer than any write takes, and longer than the index lags. */
const SETTLED_AFTER = 10 * MINUTE;

/**
 * Whether a day's sum is final if its computation begins at `now`. It is final if the day's end and its last reversal are both at least
 * SETTLED_AFTER ago. By then the index has every payment of the day, with its outcome.
 */
export const isFinal = (date: string, reversedAt: Millis | null, now: Millis): boolean =>
  now >= Math.max(endOfLagosDay(date), reversedAt ?? 0) + SETTLED_AFTER;
