import type { Checkout } from '#shared/domain/checkouts/checkout.ts';
import type { Tenant } from '#shared/domain/kernel/tenant.ts';
import type { SealedAnswer } from '#shared/domain/requests/idempotency.ts';
import type { Page, PageRequest } from './kernel.ts';

export interface CheckoutReader {
  find(tenant: Tenant, reference: string): Promise<Checkout | undefined>;
  findByMerchantReference(tenant: Tenant, merchantReference: string): Promise<Checkout | undefined>;
  list(tenant: Tenant, page: PageRequest): Promise<Page<Checkout>>;
}

/** Each method writes one transaction; throws AnsweredBefore when the answer's key was used before. */
export interface CheckoutOpener {
  /** Throws the refusal `duplicate_merchant_reference`. `number_taken`: the account number belongs to someone else. */
  open(checkout: Checkout, answer?: SealedAnswer): Promise<'opened' | 'number_taken'>;
}
