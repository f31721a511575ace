import * as z from 'zod/mini';

const MAX_EMAIL = 254;
/** An e-mail address. */
export const email = z
  .email('must be an e-mail address.')
  .check(z.maxLength(MAX_EMAIL, 'must be at most 254 characters.'));
