import * as z from 'zod/mini';
import { amount, instant } from '#shared/platform/contract/answer-fields.ts';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { boolean, text, textOrNull } from '#shared/platform/kernel/schemas.ts';
import { providerName } from '#shared/providers/domain/provider.ts';

/** A payment as a part of the answer about its checkout or virtual account. */
export const paymentAnswer = z.object({
  id: idSchema('pay'),
  amount,
  fee: amount,
  outcome: z.enum(['accepted', 'rejected', 'reversed']),
  paid_at: instant,
  late: boolean,
  sender_name: textOrNull,
  sender_bank: textOrNull,
  provider: providerName,
  provider_reference: text,
});
