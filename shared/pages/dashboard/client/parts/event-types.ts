import type { EventType } from '#shared/client/types.ts';

/** Every type of event, in the order in which people look for them. */
const TYPES: Readonly<Record<EventType, true>> = {
  'checkout.paid': true,
  'checkout.overpaid': true,
  'checkout.underpaid': true,
  'checkout.payment_rejected': true,
  'checkout.payment_reversed': true,
  'checkout.failed': true,
  'checkout.expired': true,
  'virtual_account.payment_received': true,
  'virtual_account.payment_reversed': true,
  'virtual_account.activated': true,
  'virtual_account.failed': true,
  'endpoint.disabled': true,
  'endpoint.test': true,
};
export const EVENT_TYPES = Object.keys(TYPES) as EventType[];
