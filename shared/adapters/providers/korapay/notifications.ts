import * as z from 'zod/mini';
import { parseJson } from '#shared/adapters/json.ts';
import { nonEmptyString } from '#shared/domain/kernel/schemas.ts';
import { type Notice, notice } from '#shared/domain/money/notice.ts';
import { signedData } from './signature.ts';

/** A notification about incoming money (providers.md section 3.5). The event's name is not signed, so it only decides whether we look anything up. */
const moneyNotification = z.object({
  event: z.enum(['charge.success', 'charge.failed']),
  data: z.object({
    reference: nonEmptyString,
    virtual_bank_account_details: z.optional(z.unknown()),
  }),
});

const readMoneyNotification = (raw: Uint8Array) =>
  moneyNotification.safeParse(parseJson(new TextDecoder().decode(raw)));

/**
 * The bytes that identify a notification: the signed `data` (providers.md section 3.5), and whether it is about incoming money. Without
 * the latter, a copy under another event name, which is not signed, would be stored first, and the original dropped as a duplicate.
 */
export const identifyingBytes = (raw: Uint8Array): Uint8Array =>
  Buffer.from(`${readMoneyNotification(raw).success} ${signedData(raw)}`);

/**
 * What a notification makes us look up; nothing when it is not about incoming money. A virtual account's transfer has Korapay's reference,
 * a checkout's payment has ours. Amounts are not read: for a payment account it is the amount asked for, not the amount paid
 * (providers.md section 3.5).
 */
export const noticeOf = (raw: Uint8Array): Notice => {
  const { success, data: notification } = readMoneyNotification(raw);
  if (!success) return notice();
  const { reference, virtual_bank_account_details: details } = notification.data;
  return notice({ queries: [{ by: details ? 'transaction' : 'our_reference', value: reference }] });
};
