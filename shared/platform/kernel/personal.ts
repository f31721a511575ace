import * as z from 'zod/mini';

/**
 * How far a stored text identifies a payer or customer. It decides what an erasure does with the text:
 * - `address`, `name`, `phone`: it is replaced, and the erasure searches for it in `free` texts and in `metadata`;
 * - `other`: it is replaced;
 * - `free`: the whole text is erased if an address, a name or a phone of the payer is found in it;
 * - `metadata`: each value or member name is erased in which one of them is found;
 * - `none`: it identifies nobody, and stays as part of the books.
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
