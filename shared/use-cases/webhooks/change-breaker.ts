import { type Breaker, wellBreaker } from '#shared/domain/webhooks/breaker.ts';
import type { BreakerStore } from '#shared/ports/webhooks.ts';

/** A breaker is written by several consumers at once when an endpoint falls over; each try is a fresh read. */
const TRIES = 5;

/**
 * Changes an endpoint's breaker as it stands now; `seen` is what was read of it before, if anything. Undefined when there was
 * nothing to change or rivals were faster every time.
 */
export const changeBreaker = async (
  deps: { readonly breakers: BreakerStore },
  endpointId: string,
  seen: Breaker | undefined,
  decide: (before: Breaker) => Breaker | undefined,
): Promise<Breaker | undefined> => {
  let before = seen;
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const after = decide(before ?? wellBreaker(endpointId));
    if (!after) return undefined;
    if (await deps.breakers.save(after)) return after;
    before = await deps.breakers.find(endpointId);
  }
  return undefined;
};
