import { type Checkout, checkout } from '#shared/checkouts/domain/checkout.ts';
import { type ErasedPayer, makeEraser } from './personal-fields.ts';

const { erase } = makeEraser(checkout);

/** Erases a checkout's payer. Returns the next version of the checkout; undefined if the payer was erased before. The amounts and payments stay. */
export const eraseOnCheckout = (before: Checkout, payer: ErasedPayer): Checkout | undefined => {
  const after = erase(payer, before);
  if (JSON.stringify(after) === JSON.stringify(before)) return undefined;
  return { ...after, version: before.version + 1, revision: before.revision + 1 };
};
