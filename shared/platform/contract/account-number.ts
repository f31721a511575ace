import * as z from 'zod/mini';

/** A bank account number as a query parameter: the ten digits of a NUBAN. */
export const accountNumber = z.string().check(z.regex(/^\d{10}$/, 'must be an account number of ten digits.'));
