import type { Tenant } from '#shared/domain/kernel/tenant.ts';
import type { SealedAnswer } from '#shared/domain/requests/idempotency.ts';
import type { VirtualAccount } from '#shared/domain/virtual-accounts/virtual-account.ts';
import type { Page, PageRequest } from './kernel.ts';

export interface VirtualAccountReader {
  find(tenant: Tenant, id: string): Promise<VirtualAccount | undefined>;
  list(tenant: Tenant, page: PageRequest): Promise<Page<VirtualAccount>>;
  listOfCustomer(tenant: Tenant, email: string, page: PageRequest): Promise<Page<VirtualAccount>>;
}

export interface VirtualAccountOpener {
  open(accounts: readonly VirtualAccount[], answer?: SealedAnswer): Promise<'opened' | 'number_taken'>;
}
