import * as z from 'zod/mini';
import { koboOfNaira } from '#shared/adapters/providers/common/money.ts';
import { parseAnswer } from '#shared/adapters/providers/common/parse-answer.ts';
import { boolean, nonEmptyString } from '#shared/domain/kernel/schemas.ts';
import type { PaymentOrigin } from '#shared/domain/money/source.ts';
import type { LiveProvider, ReportPage } from '#shared/ports/providers.ts';
import type { MonnifyCall } from './client.ts';
import { refusalOf } from './envelope.ts';
import { hasMoney, isReturnedStatus } from './report.ts';
import { lenientText, optionalNaira } from './transaction.ts';

const PAGE_SIZE = 100;

const row = z.object({
  transactionReference: nonEmptyString,
  paymentReference: lenientText,
  paymentStatus: lenientText,
  amountPaid: optionalNaira,
});

const page = z.object({ content: z.array(row), last: z.catch(z.nullish(boolean), null) });

/**
 * What a payment is recorded under; null when the list does not say. A transfer to a virtual account has Monnify's reference twice; any other
 * payment is taken for the first part of its running total.
 */
const originOf = ({
  transactionReference,
  paymentReference,
  amountPaid,
}: z.infer<typeof row>): PaymentOrigin | null => {
  if (paymentReference === transactionReference) return { kind: 'transfer', transferId: transactionReference };
  try {
    return paymentReference
      ? { kind: 'part', reference: paymentReference, reached: koboOfNaira(amountPaid), falls: 0 }
      : null;
  } catch {
    return null;
  }
};

const paymentOf = (listed: z.infer<typeof row>): ReportPage['payments'][number] => ({
  query: { by: 'transaction', value: listed.transactionReference },
  origin: originOf(listed),
  isReturned: isReturnedStatus(listed.paymentStatus ?? ''),
});

/**
 * Lists payments, a page at a time; the cursor is the page's number, from 0 (providers.md section 2.4). It does not filter by status, because
 * Monnify accepts only one and money has several. Throws ProviderRefusal, OutcomeUnknown and ProviderUnavailable.
 */
export const listPayments =
  (call: MonnifyCall): LiveProvider['listPayments'] =>
  async ({ from, to, cursor }) => {
    const number = Number(cursor ?? 0);
    const listed = await call({
      method: 'GET',
      path: `/api/v1/transactions/search?page=${number}&size=${PAGE_SIZE}&from=${from}&to=${to}`,
    });
    if (!listed.ok) throw refusalOf(listed.problem);
    const { content, last } = parseAnswer(page, listed.body);
    const isLast = content.length === 0 || (last ?? content.length < PAGE_SIZE);
    return {
      payments: content.filter(({ paymentStatus }) => hasMoney(paymentStatus ?? '')).map(paymentOf),
      next: isLast ? null : String(number + 1),
    };
  };
