import * as z from 'zod/mini';
import { LONGEST_EMAIL, parseEmailAddress } from '#shared/platform/kernel/email-address.ts';

/** An e-mail address, parsed to the form in which it is stored, compared and answered. */
export const email = z.pipe(
  z
    .string('must be an e-mail address.')
    .check(z.maxLength(LONGEST_EMAIL, { error: `must be at most ${LONGEST_EMAIL} characters.`, abort: true })),
  z.transform((value, context) => {
    const address = parseEmailAddress(value);
    if (address !== undefined) return address;
    context.issues.push({ code: 'custom', input: value, message: 'must be an e-mail address.' });
    return z.NEVER;
  }),
);
