import * as z from 'zod/mini';
import { checkoutKey, type Key, virtualAccountKey } from '#shared/adapters/dynamodb/table/keys.ts';
import { getItem, type Item, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import { hasUsed } from '#shared/domain/checkouts/attempt-reference.ts';
import { type Checkout, checkout } from '#shared/domain/checkouts/checkout.ts';
import { checkoutReference, idSchema } from '#shared/domain/kernel/ids.ts';
import { mode } from '#shared/domain/kernel/mode.ts';
import { text } from '#shared/domain/kernel/schemas.ts';
import type { Payee } from '#shared/domain/money/report.ts';
import { virtualAccount } from '#shared/domain/virtual-accounts/virtual-account.ts';
import type { Located } from '#shared/ports/money.ts';

/* Finds the owner of reported money: a checkout or a virtual account. */

/** The business and mode of an item. */
export const tenant = z.object({ businessId: text, mode });
/** The item of a virtual account's number; the test number of a checkout has no such field. */
const receiver = z.object({ virtualAccountId: text });
/** The item of a reference whose running total an operator assigned to a checkout. */
export const assigned = z.object({ checkout: checkoutReference });

const NO_OWNER = { owner: undefined, tenant: undefined };

/** The key of the checkout or virtual account that a reference of ours was made for; undefined for any other reference. */
export const keyOfReference = (reference: string): Key | undefined => {
  if (checkoutReference.safeParse(reference).success) return checkoutKey(reference);
  return idSchema('va').safeParse(reference).success ? virtualAccountKey(reference) : undefined;
};

/** Money lands on visible checkouts, if it is theirs, and on virtual accounts that the provider has issued. */
const ownerOfItem = (
  item: Item | undefined,
  isFor: (found: Checkout) => boolean = () => true,
): Pick<Located, 'owner' | 'tenant'> => {
  const found = checkout.safeParse(item).data;
  if (found) {
    const owner = { kind: 'checkout', reference: found.reference } as const;
    return isFor(found) ? { owner, tenant: tenant.parse(item) } : NO_OWNER;
  }
  const { status, id } = virtualAccount.safeParse(item).data ?? {};
  const isIssued = id !== undefined && (status === 'active' || status === 'inactive');
  return isIssued ? { owner: { kind: 'virtual_account', id }, tenant: tenant.parse(item) } : NO_OWNER;
};

/**
 * A checkout is known by a reference that it has used, a virtual account by its number or by our reference. A running
 * total that an operator assigned belongs to the checkout that the operator named.
 */
export const ownerOf = async (
  table: Table,
  payee: Payee,
  payeeItem: Item | undefined,
  assignment: Item | undefined,
): Promise<Pick<Located, 'owner' | 'tenant'>> => {
  const to = assigned.safeParse(assignment).data;
  if (to) return ownerOfItem(await getItem(table, checkoutKey(to.checkout)));
  if (payee.by === 'our_reference') return ownerOfItem(payeeItem, (found) => hasUsed(found, payee.reference));
  const receiving = receiver.safeParse(payeeItem).data;
  return receiving ? ownerOfItem(await getItem(table, virtualAccountKey(receiving.virtualAccountId))) : NO_OWNER;
};
