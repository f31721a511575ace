import * as z from 'zod/mini';
import { findReportedAttempt, hasLiveAttemptAt, isForeignReference } from '#shared/checkouts/domain/attempt.ts';
import { type Checkout, checkout } from '#shared/checkouts/domain/checkout.ts';
import { checkoutKey } from '#shared/checkouts/store/keys.ts';
import type { LocatedMoney } from '#shared/payments/ports.ts';
import { checkoutReference, idSchema } from '#shared/platform/kernel/ids.ts';
import { mode } from '#shared/platform/kernel/mode.ts';
import { text } from '#shared/platform/kernel/schemas.ts';
import type { Key } from '#shared/platform/table/keys.ts';
import { readItem } from '#shared/platform/table/readable.ts';
import { getItem, type Item, type Table } from '#shared/platform/table/table.ts';
import { isLiveAt, type ProviderName } from '#shared/providers/domain/provider.ts';
import type { Payee } from '#shared/providers/domain/report.ts';
import { virtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';
import { virtualAccountKey } from '#shared/virtual-accounts/store/keys.ts';

/* Finds the owner of reported money: a checkout or a virtual account. */

/** The business and mode of an item. */
export const tenantFields = z.object({ businessId: text, mode });
/** The item that reserves the number of a virtual account. The item of a test checkout's number has no `virtualAccountId`. */
const accountNumberItem = z.object({ virtualAccountId: text });
/** The item of a reference whose cumulative report an operator assigned to a checkout. */
export const referenceAssignment = z.object({ checkout: checkoutReference });

type FoundOwner = Pick<LocatedMoney, 'owner' | 'tenant' | 'isForeign'>;

const NO_OWNER: FoundOwner = { owner: undefined, tenant: undefined, isForeign: false };
/** The owner belongs to another provider or to test mode. */
const FOREIGN: FoundOwner = { ...NO_OWNER, isForeign: true };

/** Builds the key of the checkout or virtual account of our reference; undefined for any other reference. */
export const keyOfReference = (reference: string): Key | undefined => {
  if (checkoutReference.safeParse(reference).success) return checkoutKey(reference);
  return idSchema('va').safeParse(reference).success ? virtualAccountKey(reference) : undefined;
};

/**
 * Checks whether a checkout owns a provider's money. `reference`: the reference that the money was paid under; undefined if an operator assigned
 * the money to the checkout.
 */
const checkCheckout = (provider: ProviderName, candidate: Checkout, reference: string | undefined): FoundOwner => {
  const isForeign =
    reference === undefined
      ? !hasLiveAttemptAt(provider, candidate)
      : isForeignReference(provider, candidate, reference);
  if (isForeign) return FOREIGN;
  const isOwn = reference === undefined || findReportedAttempt(candidate, provider, reference) !== undefined;
  if (!isOwn) return NO_OWNER;
  const { businessId, mode: m } = candidate;
  return { ...NO_OWNER, owner: { kind: 'checkout', reference: candidate.reference }, tenant: { businessId, mode: m } };
};

/**
 * Checks whether an item owns a provider's money: a live, visible checkout that asked the provider under this reference, or a live virtual account that
 * the provider issued.
 */
const checkItem = (table: Table, provider: ProviderName, item: Item | undefined, reference?: string): FoundOwner => {
  // An object that is opening is not visible yet.
  if (item === undefined || item.status === 'opening') return NO_OWNER;
  const candidate = item.sk === 'CHK' ? readItem(table, checkout, item) : undefined;
  if (candidate) return checkCheckout(provider, candidate, reference);
  const account = readItem(table, virtualAccount, item);
  if (!account) return NO_OWNER;
  if (!isLiveAt(provider, account)) return FOREIGN;
  const isIssued = account.status === 'active' || account.status === 'inactive';
  if (!isIssued) return NO_OWNER;
  return {
    ...NO_OWNER,
    owner: { kind: 'virtual_account', id: account.id },
    tenant: readItem(table, tenantFields, item),
  };
};

/**
 * Finds the owner of money by its payee: a checkout by a reference that it used, a virtual account by its number or by our reference. A cumulative
 * report that an operator assigned belongs to the checkout that the operator named.
 */
export const locateOwner = async (
  table: Table,
  provider: ProviderName,
  payee: Payee,
  { payeeItem, assignment }: { readonly payeeItem: Item | undefined; readonly assignment: Item | undefined },
): Promise<FoundOwner> => {
  const assigned = readItem(table, referenceAssignment, assignment);
  if (assigned) return checkItem(table, provider, await getItem(table, checkoutKey(assigned.checkout)));
  if (payee.by === 'our_reference') {
    return checkItem(table, provider, payeeItem, payee.reference);
  }
  if (payeeItem?.reference !== undefined) return NO_OWNER;
  const receiving = readItem(table, accountNumberItem, payeeItem);
  if (!receiving) return NO_OWNER;
  return checkItem(table, provider, await getItem(table, virtualAccountKey(receiving.virtualAccountId)));
};
