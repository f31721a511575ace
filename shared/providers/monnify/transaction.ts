import * as z from 'zod/mini';
import { text } from '#shared/platform/kernel/schemas.ts';
import { parseAnswer } from '#shared/providers/common/parse-answer.ts';
import { findInAnySpelling } from '#shared/providers/common/spelling.ts';
import { identifier } from '#shared/providers/common/texts.ts';
import type { PaymentQuery } from '#shared/providers/domain/report.ts';
import type { MonnifyCall } from './client.ts';
import { toProviderError } from './envelope.ts';
import { lenientText, optionalNaira, product, senders, word } from './fields.ts';

const transaction = z.object({
  transactionReference: identifier,
  paymentReference: text,
  paymentStatus: word,
  amountPaid: optionalNaira,
  totalPayable: optionalNaira,
  settlementAmount: optionalNaira,
  paidOn: lenientText,
  currency: z.optional(z.unknown()),
  product,
  accountDetails: senders,
  accountPayments: senders,
});
export type Transaction = z.infer<typeof transaction>;

/** Builds the path of a look-up. Monnify's references contain pipes, which must be sent as %7C (providers.md section 2.2). */
const buildPath = ({ by, value }: PaymentQuery): string =>
  by === 'transaction'
    ? `/api/v2/transactions/${encodeURIComponent(value)}`
    : `/api/v2/merchant/transactions/query?paymentReference=${encodeURIComponent(value)}`;

const find = async (call: MonnifyCall, query: PaymentQuery): Promise<Transaction | 'unknown'> => {
  const reply = await call({ method: 'GET', path: buildPath(query) });
  if (reply.ok) return parseAnswer(transaction, reply.body);
  if (reply.problem === 'not_found') return 'unknown';
  throw toProviderError(reply.problem);
};

/**
 * Looks up a transaction by Monnify's reference or ours (providers.md section 2.4). `paymentReference` of the result is the reference that it
 * was opened under. `unknown`: Monnify does not know it.
 * @throws ProviderError, OutcomeUnknown, ProviderUnavailable.
 */
export const queryTransaction = async (call: MonnifyCall, query: PaymentQuery): Promise<Transaction | 'unknown'> => {
  const foundPayment = await findInAnySpelling(
    {
      find: (variant) => find(call, variant),
      readId: ({ transactionReference }) => transactionReference,
      readReference: ({ paymentReference }) => paymentReference,
    },
    query,
  );
  return foundPayment === 'unknown'
    ? foundPayment
    : {
        ...foundPayment.payment,
        paymentReference: parseAnswer(identifier, foundPayment.reference ?? foundPayment.payment.paymentReference),
      };
};
