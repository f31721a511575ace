import * as z from 'zod/mini';
import { isPhoneNumber } from '#shared/domain/kernel/phone-number.ts';

export const phone = z
  .string('must be a string.')
  .check(z.refine(isPhoneNumber, 'must be a phone number with its country prefix, such as +2348031234567.'));
export const identityNumber = z.string('must be a string.').check(z.regex(/^\d{11}$/, 'must be 11 digits.'));
