import { encodeTime } from 'ulid';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { inList, type Key, makeKey } from '#shared/platform/table/keys.ts';
import type { DeliveryState } from '#shared/webhooks/domain/delivery.ts';

export const endpointKey = (id: string): Key => makeKey('WHE', id);
export const breakerKey = (endpointId: string): Key => ({ pk: `WHE#${endpointId}`, sk: 'BREAKER' });
export const eventKey = (id: string): Key => makeKey('EVT', id);
/** The partition of an event, its deliveries and their attempts. */
export const eventPartition = (id: string): string => eventKey(id).pk;
export const isEventKey = (sk: string): boolean => sk === 'EVT';
/** The start of the sort key of every delivery. */
export const DELIVERY_SORT = 'DLV#';
export const isDeliveryKey = (sk: string): boolean => sk.startsWith(DELIVERY_SORT);
export const deliveryKey = (eventId: string, endpointId: string): Key => ({
  pk: `EVT#${eventId}`,
  sk: `${DELIVERY_SORT}${endpointId}`,
});
const ATTEMPT_DIGITS = 6;
/** Returns the start of the sort keys of all attempts at an endpoint. */
export const attemptSortPrefix = (endpointId: string): string => `ATT#${endpointId}#`;
export const attemptKey = (eventId: string, endpointId: string, number: number): Key => ({
  pk: `EVT#${eventId}`,
  sk: `${attemptSortPrefix(endpointId)}${String(number).padStart(ATTEMPT_DIGITS, '0')}`,
});
export const eventListPartition = (tenant: Tenant): string => `BIZ#${tenant.businessId}#${tenant.mode}#EVT`;
export const inEvents = (tenant: Tenant, at: Millis, id: string) => inList(eventListPartition(tenant), at, id);
/** The partition of the list of an endpoint's parked or exhausted deliveries. Other deliveries are on no list. Event ids sort by time. */
export const undeliveredPartition = (endpointId: string, state: 'parked' | 'exhausted'): string =>
  `WHE#${endpointId}#${state.toUpperCase()}`;
export const inUndelivered = (eventId: string, endpointId: string, state: DeliveryState) =>
  state === 'parked' || state === 'exhausted'
    ? { gsi1pk: undeliveredPartition(endpointId, state), gsi1sk: eventId }
    : { gsi1pk: null, gsi1sk: null };
const ULID_TIME_DIGITS = 10;
const ULID_LENGTH = 26;
/** Returns the lowest event id of a moment. A ULID begins with its time. */
export const firstEventIdAt = (at: Millis): string =>
  `evt_${encodeTime(Math.max(0, at), ULID_TIME_DIGITS).padEnd(ULID_LENGTH, '0')}`;
