import type { BookedRecords } from '#shared/payments/domain/listed-payment.ts';
import { payment } from '#shared/payments/domain/payment.ts';
import { unmatchedPayment } from '#shared/payments/domain/unmatched-payment.ts';
import type { LocatedMoney } from '#shared/payments/ports.ts';
import { ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { readEach, readItem } from '#shared/platform/table/readable.ts';
import type { Item, Table } from '#shared/platform/table/table.ts';

/** One payment as our books have it. */
export type BookedPayment = Pick<BookedRecords, 'outcome' | 'landed'>;

/* The item under a payment's key is that payment, or unmatched money that may become that payment later. */

const isUnmatched = (item: Item | undefined): boolean => item?.unmatched === true;

/** Reads the payment or the unmatched money of an item; neither if there is no item. @throws UnreadableItem for any other item. */
export const readPaymentOrUnmatched = (
  table: Table,
  item: Item | undefined,
): Pick<LocatedMoney, 'known' | 'unmatched'> =>
  isUnmatched(item)
    ? { known: undefined, unmatched: readItem(table, unmatchedPayment, item) }
    : { known: readItem(table, payment, item), unmatched: undefined };

/**
 * Converts items to payments for a comparison. It must not fail because of one item, so an unreadable item has the outcome `unreadable`, and a
 * metric counts it.
 */
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
