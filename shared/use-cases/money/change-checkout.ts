import { checkoutView } from '#shared/contract/checkouts/checkout-view.ts';
import type { Business } from '#shared/domain/businesses/business.ts';
import type { Checkout } from '#shared/domain/checkouts/checkout.ts';
import type { LandingStep } from '#shared/domain/checkouts/landing-step.ts';
import { notFound } from '#shared/domain/kernel/not-found.ts';
import type { Tenant } from '#shared/domain/kernel/tenant.ts';
import type { SealedAnswer } from '#shared/domain/requests/idempotency.ts';
import type { Log } from '#shared/observability/log.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { Ledger } from '#shared/ports/money.ts';
import type { DeliveryQueue } from '#shared/ports/webhooks.ts';
import { type GiveUp, untilCommitted } from '#shared/use-cases/kernel/until-committed.ts';
import { announcement, sendNow } from '#shared/use-cases/webhooks/announce.ts';

export interface ChangeDeps extends Pick<Runtime, 'now' | 'newId' | 'pause'> {
  readonly ledger: Ledger;
  readonly queue: DeliveryQueue<'first'>;
  readonly log: Log;
}

/** Decides about a checkout as it was read: a step, with the payments that cause it; undefined when nothing changes. */
export type Decide = (checkout: Checkout) => LandingStep | undefined | Promise<LandingStep | undefined>;

/**
 * Records a step of a checkout with its payments, its event, its deliveries and a request's answer in one transaction, then queues
 * the deliveries. `conflict`: nothing was written, as the checkout or a payment has changed since it was read.
 */
export const commitStep = async (
  deps: ChangeDeps,
  { business, checkout: before }: { readonly business: Business; readonly checkout: Checkout },
  { checkout, announce, payment, reversed, noted }: LandingStep,
  answer: (checkout: Checkout) => SealedAnswer | undefined = () => undefined,
): Promise<Checkout | 'conflict'> => {
  const after = { ...checkout, revision: before.revision + 1 };
  const announced = announce && announcement(deps, business, after.mode, announce, checkoutView(after));
  const recorded = await deps.ledger.record({
    ...(payment && { payment }),
    ...(reversed && { reversed }),
    noted,
    checkout: { before, after },
    ...announced,
    answer: answer(after),
  });
  if (recorded !== 'recorded') return 'conflict';
  if (announced) await sendNow(deps, announced.deliveries);
  return after;
};

/**
 * Changes a checkout: reads it with its business, decides, records the change and what follows from it.
 * @returns the checkout after the change; undefined when there is no such checkout.
 * @throws what `decide` and untilCommitted throw; AnsweredBefore when the answer's Idempotency-Key was used.
 */
export const changeCheckout = async (
  deps: ChangeDeps,
  tenant: Tenant,
  reference: string,
  decide: Decide,
  answer?: (checkout: Checkout) => SealedAnswer | undefined,
  giveUp?: GiveUp,
): Promise<Checkout | undefined> =>
  untilCommitted(
    deps,
    async () => {
      const found = await deps.ledger.readCheckout(tenant, reference);
      const step = found && (await decide(found.checkout));
      if (!step) return { done: found?.checkout };
      const committed = await commitStep(deps, found, step, answer);
      return committed === 'conflict' ? committed : { done: committed };
    },
    giveUp,
  );

/** The same for a checkout that a request names: `checkout_not_found` when there is none. */
export const changeNamedCheckout = async (...args: Parameters<typeof changeCheckout>): Promise<Checkout> => {
  const [, , reference] = args;
  const changed = await changeCheckout(...args);
  if (!changed) throw notFound('checkout_not_found', reference);
  return changed;
};
