import * as z from 'zod/mini';
import { idSchema } from '#shared/domain/ids.ts';
import { text, textOrNull, yesOrNo } from '#shared/domain/parts.ts';
import { providerName } from '#shared/domain/provider.ts';
import { amount, instant } from './answer-fields.ts';

export const paymentAnswer = z.object({
  id: idSchema('pay'),
  amount,
  fee: amount,
  outcome: z.enum(['accepted', 'rejected', 'reversed']),
  paid_at: instant,
  late: yesOrNo,
  sender_name: textOrNull,
  sender_bank: textOrNull,
  provider: providerName,
  provider_reference: text,
});
