import type { Millis } from '#shared/platform/kernel/time.ts';
import type { Breaker } from './breaker.ts';

/** The health of an endpoint, as its merchant reads it. */
export const ENDPOINT_HEALTH = ['healthy', 'failing', 'suspended', 'recovering'] as const;
export interface EndpointHealth {
  /**
   * `failing`: the last attempt failed, and further attempts are made. `suspended`: deliveries are parked, and one of them probes the
   * endpoint. `recovering`: the endpoint works again, and the parked deliveries are being released.
   */
  readonly status: (typeof ENDPOINT_HEALTH)[number];
  /** The time since which nothing was delivered; null if the last attempt succeeded. */
  readonly failingSince: Millis | null;
  /** The event of the last failed attempt; null if the last attempt succeeded. In this event the merchant finds the answer of the endpoint. */
  readonly lastFailedEventId: string | null;
}

const STATUS_BY_STATE = { open: 'suspended', draining: 'recovering' } as const;

/** Returns the health of an endpoint from its breaker. Without a breaker the endpoint is healthy. */
export const toEndpointHealth = (breaker: Breaker | undefined): EndpointHealth => {
  const outage = breaker?.outage;
  const last = { failingSince: outage?.since ?? null, lastFailedEventId: outage?.lastEventId ?? null };
  if (breaker && breaker.state !== 'closed') return { status: STATUS_BY_STATE[breaker.state], ...last };
  return { status: outage ? 'failing' : 'healthy', ...last };
};
