import * as z from 'zod/mini';

/* What paths hold. */

/** Nothing, or nothing that we read. */
export const nothing = z.object({});

/**
 * Any id that a path may hold: one that cannot be ours is not found rather than invalid. Cut, so that no key grows with it, and
 * without halves of characters, which the table takes for no text.
 */
export const pathId = z.pipe(
  z.string(),
  z.transform((value) => value.slice(0, 64).toWellFormed()),
);
export const reference = z.object({ reference: pathId });
export const accountId = z.object({ id: pathId });
export const endpointId = z.object({ id: pathId });
export const eventId = z.object({ id: pathId });
