import type { PageUse } from '#shared/checkouts/domain/page-uses.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { type Key, listed, single, sortable } from '#shared/platform/table/keys.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';

export const checkoutKey = (reference: string): Key => single('CHK', reference);
/** The look at a checkout whose payer says that the money was sent, at the provider whose account the payer was shown. */
export const sentReportKey = (provider: ProviderName, reference: string): Key => single('SENT', provider, reference);
export const merchantReferenceKey = (tenant: Tenant, merchantReference: string): Key =>
  single('MREF', tenant.businessId, tenant.mode, merchantReference);
/** Where the bearers of a merchant reference end: its holder sorts behind them. */
export const LABELS_END = 'MREF';
/** How often a checkout's page was used for something. */
export const pageUseKey = (reference: string, use: PageUse): Key => ({
  pk: `USED#page#${reference}`,
  sk: `USED#${use}`,
});
/** A checkout that bears a merchant reference. Newest first, those made by servers come before those of browsers. */
export const labelKey = (
  tenant: Tenant,
  merchantReference: string,
  { isMadeByServer, at, reference }: { isMadeByServer: boolean; at: Millis; reference: string },
): Key => ({
  pk: merchantReferenceKey(tenant, merchantReference).pk,
  sk: `LABEL#${isMadeByServer ? 'SERVER' : 'BROWSER'}#${sortable(at)}#${reference}`,
});
/** The checkout that an item of a bearer, or a place in a payer's list, points to. */
export const checkoutOfPointer = ({ sk }: Pick<Key, 'sk'>): Key => checkoutKey(referenceAtEnd(sk));
/** The reference of a checkout that a sort key or a position ends in. */
export const referenceAtEnd = (position: string): string => position.slice(position.lastIndexOf('#') + 1);
export const checkoutPartition = (tenant: Tenant): string => `BIZ#${tenant.businessId}#${tenant.mode}#CHK`;
/** The list of a payer's checkouts. */
export const checkoutsOfPayer = (tenant: Tenant, emailHash: string): string =>
  `PAYER#${tenant.businessId}#${tenant.mode}#${emailHash}`;
export const inCheckouts = (tenant: Tenant, at: Millis, reference: string) =>
  listed(checkoutPartition(tenant), at, reference);
/** The place of a checkout's account in the list of its payer's checkouts. The checkout itself is written anew by each landing, its account never. */
export const inCheckoutsOfPayer = (tenant: Tenant, emailHash: string, at: Millis, reference: string) =>
  listed(checkoutsOfPayer(tenant, emailHash), at, reference);
