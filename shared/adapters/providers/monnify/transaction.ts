import * as z from 'zod/mini';
import { parseAnswer } from '#shared/adapters/providers/common/parse-answer.ts';
import { identifier, ourReference } from '#shared/adapters/providers/common/texts.ts';
import { text } from '#shared/domain/kernel/schemas.ts';
import type { PaymentQuery } from '#shared/domain/money/report.ts';
import type { MonnifyCall } from './client.ts';
import { refusalOf } from './envelope.ts';
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

/** The path of a look-up. Monnify's references contain pipes, which must be sent as %7C (providers.md section 2.2). */
const pathOf = ({ by, value }: PaymentQuery): string =>
  by === 'transaction'
    ? `/api/v2/transactions/${encodeURIComponent(value)}`
    : `/api/v2/merchant/transactions/query?paymentReference=${encodeURIComponent(value)}`;

const find = async (call: MonnifyCall, query: PaymentQuery): Promise<Transaction | 'unknown'> => {
  const reply = await call({ method: 'GET', path: pathOf(query) });
  if (reply.ok) return parseAnswer(transaction, reply.body);
  if (reply.problem === 'not_found') return 'unknown';
  throw refusalOf(reply.problem);
};

/**
 * The reference that a transaction was opened under, ours in our spelling. Monnify may repeat ours in another spelling; but where it takes
 * that for another reference, anybody may open a transaction of their own under it. So our own spelling is asked about: ours is what it finds.
 */
const referenceOf = async (call: MonnifyCall, { by, value }: PaymentQuery, found: Transaction): Promise<string> => {
  const { paymentReference, transactionReference } = found;
  const ours = ourReference(paymentReference);
  if (ours === undefined || ours === paymentReference || (by === 'our_reference' && value === ours)) {
    return parseAnswer(identifier, ours ?? paymentReference);
  }
  const own = await find(call, { by: 'our_reference', value: ours });
  const isOurs = own !== 'unknown' && own.transactionReference === transactionReference;
  return isOurs ? ours : parseAnswer(identifier, paymentReference);
};

/**
 * Looks up a transaction, by Monnify's reference or ours (providers.md section 2.4); `unknown` when Monnify does not know it. Throws
 * ProviderRefusal, OutcomeUnknown and ProviderUnavailable.
 */
export const queryTransaction = async (call: MonnifyCall, query: PaymentQuery): Promise<Transaction | 'unknown'> => {
  const found = await find(call, query);
  return found === 'unknown' ? found : { ...found, paymentReference: await referenceOf(call, query, found) };
};
