import * as z from 'zod/mini';
import { parseAnswer } from '#shared/adapters/providers/common/parse-answer.ts';
import { nonEmptyString, text } from '#shared/domain/kernel/schemas.ts';
import type { PaymentQuery } from '#shared/domain/money/report.ts';
import type { MonnifyCall } from './client.ts';
import { refusalOf } from './envelope.ts';

/** A text; null when it is absent or no text. */
export const lenientText = z.catch(z.nullish(text), null);

/** Naira as a number or as text, since Monnify sends both. */
export const naira = z.union([text, z.number()]);
/** The same; null when it is absent or neither. */
export const optionalNaira = z.catch(z.nullish(naira), null);

/** Who sent money. Every field may be absent or blank. */
const sender = z.object({
  accountName: lenientText,
  bankName: lenientText,
  bankCode: lenientText,
  amountPaid: optionalNaira,
  sessionId: lenientText,
});
export type Sender = z.infer<typeof sender>;

/** The senders of a transaction: Monnify sends an array, one object, an empty one or nothing (providers.md section 2.5). */
export const senders = z.catch(
  z.pipe(
    z.nullish(
      z.union([
        z.array(sender),
        z.pipe(
          sender,
          z.transform((one) => [one]),
        ),
      ]),
    ),
    z.transform((given) => given ?? []),
  ),
  [],
);

/** What a transaction is for: a virtual account under its reference, or something else. */
export const product = z.catch(z.nullish(z.object({ type: text, reference: text })), null);

/** The sender's name and bank. The bank is its name, else its code, else null. */
export const senderOf = (of: Sender | undefined): { senderName: string | null; senderBank: string | null } => ({
  senderName: of?.accountName?.trim() || null,
  senderBank: of?.bankName?.trim() || of?.bankCode?.trim() || null,
});

/** The product type of a virtual account. Any other one is a transaction that we initialised. */
export const RESERVED_ACCOUNT = 'RESERVED_ACCOUNT';

const transaction = z.object({
  transactionReference: nonEmptyString,
  paymentReference: nonEmptyString,
  paymentStatus: text,
  amountPaid: z.nullish(naira),
  totalPayable: optionalNaira,
  settlementAmount: optionalNaira,
  paidOn: z.nullish(text),
  currency: z.nullish(text),
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

/**
 * Looks up a transaction, by Monnify's reference or ours (providers.md section 2.4); `unknown` when Monnify does not know it. Throws
 * ProviderRefusal, OutcomeUnknown and ProviderUnavailable.
 */
export const queryTransaction = async (call: MonnifyCall, query: PaymentQuery): Promise<Transaction | 'unknown'> => {
  const reply = await call({ method: 'GET', path: pathOf(query) });
  if (reply.ok) return parseAnswer(transaction, reply.body);
  if (reply.problem === 'not_found') return 'unknown';
  throw refusalOf(reply.problem);
};
