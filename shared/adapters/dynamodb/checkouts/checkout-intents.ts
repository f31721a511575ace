import { intentStore } from '#shared/adapters/dynamodb/requests/intent-store.ts';
import { checkoutKey, merchantReferenceKey } from '#shared/adapters/dynamodb/table/keys.ts';
import type { Table } from '#shared/adapters/dynamodb/table/table.ts';
import { checkout } from '#shared/domain/checkouts/checkout.ts';
import { openingCheckout } from '#shared/domain/checkouts/opening-checkout.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import type { CheckoutIntents } from '#shared/ports/requests.ts';
import { checkoutItem, openingCheckoutItem, paymentAccountItem } from './items.ts';

/** Intents of checkouts in the table. A merchant reference is taken from the beginning. */
export const checkoutIntents = (table: Table): CheckoutIntents =>
  intentStore(table, {
    key: checkoutKey,
    read: (item) =>
      item.status === 'opening'
        ? { kind: 'opening', intent: openingCheckout.parse(item) }
        : { kind: 'created', object: checkout.parse(item) },
    item: (intent) => openingCheckoutItem(table, intent),
    pointers: (intent) => {
      const { reference, merchantReference } = intent;
      if (merchantReference === null) return [];
      const when = {
        expression: 'attribute_not_exists(pk) OR #reference = :own',
        names: { '#reference': 'reference' },
        values: { ':own': reference },
      };
      const otherwise = (): never => {
        throw new Refusal('duplicate_merchant_reference');
      };
      return [{ put: { ...merchantReferenceKey(intent, merchantReference), reference }, when, otherwise }];
    },
    // The number is not reserved: a provider may have used it for another checkout before.
    created: (object) => ({ item: checkoutItem(table, object), others: [{ put: paymentAccountItem(object) }] }),
  });
