import { ACCOUNT_ANSWERS, ACCOUNT_EVENTS, DEDICATED_ROW } from './account-fixtures.ts';
import { PAYMENT_ANSWERS, PAYMENT_EVENTS, PAYMENT_ROWS } from './payment-fixtures.ts';

/** Paystack's documented answers, list rows and events that the adapter reads. */
export const PAYSTACK_FIXTURES = {
  answers: { ...ACCOUNT_ANSWERS, ...PAYMENT_ANSWERS },
  rows: { ...PAYMENT_ROWS, dedicatedAccount: DEDICATED_ROW },
  events: { ...ACCOUNT_EVENTS, ...PAYMENT_EVENTS },
} as const;
