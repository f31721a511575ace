import type { Delivery } from './delivery.ts';

/**
 * An event shows at most this many deliveries, those to its newest endpoints. A mode has at most five endpoints, but an event also keeps its
 * deliveries to deleted endpoints.
 */
export const MAX_DELIVERIES_SHOWN = 20;
/** A delivery shows at most this many attempts, its newest. */
const MAX_ATTEMPTS_OF_EACH = 20;
/** An event shows at most this many attempts over all its deliveries. With the largest responses an answer is still well under a megabyte. */
export const MAX_ATTEMPTS_SHOWN = 100;

/** Sorts deliveries for display, oldest endpoint first: the id of an endpoint begins with its time of creation. */
export const oldestEndpointFirst = (a: DeliveryTo, b: DeliveryTo): number => (a.endpointId < b.endpointId ? -1 : 1);
type DeliveryTo = Pick<Delivery, 'endpointId'>;

/** Returns how many attempts of each delivery are shown. The number is lower if the event has more than five deliveries. */
export const attemptLimit = (deliveries: number): number =>
  Math.min(MAX_ATTEMPTS_OF_EACH, Math.floor(MAX_ATTEMPTS_SHOWN / Math.max(1, deliveries)));
