import * as z from 'zod/mini';
import { unmatchedItem } from '#shared/adapters/dynamodb/table/items.ts';
import { paymentKey, UNMATCHED } from '#shared/adapters/dynamodb/table/keys.ts';
import { getItem, listItems, listOldest, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import { transact } from '#shared/adapters/dynamodb/table/transact.ts';
import { wentBack } from '#shared/domain/checkouts/landing.ts';
import { type UnmatchedPayment, unmatchedPayment } from '#shared/domain/money/unmatched-payment.ts';
import type { UnmatchedStore } from '#shared/ports/money.ts';

/** It stands as it was read: neither matched nor told anew. */
export const stillUnmatched = ({ askedAt }: UnmatchedPayment) => ({
  expression: 'unmatched = :unmatched AND askedAt = :askedAt',
  values: { ':unmatched': true, ':askedAt': askedAt },
});
/** Nothing is recorded there, or the same by an answer that is no newer. */
const absentOrOlder = ({ id, askedAt }: UnmatchedPayment) => ({
  expression: 'attribute_not_exists(pk) OR (unmatched = :unmatched AND id = :id AND askedAt <= :askedAt)',
  values: { ':unmatched': true, ':id': id, ':askedAt': askedAt },
});
const nothing = (): 'gone' => 'gone';

/** Unmatched payments in the table. */
export const unmatchedStore = (table: Table): UnmatchedStore => {
  const keyOf = ({ mode, provider, transferId }: UnmatchedPayment) => paymentKey(mode, provider, transferId);
  return {
    keep: async (unmatched) => {
      const write = { put: unmatchedItem(table, unmatched), when: absentOrOlder(unmatched), otherwise: nothing };
      return (await transact(table, [write])) === undefined;
    },
    find: async (provider, transferId) =>
      unmatchedPayment.safeParse(await getItem(table, paymentKey('live', provider, transferId))).data,
    oldest: async (limit) =>
      (await listOldest(table, unmatchedOrMatched, UNMATCHED, limit)).flatMap((item) =>
        item === null || wentBack(item.money) ? [] : [item],
      ),
    newest: async (limit) =>
      (await listItems(table, unmatchedOrMatched, UNMATCHED, { limit, after: null })).items.filter(
        (item) => item !== null,
      ),
    triedAgain: async (unmatched) => {
      const put = unmatchedItem(table, { ...unmatched, tries: unmatched.tries + 1 });
      await transact(table, [{ put, when: stillUnmatched(unmatched), otherwise: nothing }]);
    },
    forget: async (unmatched) => {
      await transact(table, [{ delete: keyOf(unmatched), when: stillUnmatched(unmatched), otherwise: nothing }]);
    },
  };
};

/** The index may still list what has been matched since; its item says so. */
const unmatchedOrMatched = z.catch(z.nullable(unmatchedPayment), null);
