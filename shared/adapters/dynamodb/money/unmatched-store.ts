import * as z from 'zod/mini';
import { duePaymentKey, paymentKey, UNMATCHED } from '#shared/adapters/dynamodb/table/keys.ts';
import { getItem, listItems, listOldest, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import { transact } from '#shared/adapters/dynamodb/table/transact.ts';
import { isReturned } from '#shared/domain/money/report.ts';
import { type UnmatchedPayment, unmatchedPayment } from '#shared/domain/money/unmatched-payment.ts';
import type { UnmatchedStore } from '#shared/ports/money.ts';
import { unmatchedItem } from './items.ts';

/** It is as it was read: neither matched nor reported again. */
export const unmatchedAsRead = ({ askedAt }: UnmatchedPayment) => ({
  expression: 'unmatched = :unmatched AND askedAt = :askedAt',
  values: { ':unmatched': true, ':askedAt': askedAt },
});
/** Nothing is recorded there, or the same money by a report that is no newer. */
const absentOrOlder = ({ id, askedAt }: UnmatchedPayment) => ({
  expression: 'attribute_not_exists(pk) OR (unmatched = :unmatched AND id = :id AND askedAt <= :askedAt)',
  values: { ':unmatched': true, ':id': id, ':askedAt': askedAt },
});
const nothing = (): 'gone' => 'gone';

/** Unmatched payments in the table. */
export const unmatchedStore = (table: Table): UnmatchedStore => {
  const keyOf = ({ mode, provider, source }: UnmatchedPayment) => paymentKey(mode, provider, source);
  return {
    save: async (unmatched) => {
      const write = { put: unmatchedItem(table, unmatched), when: absentOrOlder(unmatched), otherwise: nothing };
      return (await transact(table, [write])) === undefined;
    },
    find: async (provider, source) =>
      unmatchedPayment.safeParse(await getItem(table, paymentKey('live', provider, source))).data,
    findDue: async (at) => unmatchedPayment.safeParse(await getItem(table, duePaymentKey(at))).data,
    oldest: async (limit) =>
      (await listOldest(table, unmatchedOrMatched, UNMATCHED, limit)).flatMap((item) =>
        item === null || isReturned(item.money) ? [] : [item],
      ),
    newest: async (limit) =>
      (await listItems(table, unmatchedOrMatched, UNMATCHED, { limit, after: null })).items.filter(
        (item) => item !== null,
      ),
    triedAgain: async (unmatched) => {
      const put = unmatchedItem(table, { ...unmatched, tries: unmatched.tries + 1 });
      await transact(table, [{ put, when: unmatchedAsRead(unmatched), otherwise: nothing }]);
    },
    forget: async (unmatched) => {
      await transact(table, [{ delete: keyOf(unmatched), when: unmatchedAsRead(unmatched), otherwise: nothing }]);
    },
  };
};

/** The index may still list what has been matched since; its item says so. */
const unmatchedOrMatched = z.catch(z.nullable(unmatchedPayment), null);
