import { checkout } from '#shared/checkouts/domain/checkout.ts';
import { openingCheckout } from '#shared/checkouts/domain/opening-checkout.ts';
import type { CheckoutIntents } from '#shared/checkouts/ports.ts';
import { checkoutKey } from '#shared/checkouts/store/keys.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { intentStore } from '#shared/providers/store/intent-store.ts';
import { checkoutItem, openingCheckoutItem, paymentAccountItem } from './items.ts';
import { giveBackWrites, labelWrites, uniqueReferenceWrites } from './merchant-references.ts';

/**
 * Stores intents of checkouts in the table. `hashKey`: the stage's secret for hashing e-mail addresses. The intent reserves its merchant
 * reference from the start; the checkout is labelled with it when it opens.
 */
export const checkoutIntents = (table: Table, hashKey: string): CheckoutIntents =>
  intentStore(table, {
    key: checkoutKey,
    intentSchema: openingCheckout,
    objectSchema: checkout,
    toItem: (intent) => openingCheckoutItem(table, intent),
    buildNewWrites: (intent) => uniqueReferenceWrites(intent, intent.formerOwner),
    buildDeletionWrites: giveBackWrites,
    // The number is not reserved: providers reuse numbers for later checkouts.
    buildObjectWrites: (object) => ({
      item: checkoutItem(table, object),
      others: [{ put: paymentAccountItem(hashKey, object) }, ...labelWrites(object)],
    }),
  });
