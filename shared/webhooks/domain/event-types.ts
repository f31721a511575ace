/**
 * Every event type, in the order in which people look for them, and whether it is about money that has moved. Anybody can cause events of the
 * other types without paying: for example, a checkout that nobody pays expires. This file imports nothing, because the dashboard's page loads it
 * too.
 */
const ABOUT_MONEY = {
  'checkout.paid': true,
  'checkout.overpaid': true,
  'checkout.underpaid': true,
  'checkout.payment_rejected': true,
  'checkout.payment_reversed': true,
  'checkout.failed': false,
  'checkout.expired': false,
  'virtual_account.payment_received': true,
  'virtual_account.payment_reversed': true,
  'virtual_account.activated': false,
  'virtual_account.failed': false,
  'endpoint.disabled': false,
  'endpoint.test': false,
} as const;

/** Every type of event. */
export const EVENT_TYPES = Object.keys(ABOUT_MONEY) as readonly (keyof typeof ABOUT_MONEY)[];

/** Whether an event of this type is about money that has moved. */
export const isAboutMoney = (type: keyof typeof ABOUT_MONEY): boolean => ABOUT_MONEY[type];
