import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import { notFound } from '#shared/platform/kernel/not-found.ts';
import type { Caller, Requester, Tenant } from '#shared/platform/kernel/tenant.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';
import type { Leases } from '#shared/platform/ports.ts';
import type { QuotaWork } from '#shared/providers/domain/quota.ts';
import { type RequeryDeps, requery } from './requery.ts';

export interface RequeryCheckoutDeps extends RequeryDeps {
  readonly requeryLeases: Leases;
}

/**
 * Milliseconds within which the providers of a checkout are asked only once. It equals the longest time that a requery waits for them
 * (ASK_TIMEOUT), so that two requeries of a checkout hardly overlap.
 */
const TURN = 10 * SECOND;

const readCheckout = async ({ ledger }: RequeryCheckoutDeps, tenant: Tenant, reference: string): Promise<Checkout> => {
  const stored = await ledger.readCheckout(tenant, reference);
  if (!stored) throw notFound('checkout_not_found', reference);
  return stored.checkout;
};

/**
 * Asks the providers of a live checkout's accounts, at most once in ten seconds for all callers together, and lands the money that they
 * report. If a provider gave no answer, the next caller may ask at once. `admit`: a last check of the caller, such as a use limit. If it
 * returns false, no provider is asked.
 * @throws ApiError provider_error and provider_busy; nothing of the provider that failed was recorded.
 */
export const requeryInTurn = async (
  deps: RequeryCheckoutDeps,
  asker: Requester,
  checkout: Checkout,
  work: QuotaWork,
  admit: () => Promise<boolean> = async () => true,
): Promise<void> => {
  const { reference } = checkout;
  const now = deps.now();
  const until = now + TURN;
  if (!(await deps.requeryLeases.begin(reference, until, now))) return;
  try {
    if (await admit()) {
      // A stale answer counts as an answer; the checkout stays unchanged.
      await requery(deps, asker, checkout, work);
      return;
    }
  } catch (error) {
    await deps.requeryLeases.end(reference, until);
    throw error;
  }
  // A caller who is not admitted must not block others.
  await deps.requeryLeases.end(reference, until);
};

/**
 * Asks the providers of a live checkout now. In test mode, and within ten seconds of the last requery, no provider is asked. If one
 * provider does not answer but another reported money, the checkout is returned with that money.
 * @throws ApiError checkout_not_found; provider_error and provider_busy (the checkout that the merchant sees has not changed).
 */
export const requeryCheckout = async (
  deps: RequeryCheckoutDeps,
  caller: Caller,
  reference: string,
): Promise<Checkout> => {
  const stored = await readCheckout(deps, caller, reference);
  if (caller.mode === 'test') return stored;
  try {
    await requeryInTurn(deps, caller, stored, 'requeries');
  } catch (error) {
    const after = await readCheckout(deps, caller, reference);
    if (error instanceof ApiError && after.version > stored.version) return after;
    throw error;
  }
  return readCheckout(deps, caller, reference);
};
