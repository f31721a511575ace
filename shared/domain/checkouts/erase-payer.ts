import { ERASED_NAME, type ErasedPayer, eraseInMetadata, eraseText } from '#shared/domain/kernel/personal-fields.ts';
import type { ShownPayment } from '#shared/domain/money/payment.ts';
import type { Checkout } from './checkout.ts';

const withoutSender = (one: ShownPayment): ShownPayment => ({ ...one, senderName: null, senderBank: null });

/**
 * The checkout without what identifies its payer, as its next version; undefined when that was done before. What it asked for and what
 * was paid stay.
 */
export const erasePayer = (before: Checkout, { replacement, also }: ErasedPayer): Checkout | undefined => {
  const { payerEmail, payerName, account, metadata, payments } = before;
  const known = { texts: [payerEmail, payerName, ...also], phones: also };
  const after = {
    ...before,
    payerEmail: replacement,
    payerName: null,
    account: { ...account, accountName: ERASED_NAME },
    metadata: eraseInMetadata(metadata, known),
    description: eraseText(before.description, known),
    callbackUrl: eraseText(before.callbackUrl, known),
    cancelUrl: eraseText(before.cancelUrl, known),
    payments: payments.map(withoutSender),
    ...(before.status === 'paid' && { senderName: null, senderBank: null }),
  };
  if (JSON.stringify(after) === JSON.stringify(before)) return undefined;
  return { ...after, version: before.version + 1, revision: before.revision + 1 };
};
