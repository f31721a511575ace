import type { Booked } from '#shared/payments/domain/listed-payment.ts';
import { payment } from '#shared/payments/domain/payment.ts';
import { unmatchedPayment } from '#shared/payments/domain/unmatched-payment.ts';
import type { LocatedMoney } from '#shared/payments/ports.ts';
import { ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { readEach, readItem } from '#shared/platform/table/readable.ts';
import type { Item, Table } from '#shared/platform/table/table.ts';

/** One payment as our books have it. */
export type BookedPayment = Pick<Booked, 'outcome' | 'landed'>;

/* What stands under the key of a payment: the payment, or the unmatched money that it was reported as. */

const isUnmatched = (item: Item | undefined): boolean => item?.unmatched === true;

/** The payment or the unmatched money; neither where nothing is recorded. @throws UnreadableItem for anything else that is there. */
export const readBooked = (table: Table, item: Item | undefined): Pick<LocatedMoney, 'known' | 'unmatched'> =>
  isUnmatched(item)
    ? { known: undefined, unmatched: readItem(table, unmatchedPayment, item) }
    : { known: readItem(table, payment, item), unmatched: undefined };

/** What is recorded under each of some keys, for a comparison that must go on: what cannot be read is counted, and is there. */
export const toBookedPayments = (table: Table, items: readonly (Item | undefined)[]): BookedPayment[] => {
  const payments = readEach(
    table,
    payment,
    items.map((item) => (isUnmatched(item) ? undefined : item)),
  );
  return items.map((item, i) => {
    if (item === undefined) return { outcome: undefined };
    if (isUnmatched(item)) return { outcome: 'unmatched' };
    const bookedPayment = payments[i];
    if (bookedPayment === undefined) return { outcome: 'unreadable' };
    if ((bookedPayment.kept ?? ZERO_KOBO) > 0) return { outcome: 'partly_reversed' };
    return { outcome: bookedPayment.outcome, ...(bookedPayment.outcome === 'accepted' && { landed: bookedPayment }) };
  });
};
