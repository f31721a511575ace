import * as z from 'zod';

/** An e-mail address that a provider takes: none at the domain `.invalid`, which can exist nowhere (RFC 2606 section 2). */
export const payerEmail = z.email().refine((address) => !address.endsWith('.invalid'));
