import type { BusinessReader } from '#shared/businesses/ports.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import { type CommitDeps, commit, type Decision } from '#shared/platform/commit.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import { notFound } from '#shared/platform/kernel/not-found.ts';
import type { Caller } from '#shared/platform/kernel/tenant.ts';
import { type OpenAnotherDeps, openAnotherAccount } from './open-another-account.ts';
import { type FindLinkedDeps, findLinked } from './show-to-payer.ts';

/* The business's server or the payer can ask for another account of a checkout. */

/**
 * Opens another account for a business's server.
 * @throws ApiError checkout_not_found; the errors of openAnotherAccount.
 */
export const openAnotherAccountForServer = async (
  deps: OpenAnotherDeps,
  caller: Caller,
  reference: string,
): Promise<Decision<Checkout>> => {
  const stored = await deps.ledger.readCheckout(caller, reference);
  if (!stored) throw notFound('checkout_not_found', reference);
  return openAnotherAccount(deps, caller, stored.checkout);
};

export interface PayersAnotherAccountDeps extends FindLinkedDeps, OpenAnotherDeps, CommitDeps {
  readonly businesses: BusinessReader;
}

/**
 * Opens another account for the payer on the payment page, if the merchant's request named no provider, and the business uses routing and
 * is not suspended. A checkout has at most three attempts, and the business has a quota at each provider. If no account opens, the page
 * shows the checkout with the accounts that it has.
 * @throws ApiError not_found.
 */
export const openAnotherAccountForPayer = async (
  deps: PayersAnotherAccountDeps,
  link: string,
  addressBlock: string,
): Promise<Checkout> => {
  const stored = await findLinked(deps, link);
  const business = await deps.businesses.find(stored.businessId);
  if (!stored.isRouted || !business?.profile.isRouted || business.suspended) return stored;
  const { businessId, mode } = stored;
  const { displayName } = business.profile;
  const payer = { businessId, mode, kind: 'public', addressBlock, displayName, isRouted: true } as const;
  try {
    return await commit(deps, () => openAnotherAccount(deps, payer, stored));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return findLinked(deps, link);
  }
};
