import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import { notFound } from '#shared/platform/kernel/not-found.ts';
import type { Asker, Caller, Tenant } from '#shared/platform/kernel/tenant.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';
import type { Leases } from '#shared/platform/ports.ts';
import type { QuotaWork } from '#shared/providers/domain/quota.ts';
import { type RequeryDeps, requery } from './requery.ts';

export interface RequeryCheckoutDeps extends RequeryDeps {
  readonly requeryLeases: Leases;
}

/** Milliseconds in which a checkout's provider is asked once. Longer than a requery takes, so that no two of a checkout overlap. */
const TURN = 10 * SECOND;

const readNamed = async ({ ledger }: RequeryCheckoutDeps, tenant: Tenant, reference: string): Promise<Checkout> => {
  const stored = await ledger.readCheckout(tenant, reference);
  if (!stored) throw notFound('checkout_not_found', reference);
  return stored.checkout;
};

/**
 * Asks the provider of a live checkout, once in ten seconds whoever wants it; money that it knows of lands as always. Where the provider
 * gave no answer the next one may ask at once. `admit` may still refuse whoever has the turn.
 * @throws the refusals provider_error and provider_busy (nothing changed).
 */
export const requeryInTurn = async (
  deps: RequeryCheckoutDeps,
  asker: Asker,
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
      // A stale answer is one: the provider was asked, and the checkout stays as it is.
      await requery(deps, asker, checkout, work);
      return;
    }
  } catch (error) {
    await deps.requeryLeases.end(reference, until);
    throw error;
  }
  // Who is not admitted must not keep others from asking.
  await deps.requeryLeases.end(reference, until);
};

/**
 * Asks the providers of a live checkout now (api-decisions.md section 4). Within ten seconds of the last time, and in test mode, where nobody
 * can be asked, the checkout is returned as it is. Where one of them does not answer and another knew of money, it is returned with that.
 * @throws the refusals checkout_not_found; provider_error and provider_busy (nothing changed).
 */
export const requeryCheckout = async (
  deps: RequeryCheckoutDeps,
  caller: Caller,
  reference: string,
): Promise<Checkout> => {
  const stored = await readNamed(deps, caller, reference);
  if (caller.mode === 'test') return stored;
  try {
    await requeryInTurn(deps, caller, stored, 'requeries');
  } catch (error) {
    const after = await readNamed(deps, caller, reference);
    if (error instanceof ApiError && after.version > stored.version) return after;
    throw error;
  }
  return readNamed(deps, caller, reference);
};
