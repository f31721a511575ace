import { type Checkout, checkout } from '#shared/checkouts/domain/checkout.ts';
import { type ErasedPayer, makeEraser } from './personal-fields.ts';

const { erase } = makeEraser(checkout);

/**
 * The checkout without what identifies its payer, as its next version; undefined when that was done before. What it asked for and what
 * was paid stay.
 */
export const eraseOnCheckout = (before: Checkout, payer: ErasedPayer): Checkout | undefined => {
  const after = erase(payer, before);
  if (JSON.stringify(after) === JSON.stringify(before)) return undefined;
  return { ...after, version: before.version + 1, revision: before.revision + 1 };
};
