import * as z from 'zod/mini';
import { type UnmatchedPayment, unmatchedPayment } from '#shared/payments/domain/unmatched-payment.ts';
import type { UnmatchedStore } from '#shared/payments/ports.ts';
import { duePaymentKey, paymentKey, UNMATCHED } from '#shared/payments/store/keys.ts';
import { getItem, listItems, listOldest, type Table } from '#shared/platform/table/table.ts';
import { ABSENT, transact } from '#shared/platform/table/transact.ts';
import { isReturned } from '#shared/providers/domain/report.ts';
import { readBooked } from './booked.ts';
import { unmatchedItem } from './items.ts';

/** It was neither matched nor reported again since it was read. */
export const unmatchedAsRead = ({ askedAt }: UnmatchedPayment) => ({
  expression: 'unmatched = :unmatched AND askedAt = :askedAt',
  values: { ':unmatched': true, ':askedAt': askedAt },
});
/** The same, and no try was counted since: a write of `tries` must not undo one. */
const withTriesAsRead = (read: UnmatchedPayment) => {
  const { expression, values } = unmatchedAsRead(read);
  return {
    expression: `${expression} AND id = :id AND tries = :tries`,
    values: { ...values, ':id': read.id, ':tries': read.tries },
  };
};
const gone = (): 'gone' => 'gone';

/** Unmatched payments in the table. */
export const unmatchedStore = (table: Table): UnmatchedStore => {
  const keyOf = ({ mode, provider, source }: UnmatchedPayment) => paymentKey(mode, provider, source);
  return {
    save: async (unmatched, read) => {
      const when = read ? withTriesAsRead(read) : ABSENT;
      const write = { put: unmatchedItem(table, unmatched), when, otherwise: gone };
      return (await transact(table, [write])) === undefined;
    },
    find: async (provider, source) =>
      readBooked(table, await getItem(table, paymentKey('live', provider, source))).unmatched,
    findDue: async (at) => readBooked(table, await getItem(table, duePaymentKey(at))).unmatched,
    oldest: async (limit) =>
      (await listOldest(table, unmatchedOrMatched, UNMATCHED, limit)).flatMap((item) =>
        item === null || isReturned(item.money) ? [] : [item],
      ),
    newest: async (limit) =>
      (await listItems(table, unmatchedOrMatched, UNMATCHED, { limit, after: null })).items.filter(
        (item) => item !== null,
      ),
    countTry: async (unmatched) => {
      const put = unmatchedItem(table, { ...unmatched, tries: unmatched.tries + 1 });
      return (await transact(table, [{ put, when: withTriesAsRead(unmatched), otherwise: gone }])) === undefined;
    },
    forget: async (unmatched) => {
      await transact(table, [{ delete: keyOf(unmatched), when: unmatchedAsRead(unmatched), otherwise: gone }]);
    },
  };
};

/** The index may still list what has been matched since; its item says so. */
const matched = z.pipe(
  z.object({ unmatched: z.optional(z.undefined()) }),
  z.transform(() => null),
);
const unmatchedOrMatched = z.union([unmatchedPayment, matched]);
