import { type VirtualAccount, virtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';
import { type ErasedPayer, makeEraser } from './personal-fields.ts';

const { erase } = makeEraser(virtualAccount);

/** Erases a virtual account's customer. Returns the next version of the account; undefined if the customer was erased before. */
export const eraseOnVirtualAccount = (before: VirtualAccount, payer: ErasedPayer): VirtualAccount | undefined => {
  const after = erase(payer, before);
  return JSON.stringify(after) === JSON.stringify(before) ? undefined : { ...after, version: before.version + 1 };
};
