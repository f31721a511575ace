import * as z from 'zod/mini';

/* The schemas of path parameters. */

/** No parameters. Unknown parameters are ignored. */
export const nothing = z.object({});

/**
 * Any id in a path. A malformed id gets the answer “not found”, and not “invalid”. Every id is cut, so that no key of the table is too
 * long. Lone surrogates are replaced, because the table refuses them.
 */
export const pathId = z.pipe(
  z.string(),
  z.transform((value) => value.slice(0, 64).toWellFormed()),
);
export const reference = z.object({ reference: pathId });
export const accountId = z.object({ id: pathId });
export const paymentId = z.object({ id: pathId });
export const endpointId = z.object({ id: pathId });
export const eventId = z.object({ id: pathId });
