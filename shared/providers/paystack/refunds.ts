import * as z from 'zod/mini';
import { addKobo, type Kobo, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { text } from '#shared/platform/kernel/schemas.ts';
import { parseKobo } from '#shared/providers/common/money.ts';
import type { PaystackCall } from './client.ts';
import { idText } from './fields.ts';
import { isNotFound, requireData } from './reply.ts';

const PER_PAGE = 100;

const refundFields = z.object({
  transaction: z.union([idText, z.object({ id: idText })]),
  status: z.catch(text, ''),
  amount: z.optional(z.unknown()),
});

/**
 * Sums the kobo of a transaction that Paystack has paid back or is paying back, by its list of refunds (providers.md section 1.6).
 * @throws OutcomeUnknown if a refund cannot be read, because the sum of the others would be wrong.
 */
export const sumRefunds = async (call: PaystackCall, transactionId: string): Promise<Kobo> => {
  const search = new URLSearchParams({ transaction: transactionId, perPage: String(PER_PAGE) });
  const reply = await call({ method: 'GET', path: `/refund?${search}` });
  if (!reply.ok && isNotFound(reply)) return ZERO_KOBO;
  return requireData(reply, z.array(refundFields))
    .filter(({ transaction }) => transactionId === (typeof transaction === 'string' ? transaction : transaction.id))
    .filter(({ status }) => status !== 'failed')
    .reduce((sum, { amount }) => addKobo(sum, parseKobo(amount)), ZERO_KOBO);
};
