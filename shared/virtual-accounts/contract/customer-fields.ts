import * as z from 'zod/mini';
import { isPhoneNumber } from '#shared/platform/kernel/phone-number.ts';

export const phone = z
  .string('must be a string.')
  .check(z.refine(isPhoneNumber, 'must be a phone number with its country prefix, such as +2348031234567.'));

/** The customer's own bank account. A provider may need it to validate the customer. */
export const bankAccount = z.object(
  {
    account_number: z.string('must be a string.').check(z.regex(/^\d{10}$/, 'must be 10 digits.')),
    bank_code: z.string('must be a string.').check(z.regex(/^\d{3,6}$/, 'must be 3 to 6 digits.')),
  },
  'must be an object.',
);
export const identityNumber = z.string('must be a string.').check(z.regex(/^\d{11}$/, 'must be 11 digits.'));
