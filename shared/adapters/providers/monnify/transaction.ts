import * as z from 'zod';
import type { PaymentQuery } from '#shared/domain/provider-report.ts';
import type { MonnifyCall } from './client.ts';
import { bodyOf, refusalOf } from './envelope.ts';

/** Whoever sent money, as far as Monnify tells it. Everything of it can be absent or blank. */
export const source = z.object({
  accountName: z.string().nullish().catch(null),
  bankName: z.string().nullish().catch(null),
  bankCode: z.string().nullish().catch(null),
  amountPaid: z.union([z.string(), z.number()]).nullish().catch(null),
  sessionId: z.string().nullish().catch(null),
});
export type Source = z.infer<typeof source>;

/** An array of sources, one object, an empty one or nothing: Monnify sends each of them (providers.md 2.5). */
export const sources = z
  .union([z.array(source), source.transform((one) => [one])])
  .nullish()
  .transform((given) => given ?? [])
  .catch([]);

export const product = z.object({ type: z.string(), reference: z.string() }).nullish().catch(null);

/** The sender's name and bank: the bank's code where its name is not told, null where neither is. */
export const senderOf = (of: Source | undefined): { senderName: string | null; senderBank: string | null } => ({
  senderName: of?.accountName?.trim() || null,
  senderBank: of?.bankName?.trim() || of?.bankCode?.trim() || null,
});

/** The product type of a standing account; every other one is a payment that we announced. */
export const RESERVED_ACCOUNT = 'RESERVED_ACCOUNT';

const amount = z.union([z.string(), z.number()]);

const transaction = z.object({
  transactionReference: z.string().min(1),
  paymentReference: z.string().min(1),
  paymentStatus: z.string(),
  amountPaid: amount.nullish(),
  totalPayable: amount.nullish().catch(null),
  settlementAmount: amount.nullish().catch(null),
  paidOn: z.string().nullish(),
  currency: z.string().nullish(),
  product,
  accountDetails: sources,
  accountPayments: sources,
});
export type Transaction = z.infer<typeof transaction>;

/** Their reference holds pipes, which have to be sent as %7C (providers.md 2.2). */
const pathOf = ({ by, value }: PaymentQuery): string =>
  by === 'transaction'
    ? `/api/v2/transactions/${encodeURIComponent(value)}`
    : `/api/v2/merchant/transactions/query?paymentReference=${encodeURIComponent(value)}`;

/** A transaction as Monnify has it now, by its own reference or by ours (providers.md 2.4). Throws the three errors of ports.ts. */
export const queryTransaction = async (call: MonnifyCall, query: PaymentQuery): Promise<Transaction | 'unknown'> => {
  const asked = await call({ method: 'GET', path: pathOf(query) });
  if (asked.ok) return bodyOf(transaction, asked.body);
  if (asked.problem === 'not_found') return 'unknown';
  throw refusalOf(asked.problem);
};
