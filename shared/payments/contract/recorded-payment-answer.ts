import * as z from 'zod/mini';
import { instant } from '#shared/platform/contract/answer-fields.ts';
import { checkoutReference, idSchema } from '#shared/platform/kernel/ids.ts';
import { mode } from '#shared/platform/kernel/mode.ts';
import { textOrNull } from '#shared/platform/kernel/schemas.ts';
import { paymentAnswer } from './payment-answer.ts';

/** A payment as an answer of its own, with its mode and owner. Either `checkout_reference` or `virtual_account_id` is null. */
export const recordedPaymentAnswer = z.extend(paymentAnswer, {
  mode,
  currency: z.literal('NGN'),
  checkout_reference: z.nullable(checkoutReference),
  merchant_reference: textOrNull,
  virtual_account_id: z.nullable(idSchema('va')),
  recorded_at: instant,
});
