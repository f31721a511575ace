import * as z from 'zod/mini';
import { instant } from '#shared/contract/kernel/answer-fields.ts';
import { checkoutReference, idSchema } from '#shared/domain/kernel/ids.ts';
import { mode } from '#shared/domain/kernel/mode.ts';
import { textOrNull } from '#shared/domain/kernel/schemas.ts';
import { paymentAnswer } from './payment-answer.ts';

/** A payment by itself, which says what it is on. One of `checkout_reference` and `virtual_account_id` is null. */
export const recordedPaymentAnswer = z.extend(paymentAnswer, {
  mode,
  currency: z.literal('NGN'),
  checkout_reference: z.nullable(checkoutReference),
  merchant_reference: textOrNull,
  virtual_account_id: z.nullable(idSchema('va')),
  recorded_at: instant,
});
