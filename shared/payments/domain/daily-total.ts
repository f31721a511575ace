import { endOfLagosDay } from '#shared/platform/kernel/lagos-day.ts';
import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import type { Payment } from './payment.ts';

/** What landed on a day of Lagos. Each payment counts on the day on which it was recorded, with its present outcome. Amounts in kobo. */
export interface DailyTotal {
  /** Accepted payments, and what they sum up to. */
  readonly count: number;
  readonly amount: number;
  readonly rejected: number;
  readonly reversed: number;
}

export const NOTHING_LANDED: DailyTotal = { count: 0, amount: 0, rejected: 0, reversed: 0 };

/** What a total needs to know of a payment; `kept`: what its provider kept of a reversed one, which is another payment. */
interface Counted extends Pick<Payment, 'outcome'> {
  readonly amount: number;
  readonly kept: number;
}

/** The total with another payment. */
export const withPayment = (total: DailyTotal, { outcome, amount, kept }: Counted): DailyTotal => {
  switch (outcome) {
    case 'accepted':
      return { ...total, count: total.count + 1, amount: total.amount + amount };
    case 'rejected':
      return { ...total, rejected: total.rejected + amount };
    case 'reversed':
      return { ...total, reversed: total.reversed + amount - kept };
  }
};

/** Longer than any write is under way, and than an index lags. */
const SETTLED_AFTER = 10 * MINUTE;

/**
 * Whether a sum that began at `now` holds for good: the day is over and its last reversal happened, both so long ago that the index has
 * everything.
 */
export const isFinal = (date: string, reversedAt: Millis | null, now: Millis): boolean =>
  now >= Math.max(endOfLagosDay(date), reversedAt ?? 0) + SETTLED_AFTER;
