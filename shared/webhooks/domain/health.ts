import type { Millis } from '#shared/platform/kernel/time.ts';
import type { Breaker } from './breaker.ts';

/** What a merchant reads of its endpoint's breaker. */
export const ENDPOINT_HEALTH = ['healthy', 'failing', 'suspended', 'recovering'] as const;
export interface EndpointHealth {
  /**
   * `failing`: the last attempt failed, and others are still made. `suspended`: deliveries are parked, and one of them probes the
   * endpoint. `recovering`: it works again, and what was parked is being released.
   */
  readonly status: (typeof ENDPOINT_HEALTH)[number];
  /** Since when nothing was delivered; null where the last attempt succeeded. */
  readonly failingSince: Millis | null;
  /** The event whose delivery failed last, which has what the endpoint answered; null where the last attempt succeeded. */
  readonly lastFailedEventId: string | null;
}

const STATUS_BY_STATE = { open: 'suspended', draining: 'recovering' } as const;

/** How an endpoint is doing, as its breaker says: a healthy one has none. */
export const toEndpointHealth = (breaker: Breaker | undefined): EndpointHealth => {
  const outage = breaker?.outage;
  const last = { failingSince: outage?.since ?? null, lastFailedEventId: outage?.lastEventId ?? null };
  if (breaker && breaker.state !== 'closed') return { status: STATUS_BY_STATE[breaker.state], ...last };
  return { status: outage ? 'failing' : 'healthy', ...last };
};
