import * as z from 'zod/mini';
import { answerWrite } from '#shared/adapters/dynamodb/requests/answers.ts';
import {
  checkoutKey,
  checkoutsOf,
  merchantReferenceKey,
  receivingAccountKey,
} from '#shared/adapters/dynamodb/table/keys.ts';
import { getItem, listItems, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import { ABSENT, transact, type Write } from '#shared/adapters/dynamodb/table/transact.ts';
import { checkout } from '#shared/domain/checkouts/checkout.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import { text } from '#shared/domain/kernel/schemas.ts';
import { belongsTo } from '#shared/domain/kernel/tenant.ts';
import type { CheckoutOpener, CheckoutReader } from '#shared/ports/checkouts.ts';
import { checkoutItem } from './items.ts';

const pointer = z.object({ reference: text });

/** Checkouts in the table. */
export const checkoutStore = (table: Table): CheckoutReader & CheckoutOpener => {
  const find: CheckoutReader['find'] = async (tenant, reference) => {
    const item = await getItem(table, checkoutKey(reference));
    // A checkout that is being opened is not visible yet.
    const found = item && item.status !== 'opening' ? checkout.parse(item) : undefined;
    return found && belongsTo(tenant, found) ? found : undefined;
  };

  return {
    find,
    findByMerchantReference: async (tenant, merchantReference) => {
      const item = await getItem(table, merchantReferenceKey(tenant, merchantReference));
      return item && find(tenant, pointer.parse(item).reference);
    },
    list: (tenant, page) => listItems(table, checkout, checkoutsOf(tenant), page),
    open: async (opened, answer) => {
      const { mode, provider, reference, merchantReference } = opened;
      const writes: Write<'number_taken'>[] = [
        ...(answer ? [answerWrite(answer)] : []),
        { put: checkoutItem(table, opened), when: ABSENT },
      ];
      if (merchantReference !== null) {
        writes.push({
          put: { ...merchantReferenceKey(opened, merchantReference), reference },
          when: ABSENT,
          otherwise: () => {
            throw new Refusal('duplicate_merchant_reference');
          },
        });
      }
      // Live providers recycle the numbers of payment accounts, so only test mode promises unique ones.
      if (mode === 'test') {
        const numberKey = receivingAccountKey(mode, provider, opened.account.accountNumber);
        writes.push({ put: { ...numberKey, reference }, when: ABSENT, otherwise: () => 'number_taken' });
      }
      return (await transact(table, writes)) ?? 'opened';
    },
  };
};
