import { type Checkout, checkout } from '#shared/checkouts/domain/checkout.ts';
import type { CheckoutAccounts, CheckoutOpener, CheckoutReader, LinkedCheckouts } from '#shared/checkouts/ports.ts';
import {
  checkoutKey,
  checkoutOfPointer,
  checkoutPartition,
  LABELS_END,
  merchantReferenceKey,
} from '#shared/checkouts/store/keys.ts';
import { belongsTo } from '#shared/platform/kernel/tenant.ts';
import type { ReferenceHeld } from '#shared/platform/requests/reference-held.ts';
import { readItem } from '#shared/platform/table/readable.ts';
import { getItem, type Item, listItems, listPointed, type Table } from '#shared/platform/table/table.ts';
import { ABSENT, type Write } from '#shared/platform/table/transact.ts';
import { anotherAccountItem, checkoutItem, receivingAccountItem } from './items.ts';
import { labelWrites, uniqueReferenceWrites } from './merchant-references.ts';

/** Reads a checkout, but hides one that is still being opened. */
const readVisible = (table: Table, item: Item | undefined): Checkout | undefined =>
  item?.status === 'opening' ? undefined : readItem(table, checkout, item);

/** Reads checkouts in the table for their payers. */
export const linkedCheckouts = (table: Table): LinkedCheckouts => ({
  find: async (reference, options) => readVisible(table, await getItem(table, checkoutKey(reference), options)),
});

/** Reads checkouts in the table. */
export const checkoutStore = (table: Table): CheckoutReader => ({
  find: async (tenant, reference) => {
    const existing = readVisible(table, await getItem(table, checkoutKey(reference)));
    return existing && belongsTo(tenant, existing) ? existing : undefined;
  },
  list: (tenant, page) => listItems(table, checkout, checkoutPartition(tenant), page),
  listByMerchantReference: (tenant, merchantReference, { limit, after }) => {
    const { pk } = merchantReferenceKey(tenant, merchantReference);
    return listPointed(table, checkout, pk, { limit, after: after ?? LABELS_END }, checkoutOfPointer);
  },
});

/**
 * Stores accounts of checkouts in the table. In test mode each number is used once. A live provider may have used the number for an earlier
 * checkout, so each checkout has an item of its own.
 */
export const checkoutAccounts: CheckoutAccounts = {
  adding: (checkout, attempt): readonly Write<'number_taken'>[] => {
    const put = anotherAccountItem(checkout, attempt);
    return checkout.mode === 'test' ? [{ put, when: ABSENT, otherwise: () => 'number_taken' }] : [{ put }];
  },
};

/** Opens checkouts in the table. `hashKey`: the stage's secret for hashing e-mail addresses. */
export const checkoutOpener = (table: Table, hashKey: string): CheckoutOpener => ({
  opening: (opened, former): readonly Write<'number_taken' | ReferenceHeld>[] => [
    { put: checkoutItem(table, opened), when: ABSENT },
    ...uniqueReferenceWrites(opened, former),
    ...labelWrites(opened),
    { put: receivingAccountItem(hashKey, opened), when: ABSENT, otherwise: () => 'number_taken' },
  ],
});
