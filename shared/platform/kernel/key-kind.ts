import * as z from 'zod/mini';

/** A secret key may call every endpoint; a public key may only initialize checkouts. */
export const keyKind = z.enum(['secret', 'public']);
export type KeyKind = z.infer<typeof keyKind>;
