import { type FormerOwner, takeOverFrom, usedByOpeningCheckout } from '#shared/checkouts/domain/merchant-reference.ts';
import type { CheckoutIntents } from '#shared/checkouts/ports.ts';
import { type Decided, isAnswered } from '#shared/platform/commit.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import type { NotCommitted } from '#shared/platform/requests/ports.ts';
import type { ReferenceHeld } from '#shared/platform/requests/reference-held.ts';

/**
 * Maximum number of tries. From the second on, a try fails only if, meanwhile, another request took the reference or changed the checkout
 * that has it.
 */
const MAX_TRIES = 10;

interface Deps extends Pick<Runtime, 'pause'> {
  readonly checkoutIntents: Pick<CheckoutIntents, 'find'>;
}

/** Returns the checkout that has the merchant reference, if a new one may take it over; null if the reference became free meanwhile. */
const readFormer = async ({ checkoutIntents }: Deps, reference: string): Promise<FormerOwner | null> => {
  const existing = await checkoutIntents.find(reference);
  if (existing?.kind === 'opening') throw usedByOpeningCheckout(reference);
  return existing ? takeOverFrom(existing.object) : null;
};

const isHeld = (outcome: object | string): outcome is ReferenceHeld =>
  typeof outcome === 'object' && 'kind' in outcome && outcome.kind === 'reference_held';

/**
 * Opens a checkout under its merchant reference. The first try assumes that the reference is free. If it is not, the failed transaction
 * names the checkout that has it. That checkout is read. The next try takes the reference over, if that checkout has not changed since.
 * @throws ApiError duplicate_merchant_reference; service_unavailable if every try lost to another request; what `open` throws.
 */
export const openUnderReference = async <T>(
  deps: Deps,
  open: (former: FormerOwner | null) => Promise<Decided<T> | ReferenceHeld>,
): Promise<Decided<T>> => {
  let former: FormerOwner | null = null;
  let tries = 0;
  const takeOver = async ({ by }: ReferenceHeld): Promise<Decided<T>> => {
    // The first failure is normal for a take-over, so it needs no pause.
    if (tries > 1) await deps.pause(tries);
    if (tries === MAX_TRIES) throw new ApiError('service_unavailable', { retryAfterSeconds: 1 });
    former = await readFormer(deps, by);
    return tryOpening();
  };
  const tryOpening = async (): Promise<Decided<T>> => {
    tries += 1;
    const opened = await open(former);
    if (isHeld(opened)) return takeOver(opened);
    if (isAnswered(opened)) return opened;
    const again = async (reason: NotCommitted): Promise<Decided<T>> =>
      isHeld(reason) ? takeOver(reason) : (opened.again?.(reason) ?? tryOpening());
    return { ...opened, again };
  };
  return tryOpening();
};
