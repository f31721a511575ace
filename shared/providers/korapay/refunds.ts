import * as z from 'zod/mini';
import { isNaira, parseKoboIfValid, parseNaira } from '#shared/providers/common/money.ts';
import { identifier, toOurReference, writtenReference } from '#shared/providers/common/texts.ts';
import { makeContent, type NotificationContent } from '#shared/providers/domain/notification-content.ts';
import type { Refund } from '#shared/providers/domain/refund.ts';
import type { PaymentQuery } from '#shared/providers/domain/report.ts';
import { status } from './fields.ts';

/** Members of a refund's data on at least one of Korapay's pages. No charge or payout has them. */
const REFUND_MEMBERS = ['refund_date', 'completion_date', 'completed_at'];
/** Members of charges and payouts. No refund has them. */
const OTHER_MEMBERS = [
  'fee',
  'payment_method',
  'transaction_date',
  'transaction_status',
  'amount_expected',
  'virtual_bank_account_details',
];

/**
 * Whether signed data describe a refund. Only the data decide, because the event's name is not signed (providers.md section 3.5): anybody
 * could send the signed data of a charge as `refund.success`, and that must never withdraw the charge's money.
 */
export const isRefund = (data: object): boolean =>
  REFUND_MEMBERS.some((name) => Object.hasOwn(data, name)) && !OTHER_MEMBERS.some((name) => Object.hasOwn(data, name));

const refundData = z.object({
  reference: z.optional(z.unknown()),
  payment_reference: writtenReference,
  status,
  amount: z.optional(z.unknown()),
  currency: z.optional(z.unknown()),
});

/** Builds the query for the payment of a reference, ours or Korapay's. */
export const queryAbout = (value: string): PaymentQuery => ({
  by: toOurReference(value) === undefined ? 'transaction' : 'our_reference',
  value,
});

/** Reads the refund; undefined if it cannot be read. The refund's reference must not be one of ours, and must differ from the payment's reference. */
const toRefund = (fields: z.infer<typeof refundData>): Refund | undefined => {
  const id = identifier.safeParse(fields.reference).data;
  const amount = parseKoboIfValid(parseNaira, fields.amount);
  const isOwn = id !== undefined && toOurReference(id) === undefined && id !== fields.payment_reference;
  return isOwn && amount && isNaira(fields.currency) ? { id, amount } : undefined;
};

/** Reads a refund's data: the payment to look up, and the refund itself if it was paid out. */
export const readRefund = (data: object): NotificationContent => {
  const { success, data: fields } = refundData.safeParse(data);
  if (!success) return makeContent({ problem: 'unreadable' });
  const query = queryAbout(fields.payment_reference);
  if (fields.status !== 'success') return makeContent({ queries: [query] });
  const refund = toRefund(fields);
  return refund
    ? makeContent({ queries: [query], refunds: [{ query, refund }] })
    : makeContent({ queries: [query], problem: 'unreadable' });
};
