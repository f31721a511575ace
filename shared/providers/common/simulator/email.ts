import * as z from 'zod';

/** An e-mail address that a provider accepts: none under `.invalid`, a domain that cannot exist (RFC 2606 section 2). */
export const payerEmail = z.email().refine((address) => !address.endsWith('.invalid'));
