import * as z from 'zod/mini';

/**
 * What a stored text says of a payer or customer, and so what an erasure does with it. An `address`, a `name` and a `phone` are replaced, and
 * searched for in what a business wrote; `other` is replaced. A `free` text goes if one of these is found in it, and so does a value of
 * `metadata`. `none`: it says nothing, and stays as part of the books.
 */
export type Personal = 'address' | 'name' | 'phone' | 'other' | 'free' | 'metadata' | 'none';

/** What is said of each schema by `personal`. */
export const personalMarks = z.registry<{ readonly personal: Personal }>();

/** The same schema, marked. Every text without a form of its own that is stored of a payer has a mark: a test fails without. */
export const personal = <Schema extends z.ZodMiniType>(kind: Personal, schema: Schema): Schema => {
  const marked = schema.clone();
  personalMarks.add(marked, { personal: kind });
  return marked;
};
