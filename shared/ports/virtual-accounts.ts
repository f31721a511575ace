import type { Mode } from '#shared/domain/kernel/mode.ts';
import type { Tenant } from '#shared/domain/kernel/tenant.ts';
import type { PaymentOwner } from '#shared/domain/money/payment.ts';
import type { OpeningVirtualAccount, VirtualAccount } from '#shared/domain/virtual-accounts/virtual-account.ts';
import type { IntentStore } from './intents.ts';
import type { Page, PageRequest } from './kernel.ts';
import type { Write } from './requests.ts';

export interface VirtualAccountReader {
  find(tenant: Tenant, id: string): Promise<VirtualAccount | undefined>;
  list(tenant: Tenant, page: PageRequest): Promise<Page<VirtualAccount>>;
  listOfCustomer(tenant: Tenant, email: string, page: PageRequest): Promise<Page<VirtualAccount>>;
  /** Those with an account number: one for each provider at most. */
  withNumber(tenant: Tenant, accountNumber: string): Promise<readonly VirtualAccount[]>;
}

export interface VirtualAccountOpener {
  /** The writes of new accounts. `number_taken`: an account number belongs to someone else. */
  opening(accounts: readonly VirtualAccount[]): readonly Write[];
}

/** Which checkouts and virtual accounts have or had an account number. */
export interface AccountNumbers {
  /** Provider by provider: checkouts, the newest first, then the virtual account with this number. */
  ownersOfNumber(mode: Mode, accountNumber: string): Promise<readonly PaymentOwner[]>;
}

/** Intents of virtual accounts. */
export type VirtualAccountIntents = IntentStore<OpeningVirtualAccount, VirtualAccount>;
