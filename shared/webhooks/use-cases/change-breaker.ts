import { type Breaker, type BreakerEndpoint, healthyBreaker } from '#shared/webhooks/domain/breaker.ts';
import { type BreakerEvent, nextBreaker } from '#shared/webhooks/domain/breaker-transitions.ts';
import type { BreakerStore } from '#shared/webhooks/ports.ts';
import type { AddHealthNotice } from './tell-health.ts';

/**
 * The most attempts to write a breaker. If an endpoint goes down, several consumers write its breaker at once. Every attempt after the first
 * reads the breaker again.
 */
const MAX_ATTEMPTS = 5;

/**
 * Applies an event to an endpoint's breaker. `seen`: the breaker as it was read before. `addNotice` adds the mail to owners to the same
 * write. Returns the written breaker; undefined if the event changes nothing or every attempt met a concurrent write.
 */
export const changeBreaker = async (
  deps: { readonly breakers: BreakerStore },
  endpoint: BreakerEndpoint,
  seen: Breaker | undefined,
  event: BreakerEvent,
  addNotice: AddHealthNotice = (breaker) => ({ breaker }),
): Promise<Breaker | undefined> => {
  let before = seen;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const after = nextBreaker(before ?? healthyBreaker(endpoint), event);
    if (!after) return undefined;
    const { breaker, notice } = addNotice(after);
    if (await deps.breakers.save(breaker, notice)) return breaker;
    before = await deps.breakers.find(endpoint.endpointId);
  }
  return undefined;
};
