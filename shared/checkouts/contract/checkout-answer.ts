import * as z from 'zod/mini';
import { createdWith } from '#shared/checkouts/domain/checkout.ts';
import { paymentAnswer } from '#shared/payments/contract/payment-answer.ts';
import { amount, difference, instant, metadataAnswer } from '#shared/platform/contract/answer-fields.ts';
import { checkoutReference } from '#shared/platform/kernel/ids.ts';
import { mode } from '#shared/platform/kernel/mode.ts';
import { boolean, text, textOrNull } from '#shared/platform/kernel/schemas.ts';
import { providerName } from '#shared/providers/domain/provider.ts';

/** An account of a checkout that the payer was shown. */
export const accountAnswer = z.object({
  provider: providerName,
  account_number: text,
  account_name: text,
  bank_name: text,
  bank_code: textOrNull,
  amount_to_pay: amount,
  expires_at: instant,
  current: boolean,
});

const firstFields = {
  mode,
  reference: checkoutReference,
  amount,
  status: z.enum(['pending', 'underpaid', 'paid', 'expired', 'failed']),
  paid: boolean,
  payer_email: text,
  paid_amount: amount,
  paid_at: z.nullable(instant),
  sender_name: textOrNull,
  sender_bank: textOrNull,
  currency: z.literal('NGN'),
  created_with: createdWith,
};
/** Links to and from the payment page. Events omit these links: events are stored, and anybody who reads one could open the payment page. */
const links = { checkout_url: text, callback_url: textOrNull, cancel_url: textOrNull };
const otherFields = {
  description: textOrNull,
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
  difference,
  accounts: z.array(accountAnswer),
};

/** A checkout as API answers show it. */
export const checkoutAnswer = z.object({ ...firstFields, ...links, ...otherFields });
/** A checkout as events show it. */
export const checkoutInEvent = z.object({ ...firstFields, ...otherFields });
