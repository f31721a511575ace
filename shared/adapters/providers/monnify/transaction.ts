import * as z from 'zod/mini';
import { nonEmptyString, text } from '#shared/domain/kernel/schemas.ts';
import type { PaymentQuery } from '#shared/domain/money/report.ts';
import type { MonnifyCall } from './client.ts';
import { bodyOf, refusalOf } from './envelope.ts';

/** A text, or null for what is absent or no text. */
export const textIfTold = z.catch(z.nullish(text), null);

/** Naira as a number or as text: Monnify does both. */
const amount = z.union([text, z.number()]);
/** The same, or null for what is absent or no amount. */
export const amountIfTold = z.catch(z.nullish(amount), null);

/** Whoever sent money, as far as Monnify tells it. Everything of it can be absent or blank. */
export const source = z.object({
  accountName: textIfTold,
  bankName: textIfTold,
  bankCode: textIfTold,
  amountPaid: amountIfTold,
  sessionId: textIfTold,
});
export type Source = z.infer<typeof source>;

/** An array of sources, one object, an empty one or nothing: Monnify sends each of them (providers.md section 2.5). */
export const sources = z.catch(
  z.pipe(
    z.nullish(
      z.union([
        z.array(source),
        z.pipe(
          source,
          z.transform((one) => [one]),
        ),
      ]),
    ),
    z.transform((given) => given ?? []),
  ),
  [],
);

export const product = z.catch(z.nullish(z.object({ type: text, reference: text })), null);

/** The sender's name and bank: the bank's code where its name is not told, null where neither is. */
export const senderOf = (of: Source | undefined): { senderName: string | null; senderBank: string | null } => ({
  senderName: of?.accountName?.trim() || null,
  senderBank: of?.bankName?.trim() || of?.bankCode?.trim() || null,
});

/** The product type of a virtual account; every other one is a payment that we announced. */
export const RESERVED_ACCOUNT = 'RESERVED_ACCOUNT';

const transaction = z.object({
  transactionReference: nonEmptyString,
  paymentReference: nonEmptyString,
  paymentStatus: text,
  amountPaid: z.nullish(amount),
  totalPayable: amountIfTold,
  settlementAmount: amountIfTold,
  paidOn: z.nullish(text),
  currency: z.nullish(text),
  product,
  accountDetails: sources,
  accountPayments: sources,
});
export type Transaction = z.infer<typeof transaction>;

/** Their reference holds pipes, which have to be sent as %7C (providers.md section 2.2). */
const pathOf = ({ by, value }: PaymentQuery): string =>
  by === 'transaction'
    ? `/api/v2/transactions/${encodeURIComponent(value)}`
    : `/api/v2/merchant/transactions/query?paymentReference=${encodeURIComponent(value)}`;

/** A transaction as Monnify has it now, by its own reference or by ours (providers.md section 2.4). Throws the three errors of ports.ts. */
export const queryTransaction = async (call: MonnifyCall, query: PaymentQuery): Promise<Transaction | 'unknown'> => {
  const asked = await call({ method: 'GET', path: pathOf(query) });
  if (asked.ok) return bodyOf(transaction, asked.body);
  if (asked.problem === 'not_found') return 'unknown';
  throw refusalOf(asked.problem);
};
