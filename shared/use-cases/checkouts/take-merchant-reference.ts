import {
  type FormerHolder,
  heldByOpening,
  ReferenceHeld,
  takeOverFrom,
} from '#shared/domain/checkouts/merchant-reference.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { CheckoutIntents } from '#shared/ports/requests.ts';

/** Attempts before it gives up: each lost one means that another request took the reference first. */
const MAX_ATTEMPTS = 10;

interface Deps extends Pick<Runtime, 'pause'> {
  readonly checkoutIntents: Pick<CheckoutIntents, 'find'>;
}

/** The holder, if a new checkout may take over its reference; null when it was given back meanwhile. */
const readFormer = async ({ checkoutIntents }: Deps, reference: string): Promise<FormerHolder | null> => {
  const found = await checkoutIntents.find(reference);
  if (found?.kind === 'opening') throw heldByOpening(reference);
  return found ? takeOverFrom(found.object) : null;
};

/**
 * Opens a checkout under its merchant reference. It is tried as if nobody held it: the transaction that refuses names the holder, and
 * also says first if this request was answered before. Then the holder is read, and the same transaction takes its reference over
 * if it has not changed since.
 * @throws duplicate_merchant_reference; service_unavailable when rivals were faster every time; what `open` throws.
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
      former = await readFormer(deps, error.by);
    }
  }
  throw new Refusal('service_unavailable', { retryAfterSeconds: 1 });
};
