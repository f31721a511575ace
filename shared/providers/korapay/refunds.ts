import * as z from 'zod/mini';
import { isNaira, koboIfValid, parseNaira } from '#shared/providers/common/money.ts';
import { identifier, ourReference, writtenReference } from '#shared/providers/common/texts.ts';
import { type Notice, notice } from '#shared/providers/domain/notice.ts';
import type { Refund } from '#shared/providers/domain/refund.ts';
import type { PaymentQuery } from '#shared/providers/domain/report.ts';
import { status } from './fields.ts';

/** Members that the data of a refund has, on one of Korapay's pages or another, and the data of a charge or payout on none. */
const REFUND_MEMBERS = ['refund_date', 'completion_date', 'completed_at'];
/** Members of charges and payouts that no refund has. */
const OTHER_MEMBERS = [
  'fee',
  'payment_method',
  'transaction_date',
  'transaction_status',
  'amount_expected',
  'virtual_bank_account_details',
];

/**
 * Whether signed data are those of a refund. The event's name is not signed: whoever has the signed data of a charge can send them as
 * `refund.success`, and that must never take the charge's money out. So only the data decide (providers.md section 3.5).
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

/** What to ask about the payment of a reference: ours by our reference, any other by Korapay's. */
export const queryAbout = (value: string): PaymentQuery => ({
  by: ourReference(value) === undefined ? 'transaction' : 'our_reference',
  value,
});

/** The refund itself; undefined where it cannot be read. It has a reference of its own: never one of our payments', nor its payment's. */
const toRefund = (fields: z.infer<typeof refundData>): Refund | undefined => {
  const id = identifier.safeParse(fields.reference).data;
  const amount = koboIfValid(parseNaira, fields.amount);
  const isOwn = id !== undefined && ourReference(id) === undefined && id !== fields.payment_reference;
  return isOwn && amount && isNaira(fields.currency) ? { id, amount } : undefined;
};

/** What the data of a refund say: a look-up of its payment, and the refund where it was paid out. */
export const readRefund = (data: object): Notice => {
  const { success, data: fields } = refundData.safeParse(data);
  if (!success) return notice({ problem: 'unreadable' });
  const query = queryAbout(fields.payment_reference);
  if (fields.status !== 'success') return notice({ queries: [query] });
  const refund = toRefund(fields);
  return refund
    ? notice({ queries: [query], refunds: [{ query, refund }] })
    : notice({ queries: [query], problem: 'unreadable' });
};
