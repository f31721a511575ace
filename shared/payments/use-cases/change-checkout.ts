import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import { type CheckoutChange, checkoutEntries } from '#shared/checkouts/domain/checkout-change.ts';
import type { Ledger } from '#shared/payments/ports.ts';
import type { Decision } from '#shared/platform/commit.ts';
import { notFound } from '#shared/platform/kernel/not-found.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { untilCommitted } from '#shared/platform/until-committed.ts';
import { decidePosting, type PostDeps, post } from './post.ts';
import { postingOn } from './posting.ts';

export interface ChangeDeps extends PostDeps, Pick<Runtime, 'pause'> {}

/** Decides the change of a checkout, with the payments that cause it; undefined if nothing changes. */
export type Decide = (checkout: Checkout) => CheckoutChange | undefined | Promise<CheckoutChange | undefined>;

type CheckoutWithBusiness = NonNullable<Awaited<ReturnType<Ledger['readCheckout']>>>;

/** Builds the changed checkout, and the writes and events of the change. */
const prepare = (current: CheckoutWithBusiness, change: CheckoutChange) => {
  const changed = checkoutEntries(current.checkout, change);
  return { after: changed.entries.checkout.after, posting: postingOn({ kind: 'checkout', ...current }, changed) };
};

/**
 * Changes a checkout: reads it with its business, decides, and records the change with its payments and events.
 * @returns the checkout after the change; undefined if there is no such checkout.
 * @throws the errors of `decide` and untilCommitted.
 */
export const changeCheckout = async (
  deps: ChangeDeps,
  tenant: Tenant,
  reference: string,
  decide: Decide,
): Promise<Checkout | undefined> =>
  untilCommitted(deps, async () => {
    const current = await deps.ledger.readCheckout(tenant, reference);
    const change = current && (await decide(current.checkout));
    if (!change) return { done: current?.checkout };
    const { after, posting } = prepare(current, change);
    return (await post(deps, posting)) === 'recorded' ? { done: after } : 'conflict';
  });

/** Decides the change of a checkout for a request, without writing it. @throws checkout_not_found, and the errors of `decide`. */
export const decideCheckout = async (
  deps: ChangeDeps,
  tenant: Tenant,
  reference: string,
  decide: Decide,
): Promise<Decision<Checkout>> => {
  const current = await deps.ledger.readCheckout(tenant, reference);
  if (!current) throw notFound('checkout_not_found', reference);
  const change = await decide(current.checkout);
  if (!change) return { result: current.checkout, writes: [] };
  const { after, posting } = prepare(current, change);
  return decidePosting(deps, posting, after);
};
