import { type ErasedPayer, eraserOf } from '#shared/platform/kernel/personal-fields.ts';
import { type VirtualAccount, virtualAccount } from './virtual-account.ts';

const { erase } = eraserOf(virtualAccount);

/** The virtual account without what identifies its customer, as its next version; undefined when that was done before. */
export const eraseCustomer = (before: VirtualAccount, payer: ErasedPayer): VirtualAccount | undefined => {
  const after = erase(payer, before);
  return JSON.stringify(after) === JSON.stringify(before) ? undefined : { ...after, version: before.version + 1 };
};
