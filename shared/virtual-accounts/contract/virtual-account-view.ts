import { metadataView } from '#shared/platform/contract/metadata-view.ts';
import { isoMicros } from '#shared/platform/kernel/time.ts';
import type { VirtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';

/** Shows a virtual account in API answers and webhook bodies. A pending or failed one has no account number. */
export const virtualAccountView = (va: VirtualAccount) => {
  const account = va.status === 'active' || va.status === 'inactive' ? va.account : null;
  return {
    id: va.id,
    provider: va.provider,
    account_number: account?.accountNumber ?? null,
    account_name: account?.accountName ?? null,
    bank_name: account?.bankName ?? null,
    bank_code: account?.bankCode ?? null,
    customer_name: va.customerName,
    customer_phone: va.customerPhone,
    customer_email: va.customerEmail,
    metadata: metadataView(va.metadata),
    mode: va.mode,
    status: va.status,
    created_at: isoMicros(va.createdAt),
    deactivated_at: va.status === 'inactive' ? isoMicros(va.deactivatedAt) : null,
  };
};
