import * as z from 'zod/mini';
import type { LandingEntries } from '#shared/payments/domain/landing/landing.ts';
import {
  nextMatchAt,
  restartMatching,
  type UnmatchedPayment,
  unmatchedPayment,
} from '#shared/payments/domain/unmatched-payment.ts';
import type { UnmatchedStore } from '#shared/payments/ports.ts';
import { duePaymentKey, paymentKey, UNMATCHED } from '#shared/payments/store/keys.ts';
import { makeTicket } from '#shared/platform/table/due-keys.ts';
import { getItem, listItems, listOldest, type Table } from '#shared/platform/table/table.ts';
import { ABSENT, transact, type Write } from '#shared/platform/table/transact.ts';
import { isReturned } from '#shared/providers/domain/report.ts';
import { readPaymentOrUnmatched } from './booked.ts';
import { unmatchedItem } from './items.ts';

const unmatchedKey = ({ mode, provider, source }: UnmatchedPayment) => paymentKey(mode, provider, source);

/** Builds the condition that unmatched money was neither matched nor reported again since it was read. */
export const unmatchedAsRead = ({ askedAt }: UnmatchedPayment) => ({
  expression: 'unmatched = :unmatched AND askedAt = :askedAt',
  values: { ':unmatched': true, ':askedAt': askedAt },
});
/** Builds the same condition, and adds that no try was counted since. Otherwise a write of `tries` could undo a counted try. */
const withTriesAsRead = (before: UnmatchedPayment) => {
  const { expression, values } = unmatchedAsRead(before);
  return {
    expression: `${expression} AND id = :id AND tries = :tries`,
    values: { ...values, ':id': before.id, ':tries': before.tries },
  };
};
const conflict = (): 'conflict' => 'conflict';

/** Builds the write that saves, replaces or deletes unmatched money, unless the record under its key has changed since it was read. */
export const unmatchedWrites = (
  table: Table,
  { before, after }: NonNullable<LandingEntries['unmatched']>,
): Write<'conflict'>[] => {
  if (after) {
    return [{ put: unmatchedItem(table, after), when: before ? withTriesAsRead(before) : ABSENT, otherwise: conflict }];
  }
  return before ? [{ delete: unmatchedKey(before), when: unmatchedAsRead(before), otherwise: conflict }] : [];
};

/** Stores unmatched money in the table. */
export const unmatchedStore = (table: Table): UnmatchedStore => {
  return {
    save: async (unmatched, before) =>
      (await transact(table, unmatchedWrites(table, { before, after: unmatched }))) === undefined,
    find: async (provider, source) =>
      readPaymentOrUnmatched(table, await getItem(table, paymentKey('live', provider, source))).unmatched,
    findDue: async (pk) => readPaymentOrUnmatched(table, await getItem(table, duePaymentKey(pk))).unmatched,
    oldest: async (limit) =>
      (await listOldest(table, unmatchedOrMatched, UNMATCHED, limit)).flatMap((item) =>
        item === null || isReturned(item.money) ? [] : [item],
      ),
    newest: async (limit) =>
      (await listItems(table, unmatchedOrMatched, UNMATCHED, { limit, after: null })).items.filter(
        (item) => item !== null,
      ),
    restart: async (unmatched, now) => {
      const after = restartMatching(unmatched, now);
      const dueAt = nextMatchAt(after);
      const isSaved = (await transact(table, unmatchedWrites(table, { before: unmatched, after }))) === undefined;
      return isSaved && dueAt !== null ? makeTicket(unmatchedKey(after), 'payments', dueAt) : undefined;
    },
    countTry: async (unmatched) => {
      const after = { ...unmatched, tries: unmatched.tries + 1 };
      return (await transact(table, unmatchedWrites(table, { before: unmatched, after }))) === undefined;
    },
  };
};

/** An item that was unmatched money and is a payment now. The index lags, so it may still list such an item. */
const matched = z.pipe(
  z.object({ unmatched: z.optional(z.undefined()) }),
  z.transform(() => null),
);
const unmatchedOrMatched = z.union([unmatchedPayment, matched]);
