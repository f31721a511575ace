import * as z from 'zod/mini';
import { parseJson } from '#shared/platform/json.ts';
import { makeContent, type NotificationContent } from '#shared/providers/domain/notification-content.ts';
import type { PaymentQuery } from '#shared/providers/domain/report.ts';
import { classifyReferences, referenceIfReadable } from './fields.ts';
import { isRefund, queryAbout, readRefund } from './refunds.ts';
import { signedData } from './signature.ts';

/**
 * A notification about incoming money (providers.md section 3.5). The event's name is not signed, so it only decides whether `data` is read, and
 * whether a notification about a charge counts as unreadable. The signed data show whether they are about a charge or a refund.
 */
const moneyNotification = z.object({
  event: z.enum(['charge.success', 'charge.failed', 'refund.success', 'refund.failed']),
  data: z.optional(z.unknown()),
});

const chargeData = z.object({
  reference: referenceIfReadable,
  payment_reference: referenceIfReadable,
  virtual_bank_account_details: z.optional(z.unknown()),
});

/** Builds the query for a charge. A transfer into a virtual account has only Korapay's reference; a checkout's payment has ours, too. */
const buildChargeQuery = (data: object): PaymentQuery | undefined => {
  const charge = chargeData.safeParse(data).data;
  if (!charge) return undefined;
  const { ours, korapays, merchants } = classifyReferences(charge);
  const value = charge.virtual_bank_account_details ? (korapays ?? merchants) : (ours ?? korapays ?? merchants);
  return value === undefined ? undefined : queryAbout(value);
};

/**
 * Reads the payment to look up, and a reported refund, from a notification. The content is empty if the notification is not about incoming money. The amount
 * of a charge is not read: for a payment account it is the requested amount and not the paid one (providers.md section 3.5).
 */
export const readContent = (raw: Uint8Array): NotificationContent => {
  const notification = moneyNotification.safeParse(parseJson(new TextDecoder().decode(raw))).data;
  if (!notification) return makeContent();
  const data = typeof notification.data === 'object' && notification.data !== null ? notification.data : {};
  if (isRefund(data)) return readRefund(data);
  const query = buildChargeQuery(data);
  const isRead = query !== undefined && notification.event.startsWith('charge.');
  return makeContent({ queries: query ? [query] : [], problem: isRead ? null : 'unreadable' });
};

/**
 * Returns the bytes that identify a notification: the signed `data` (providers.md section 3.5) and our reading of it. The event's name is not signed,
 * so anybody may send a copy with another name, which we may read in another way. If these bytes did not contain our reading, such a copy could come
 * first, and the original would be dropped as its duplicate.
 */
export const identifyingBytes = (raw: Uint8Array): Uint8Array =>
  Buffer.from(`${JSON.stringify(readContent(raw))} ${signedData(raw)}`);
