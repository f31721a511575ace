import type { PaymentOwner } from '#shared/payments/domain/payment.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import type { Page, PageRequest } from '#shared/platform/ports.ts';
import type { Write } from '#shared/platform/requests/ports.ts';
import type { IntentStore } from '#shared/providers/intent-ports.ts';
import type { OpeningVirtualAccount, VirtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';

export interface VirtualAccountReader {
  find(tenant: Tenant, id: string): Promise<VirtualAccount | undefined>;
  list(tenant: Tenant, page: PageRequest): Promise<Page<VirtualAccount>>;
  listOfCustomer(tenant: Tenant, email: string, page: PageRequest): Promise<Page<VirtualAccount>>;
  /** Returns the virtual accounts with an account number, at most one per provider. */
  listByNumber(tenant: Tenant, accountNumber: string): Promise<readonly VirtualAccount[]>;
}

export interface VirtualAccountOpener {
  /** Builds the writes of new accounts. They fail with `number_taken` if another owner has one of the account numbers. */
  buildOpening(accounts: readonly VirtualAccount[]): readonly Write[];
}

/** Finds the checkouts and virtual accounts that have or had an account number. */
export interface AccountNumbers {
  /** Returns, for each provider, first its checkouts, the newest first, then the virtual account with this number. */
  findOwners(mode: Mode, accountNumber: string): Promise<readonly PaymentOwner[]>;
}

/** Intents of virtual accounts. */
export type VirtualAccountIntents = IntentStore<OpeningVirtualAccount, VirtualAccount>;
