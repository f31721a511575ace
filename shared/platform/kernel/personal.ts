import * as z from 'zod/mini';

/**
 * How far a stored text identifies a payer or customer, which decides what an erasure does with it. An `address`, a `name` and a `phone` are
 * replaced, and searched for in texts of the business. `other` is replaced. A `free` text, or a value of `metadata`, is erased if an address,
 * a name or a phone is found in it. `none` identifies nobody, and stays as part of the books.
 */
export type Personal = 'address' | 'name' | 'phone' | 'other' | 'free' | 'metadata' | 'none';

/** The mark of each schema that `personal` has marked. */
export const personalMarks = z.registry<{ readonly personal: Personal }>();

/** Returns a marked copy of a schema. A test fails if a stored text of a payer has neither a mark nor a check of its form. */
export const personal = <Schema extends z.ZodMiniType>(kind: Personal, schema: Schema): Schema => {
  const marked = schema.clone();
  personalMarks.add(marked, { personal: kind });
  return marked;
};
