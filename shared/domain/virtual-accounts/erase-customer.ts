import { ERASED_NAME, type ErasedPayer, eraseInMetadata } from '#shared/domain/kernel/personal-fields.ts';
import type { VirtualAccount } from './virtual-account.ts';

/** The virtual account without what identifies its customer, as its next version; undefined when that was done before. */
export const eraseCustomer = (
  before: VirtualAccount,
  { replacement, also }: ErasedPayer,
): VirtualAccount | undefined => {
  const { customerEmail, customerName, customerPhone, metadata } = before;
  const known = { texts: [customerEmail, customerName, ...also], phones: [customerPhone, ...also] };
  const after = {
    ...before,
    customerEmail: replacement,
    customerName: ERASED_NAME,
    customerPhone: null,
    metadata: eraseInMetadata(metadata, known),
    ...('account' in before && before.account && { account: { ...before.account, accountName: ERASED_NAME } }),
  };
  if (JSON.stringify(after) === JSON.stringify(before)) return undefined;
  return { ...after, version: before.version + 1 };
};
