import type { Business } from '#shared/businesses/domain/business.ts';
import type { BusinessStore } from '#shared/businesses/ports.ts';
import { findBusiness } from '#shared/businesses/use-cases/find-business.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import { normalizeReference } from '#shared/checkouts/domain/merchant-reference.ts';
import type { CheckoutReader } from '#shared/checkouts/ports.ts';
import type { PaymentOwner } from '#shared/payments/domain/payment.ts';
import type { Ledger } from '#shared/payments/ports.ts';
import { checkoutReference } from '#shared/platform/kernel/ids.ts';
import { mode as modes } from '#shared/platform/kernel/mode.ts';
import { NotPossible } from '#shared/platform/kernel/not-possible.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import { toCheckoutReference } from '#shared/providers/domain/attempt-reference.ts';
import type { VirtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';
import type { AccountNumbers } from '#shared/virtual-accounts/ports.ts';

export interface FindPaymentTargetDeps {
  readonly businesses: BusinessStore;
  readonly ledger: Pick<Ledger, 'readCheckout' | 'readVirtualAccount' | 'findTenant'>;
  readonly checkouts: Pick<CheckoutReader, 'listByMerchantReference'>;
  readonly accountNumbers: AccountNumbers;
}

/** A checkout or virtual account with its business. `by`: the kind of text that found it. */
export type PaymentTarget = {
  readonly by: 'reference' | 'merchant_reference' | 'account_number';
  readonly business: Business;
} & (
  | { readonly kind: 'checkout'; readonly checkout: Checkout }
  | { readonly kind: 'virtual_account'; readonly virtualAccount: VirtualAccount }
);

/** Nigerian account numbers have ten digits. */
const ACCOUNT_NUMBER = /^\d{10}$/;

/** Maximum number of checkouts that are returned for a merchant reference. Anybody with a public key can label any number of checkouts with it. */
const MAX_CHECKOUTS_PER_REFERENCE = 50;

/** Reads the checkout or virtual account that `owner` names; returns `opening` while its account is still being opened. */
const readOwner = async (
  { ledger }: FindPaymentTargetDeps,
  by: PaymentTarget['by'],
  owner: PaymentOwner,
): Promise<PaymentTarget | 'opening' | undefined> => {
  const tenant = await ledger.findTenant(owner);
  if (!tenant) return undefined;
  if (owner.kind === 'checkout') {
    const match = await ledger.readCheckout(tenant, owner.reference);
    return match ? { by, kind: owner.kind, ...match } : 'opening';
  }
  const match = await ledger.readVirtualAccount(tenant, owner.id);
  return match ? { by, kind: owner.kind, ...match } : 'opening';
};

const findByReference = async (deps: FindPaymentTargetDeps, reference: string): Promise<PaymentTarget[]> => {
  const target = await readOwner(deps, 'reference', { kind: 'checkout', reference });
  if (target !== 'opening') return target ? [target] : [];
  throw new NotPossible(`The account of ${reference} is still being opened at its provider. Try again in a minute.`);
};

const readCreatedAt = (target: PaymentTarget): number =>
  target.kind === 'checkout' ? target.checkout.createdAt : target.virtualAccount.createdAt;

const findByAccountNumber = async (deps: FindPaymentTargetDeps, accountNumber: string): Promise<PaymentTarget[]> => {
  const owners = await Promise.all(modes.options.map((mode) => deps.accountNumbers.findOwners(mode, accountNumber)));
  const targets = await Promise.all(owners.flat().map((owner) => readOwner(deps, 'account_number', owner)));
  return targets
    .filter((target) => target !== undefined && target !== 'opening')
    .sort((a, b) => readCreatedAt(b) - readCreatedAt(a));
};

const findByMerchantReference = async (
  deps: FindPaymentTargetDeps,
  tenant: Tenant,
  text: string,
): Promise<PaymentTarget[]> => {
  const { items } = await deps.checkouts.listByMerchantReference(tenant, normalizeReference(text), {
    limit: MAX_CHECKOUTS_PER_REFERENCE,
    after: null,
  });
  if (items.length === 0) return [];
  const business = await findBusiness(deps, tenant.businessId);
  return items.map((checkout) => ({ by: 'merchant_reference', kind: 'checkout', business, checkout }));
};

const toTenant = (target: PaymentTarget): Tenant =>
  target.kind === 'checkout' ? target.checkout : target.virtualAccount;

/**
 * Finds a checkout by its reference or an attempt's reference, or all checkouts and virtual accounts that have or had an account number,
 * newest first. With `within` (a business and a mode) it finds only checkouts and virtual accounts of this business in this mode. It then
 * also finds checkouts by merchant reference, the ones made by servers first.
 * @throws NotPossible if nothing is found, if the checkout is still being opened, or if the text can only be a merchant reference and
 * `within` is missing.
 */
export const findPaymentTarget = async (
  deps: FindPaymentTargetDeps,
  { text, within }: { readonly text: string; readonly within: Tenant | undefined },
): Promise<readonly PaymentTarget[]> => {
  const query = text.trim();
  const reference = toCheckoutReference(query.toUpperCase());
  const isReference = checkoutReference.safeParse(reference).success;
  const isNumber = ACCOUNT_NUMBER.test(query);
  if (!isReference && !isNumber && !within) {
    throw new NotPossible(
      'The text is neither a checkout reference (PAY-…) nor an account number (ten digits).',
      'merchant_reference',
    );
  }
  if (within) await findBusiness(deps, within.businessId);
  const targets = [
    ...(isReference ? await findByReference(deps, reference) : []),
    ...(isNumber ? await findByAccountNumber(deps, query) : []),
    ...(within ? await findByMerchantReference(deps, within, query) : []),
  ].filter((target) => {
    const { businessId, mode } = toTenant(target);
    return !within || (businessId === within.businessId && mode === within.mode);
  });
  if (targets.length > 0) return targets;
  if (!within) throw new NotPossible('There is no such checkout or account.', 'merchant_reference');
  throw new NotPossible(`Business ${within.businessId} has no such checkout or account in ${within.mode} mode.`);
};
