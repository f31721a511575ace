import { type ErasedPayer, eraserOf } from '#shared/platform/kernel/personal-fields.ts';
import { type Checkout, checkout } from './checkout.ts';

const { erase } = eraserOf(checkout);

/**
 * The checkout without what identifies its payer, as its next version; undefined when that was done before. What it asked for and what
 * was paid stay.
 */
export const erasePayer = (before: Checkout, payer: ErasedPayer): Checkout | undefined => {
  const after = erase(payer, before);
  if (JSON.stringify(after) === JSON.stringify(before)) return undefined;
  return { ...after, version: before.version + 1, revision: before.revision + 1 };
};
