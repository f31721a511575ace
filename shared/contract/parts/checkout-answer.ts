import * as z from 'zod/mini';
import { checkoutReference } from '#shared/domain/ids.ts';
import { mode } from '#shared/domain/mode.ts';
import { text, textOrNull, yesOrNo } from '#shared/domain/parts.ts';
import { providerName } from '#shared/domain/provider.ts';
import { amount, instant, metadataAnswer } from './answer-fields.ts';
import { paymentAnswer } from './payment-answer.ts';

export const checkoutAnswer = z.object({
  mode,
  reference: checkoutReference,
  amount,
  status: z.enum(['pending', 'underpaid', 'paid', 'expired', 'failed']),
  paid: yesOrNo,
  payer_email: text,
  paid_amount: amount,
  paid_at: z.nullable(instant),
  sender_name: textOrNull,
  sender_bank: textOrNull,
  currency: z.literal('NGN'),
  amount_to_pay: amount,
  provider: providerName,
  account_number: text,
  account_name: text,
  bank_name: text,
  bank_code: textOrNull,
  payer_name: textOrNull,
  merchant_reference: textOrNull,
  metadata: metadataAnswer,
  expires_at: instant,
  created_at: instant,
  version: z.int(),
  payments: z.array(paymentAnswer),
});
