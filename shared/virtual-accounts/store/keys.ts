import type { Mode } from '#shared/platform/kernel/mode.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { inList, type Key, makeKey, sortable } from '#shared/platform/table/keys.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';

export const virtualAccountKey = (id: string): Key => makeKey('VA', id);
export const customerPartition = (tenant: Tenant, emailHash: string): string =>
  `CUST#${tenant.businessId}#${tenant.mode}#${emailHash}`;
export const customerAccountKey = (tenant: Tenant, emailHash: string, id: string): Key => ({
  pk: customerPartition(tenant, emailHash),
  sk: `VA#${id}`,
});
/** The sort key of the item that reserves an account number. */
export const RESERVED = 'ACCT';
/** Prefix of the sort keys of checkouts that an account number was opened for. */
export const OPENED = 'OPENED#';
/**
 * Key that reserves an account number. One sandbox bank issues all test numbers, so they are unique across providers. Exception: a test
 * checkout that opens slowly reserves no number.
 */
export const receivingAccountKey = (mode: Mode, provider: ProviderName, accountNumber: string): Key => ({
  ...makeKey('ACCT', mode, mode === 'test' ? 'sandbox' : provider, accountNumber),
  sk: RESERVED,
});
/**
 * Key that finds the checkout of a payment account by its number. Providers reuse these numbers, so a number can have many items, the
 * newest last. The prefix sorts after `ACCT`, and differs from `CHK` because the item is no checkout.
 */
export const paymentAccountKey = (
  mode: Mode,
  provider: ProviderName,
  accountNumber: string,
  at: Millis,
  reference: string,
): Key => ({
  pk: receivingAccountKey(mode, provider, accountNumber).pk,
  sk: `${OPENED}${sortable(at)}#${reference}`,
});
/** Returns the id of the account that a pointer names. */
export const accountOfPointer = ({ sk }: Pick<Key, 'sk'>): string => sk.slice('VA#'.length);
/** Whether an item only points to a customer's account. */
export const isCustomerPointer = ({ pk }: Pick<Key, 'pk'>): boolean => pk.startsWith('CUST#');
export const virtualAccountPartition = (tenant: Tenant): string => `BIZ#${tenant.businessId}#${tenant.mode}#VA`;
export const inVirtualAccounts = (tenant: Tenant, at: Millis, id: string) =>
  inList(virtualAccountPartition(tenant), at, id);
