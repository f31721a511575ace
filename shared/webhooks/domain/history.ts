import type { Delivery } from './delivery.ts';

/** Deliveries shown of an event: those to its newest endpoints. A mode has at most five, so only deleted endpoints can make it as many. */
export const MAX_DELIVERIES_SHOWN = 20;
/** Attempts shown of one delivery, its newest. */
const MAX_ATTEMPTS_OF_EACH = 20;
/** Attempts shown of an event, over all of its deliveries. With the largest responses an answer then has well under a megabyte. */
export const MAX_ATTEMPTS_SHOWN = 100;

/** The order in which deliveries are shown: the ids of endpoints begin with their time. */
export const oldestEndpointFirst = (a: DeliveryTo, b: DeliveryTo): number => (a.endpointId < b.endpointId ? -1 : 1);
type DeliveryTo = Pick<Delivery, 'endpointId'>;

/** How many of each delivery's attempts are shown, the newest: fewer where an event has more than five deliveries. */
export const attemptLimit = (deliveries: number): number =>
  Math.min(MAX_ATTEMPTS_OF_EACH, Math.floor(MAX_ATTEMPTS_SHOWN / Math.max(1, deliveries)));
