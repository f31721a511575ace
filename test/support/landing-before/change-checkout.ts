import type { Business } from '#shared/businesses/domain/business.ts';
import { checkoutView } from '#shared/checkouts/contract/checkout-view.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import type { Decision } from '#shared/platform/commit.ts';
import { notFound } from '#shared/platform/kernel/not-found.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import type { Log } from '#shared/platform/observability/log.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { untilCommitted } from '#shared/platform/until-committed.ts';
import type { DeliveryQueue } from '#shared/webhooks/ports.ts';
import { announcement, sendNow } from '#shared/webhooks/use-cases/announce.ts';
import type { LandingStep } from './landing-step.ts';
import type { Ledger, LedgerEntry } from './ports-before.ts';

export interface ChangeDeps extends Pick<Runtime, 'now' | 'newId' | 'pause'> {
  readonly ledger: Ledger;
  readonly queue: DeliveryQueue<'first'>;
  readonly log: Log;
}

/** Decides about a checkout as it was read: a step, with the payments that cause it; undefined when nothing changes. */
export type Decide = (checkout: Checkout) => LandingStep | undefined | Promise<LandingStep | undefined>;

interface Found {
  readonly business: Business;
  readonly checkout: Checkout;
}

/** A step of a checkout with its payments, its event and its deliveries, for one transaction. */
const entryOf = (
  deps: ChangeDeps,
  { business, checkout: before }: Found,
  { checkout, announce, payment, reversed, noted }: LandingStep,
) => {
  const after = { ...checkout, revision: before.revision + 1 };
  const announced = announce && announcement(deps, business, after.mode, announce, checkoutView(after));
  const entry: LedgerEntry = {
    ...(payment && { payment }),
    ...(reversed && { reversed }),
    noted,
    checkout: { before, after },
    ...announced,
  };
  return { after, entry, deliveries: announced?.deliveries ?? [] };
};

/**
 * Records a step of a checkout in one transaction, then queues the deliveries. `conflict`: nothing was written, as the checkout or a
 * payment has changed since it was read.
 */
export const commitStep = async (deps: ChangeDeps, found: Found, step: LandingStep): Promise<Checkout | 'conflict'> => {
  const { after, entry, deliveries } = entryOf(deps, found, step);
  if ((await deps.ledger.record(entry)) !== 'recorded') return 'conflict';
  await sendNow(deps, deliveries);
  return after;
};

/**
 * Changes a checkout: reads it with its business, decides, records the change and what follows from it.
 * @returns the checkout after the change; undefined when there is no such checkout.
 * @throws what `decide` and untilCommitted throw.
 */
export const changeCheckout = async (
  deps: ChangeDeps,
  tenant: Tenant,
  reference: string,
  decide: Decide,
): Promise<Checkout | undefined> =>
  untilCommitted(deps, async () => {
    const found = await deps.ledger.readCheckout(tenant, reference);
    const step = found && (await decide(found.checkout));
    if (!step) return { done: found?.checkout };
    const committed = await commitStep(deps, found, step);
    return committed === 'conflict' ? committed : { done: committed };
  });

/** Decides about a checkout that a request names. @throws checkout_not_found; what `decide` throws. */
export const decideCheckout = async (
  deps: ChangeDeps,
  tenant: Tenant,
  reference: string,
  decide: Decide,
): Promise<Decision<Checkout>> => {
  const found = await deps.ledger.readCheckout(tenant, reference);
  if (!found) throw notFound('checkout_not_found', reference);
  const step = await decide(found.checkout);
  if (!step) return { result: found.checkout, writes: [] };
  const { after, entry, deliveries } = entryOf(deps, found, step);
  return { result: after, writes: deps.ledger.writes(entry), afterwards: () => sendNow(deps, deliveries) };
};
