import {
  type FormerHolder,
  heldByOpening,
  ReferenceHeld,
  takeOverFrom,
} from '#shared/domain/checkouts/merchant-reference.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { CheckoutIntents } from '#shared/ports/requests.ts';

/** Tries before it gives up. Each one that fails means that another request took the reference first. */
const MAX_ATTEMPTS = 10;

interface Deps extends Pick<Runtime, 'pause'> {
  readonly checkoutIntents: Pick<CheckoutIntents, 'find'>;
}

/** The holder, if a new checkout may take over its merchant reference; null when the reference became free meanwhile. */
const readFormer = async ({ checkoutIntents }: Deps, reference: string): Promise<FormerHolder | null> => {
  const found = await checkoutIntents.find(reference);
  if (found?.kind === 'opening') throw heldByOpening(reference);
  return found ? takeOverFrom(found.object) : null;
};

/**
 * Opens a checkout under its merchant reference. The first try assumes that the reference is free. If it is not, the refused transaction
 * names the holder; then the holder is read, and the next try takes the reference over if the holder has not changed since.
 * Not untilCommitted: `open` itself calls that, and the first refusal is the normal way of a take-over, which needs no pause.
 * @throws duplicate_merchant_reference; service_unavailable when every try lost to another request; what `open` throws.
 */
export const takingMerchantReference = async <T>(
  deps: Deps,
  open: (former: FormerHolder | null) => Promise<T>,
): Promise<T> => {
  let former: FormerHolder | null = null;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    try {
      return await open(former);
    } catch (error) {
      if (!(error instanceof ReferenceHeld)) throw error;
      if (attempt > 1) await deps.pause(attempt);
      former = await readFormer(deps, error.heldBy);
    }
  }
  throw new Refusal('service_unavailable', { retryAfterSeconds: 1 });
};
