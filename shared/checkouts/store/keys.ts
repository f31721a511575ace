import type { PageUse } from '#shared/checkouts/domain/page-uses.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { inList, type Key, makeKey, sortable } from '#shared/platform/table/keys.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';

export const checkoutKey = (reference: string): Key => makeKey('CHK', reference);
/** Key of a payer's report that the money was sent, at the provider whose account the payer saw. */
export const sentReportKey = (provider: ProviderName, reference: string): Key => makeKey('SENT', provider, reference);
export const merchantReferenceKey = (tenant: Tenant, merchantReference: string): Key =>
  makeKey('MREF', tenant.businessId, tenant.mode, merchantReference);
/** Sort key of the item that makes a merchant reference unique. It sorts after all checkouts that are labelled with the reference. */
export const LABELS_END = 'MREF';
/** Key of the use count of a checkout's payment page. */
export const pageUseKey = (reference: string, use: PageUse): Key => ({
  pk: `USED#page#${reference}`,
  sk: `USED#${use}`,
});
/**
 * Key of a checkout labelled with a merchant reference. A list is read from its last key: first the checkouts made by servers, then those
 * made in browsers, each newest first.
 */
export const labelKey = (
  tenant: Tenant,
  merchantReference: string,
  { isMadeByServer, at, reference }: { isMadeByServer: boolean; at: Millis; reference: string },
): Key => ({
  pk: merchantReferenceKey(tenant, merchantReference).pk,
  sk: `LABEL#${isMadeByServer ? 'SERVER' : 'BROWSER'}#${sortable(at)}#${reference}`,
});
/** Returns the key of the checkout that a label item, or a place in a payer's list, points to. */
export const checkoutOfPointer = ({ sk }: Pick<Key, 'sk'>): Key => checkoutKey(referenceAtEnd(sk));
/** Returns the checkout reference at the end of a sort key or position. */
export const referenceAtEnd = (position: string): string => position.slice(position.lastIndexOf('#') + 1);
export const checkoutPartition = (tenant: Tenant): string => `BIZ#${tenant.businessId}#${tenant.mode}#CHK`;
export const checkoutsOfPayer = (tenant: Tenant, emailHash: string): string =>
  `PAYER#${tenant.businessId}#${tenant.mode}#${emailHash}`;
export const inCheckouts = (tenant: Tenant, at: Millis, reference: string) =>
  inList(checkoutPartition(tenant), at, reference);
/**
 * Puts the item of a checkout's account on the list of the payer's checkouts. The checkout's own item is not on the list, because every
 * landing rewrites it.
 */
export const inCheckoutsOfPayer = (tenant: Tenant, emailHash: string, at: Millis, reference: string) =>
  inList(checkoutsOfPayer(tenant, emailHash), at, reference);
