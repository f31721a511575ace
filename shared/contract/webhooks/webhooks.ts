import * as z from 'zod/mini';
import { checkoutAnswer } from '#shared/contract/checkouts/checkout-answer.ts';
import { paymentAnswer } from '#shared/contract/money/payment-answer.ts';
import { virtualAccountAnswer } from '#shared/contract/virtual-accounts/virtual-account-answer.ts';
import type { EventType } from '#shared/domain/webhooks/event.ts';
import { endpointAnswer } from './endpoint-answer.ts';
import { eventAnswer } from './event-answer.ts';

/** Money on a virtual account: the payment, and the account as it is. */
export const paymentOnVirtualAccount = z.object({ payment: paymentAnswer, virtual_account: virtualAccountAnswer });

/** What a test webhook says. */
export const testMessage = z.object({ message: z.string() });

/** What `data` holds in the webhook of every event type (api.md section 5). The API document and its test read it; no function does. */
export const WEBHOOK_DATA: Readonly<Record<EventType, z.ZodMiniType>> = {
  'checkout.paid': checkoutAnswer,
  'checkout.overpaid': checkoutAnswer,
  'checkout.underpaid': checkoutAnswer,
  'checkout.payment_rejected': checkoutAnswer,
  'checkout.payment_reversed': checkoutAnswer,
  'checkout.failed': checkoutAnswer,
  'checkout.expired': checkoutAnswer,
  'virtual_account.payment_received': paymentOnVirtualAccount,
  'virtual_account.payment_reversed': paymentOnVirtualAccount,
  'virtual_account.activated': virtualAccountAnswer,
  'virtual_account.failed': virtualAccountAnswer,
  'endpoint.disabled': endpointAnswer,
  'endpoint.test': testMessage,
};

/** The body of the webhook of one event type. */
export const webhookBody = (type: EventType) =>
  z.extend(eventAnswer, { type: z.literal(type), data: WEBHOOK_DATA[type] });
