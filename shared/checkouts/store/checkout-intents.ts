import { checkout } from '#shared/checkouts/domain/checkout.ts';
import { openingCheckout } from '#shared/checkouts/domain/opening-checkout.ts';
import type { CheckoutIntents } from '#shared/checkouts/ports.ts';
import { checkoutKey } from '#shared/checkouts/store/keys.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { intentStore } from '#shared/providers/store/intent-store.ts';
import { checkoutItem, openingCheckoutItem, paymentAccountItem } from './items.ts';
import { giveBackWrites, labelWrites, uniqueReferenceWrites } from './merchant-references.ts';

/** Intents of checkouts in the table. `hashKey` is the stage's secret for hashing e-mail addresses. A merchant reference is taken from the beginning; the checkout bears it once it is open. */
export const checkoutIntents = (table: Table, hashKey: string): CheckoutIntents =>
  intentStore(table, {
    key: checkoutKey,
    opening: openingCheckout,
    object: checkout,
    item: (intent) => openingCheckoutItem(table, intent),
    begun: (intent) => uniqueReferenceWrites(intent, intent.formerOwner),
    dropped: giveBackWrites,
    // The number is not reserved: a provider may have used it for another checkout before.
    created: (object) => ({
      item: checkoutItem(table, object),
      others: [{ put: paymentAccountItem(hashKey, object) }, ...labelWrites(object)],
    }),
  });
