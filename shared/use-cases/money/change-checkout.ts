import { checkoutView } from '#shared/contract/checkouts/checkout-view.ts';
import type { Checkout } from '#shared/domain/checkouts/checkout.ts';
import type { LandingStep } from '#shared/domain/checkouts/landing.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import type { Tenant } from '#shared/domain/kernel/tenant.ts';
import type { SealedAnswer } from '#shared/domain/requests/idempotency.ts';
import type { Log } from '#shared/observability/log.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { Ledger } from '#shared/ports/money.ts';
import type { DeliveryQueue } from '#shared/ports/webhooks.ts';
import { announcement, sendNow } from '#shared/use-cases/webhooks/announce.ts';

export interface ChangeDeps extends Pick<Runtime, 'now' | 'newId' | 'pause'> {
  readonly ledger: Ledger;
  readonly queue: DeliveryQueue<'first'>;
  readonly log: Log;
}

/** What becomes of a checkout as it stands now: a step, with the payments that cause it, or nothing at all. */
export type Decide = (checkout: Checkout) => LandingStep | undefined;

/** A payment was recorded, or went back, between a report's decision and its write: it is read and decided upon again. */
export class RecordedBefore extends Error {}

/** Every rival that wins a race makes one of these tries stale; each is a fresh read. Some seconds, with the pauses. */
const TRIES = 30;

/**
 * The one way in which a checkout changes (architecture.md section 4): read it with its business, decide, record the
 * change, its payment, its event and its deliveries in one transaction, then send. Decides again when it changed meanwhile.
 * @returns the checkout after the change; undefined when there is no such checkout.
 * @throws service_unavailable when rivals were faster every time; whatever `decide` refuses with; AnsweredBefore when the answer's Idempotency-Key was used;
 * RecordedBefore when its payments are not as they were decided upon.
 */
export const changeCheckout = async (
  deps: ChangeDeps,
  tenant: Tenant,
  reference: string,
  decide: Decide,
  answer: (checkout: Checkout) => SealedAnswer | undefined = () => undefined,
): Promise<Checkout | undefined> => {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const found = await deps.ledger.readCheckout(tenant, reference);
    if (!found) return undefined;
    const { business, checkout: before } = found;
    const step = decide(before);
    if (!step) return before;
    const { checkout: after, announce, payment, reversed } = step;
    const announced = announce && announcement(deps, business, after.mode, announce, checkoutView(after));
    const recorded = await deps.ledger.record({
      ...(payment && { payment }),
      ...(reversed && { reversed }),
      checkout: { before, after },
      ...announced,
      answer: answer(after),
    });
    if (recorded === 'recorded') {
      if (announced) await sendNow(deps, announced.deliveries);
      return after;
    }
    if (recorded === 'stale') await deps.pause(attempt);
    if (recorded === 'recorded_before') throw new RecordedBefore();
  }
  throw new Refusal('service_unavailable', { retryAfterSeconds: 1 });
};

/** The same for a checkout that a request names: `checkout_not_found` when there is none. */
export const changeNamedCheckout = async (...args: Parameters<typeof changeCheckout>): Promise<Checkout> => {
  const changed = await changeCheckout(...args);
  if (!changed) throw new Refusal('checkout_not_found');
  return changed;
};
