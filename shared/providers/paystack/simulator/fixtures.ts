import { ACCOUNT_ANSWERS, ACCOUNT_EVENTS, DEDICATED_ROW } from './account-fixtures.ts';
import { PAYMENT_ANSWERS, PAYMENT_EVENTS, PAYMENT_ROWS } from './payment-fixtures.ts';

/** Each answer, list row and event of Paystack that its adapter reads, as a source has it. */
export const PAYSTACK_FIXTURES = {
  answers: { ...ACCOUNT_ANSWERS, ...PAYMENT_ANSWERS },
  rows: { ...PAYMENT_ROWS, dedicatedAccount: DEDICATED_ROW },
  events: { ...ACCOUNT_EVENTS, ...PAYMENT_EVENTS },
} as const;
