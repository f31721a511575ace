import * as z from 'zod/mini';
import { checkoutInEvent } from '#shared/contract/checkouts/checkout-answer.ts';
import { paymentAnswer } from '#shared/contract/money/payment-answer.ts';
import { virtualAccountAnswer } from '#shared/contract/virtual-accounts/virtual-account-answer.ts';
import type { EventType } from '#shared/domain/webhooks/event.ts';
import { endpointAnswer } from './endpoint-answer.ts';
import { eventAnswer } from './event-answer.ts';

/** A payment to a virtual account, and the account after it. */
export const paymentOnVirtualAccount = z.object({ payment: paymentAnswer, virtual_account: virtualAccountAnswer });

/** The data of a test webhook. */
export const testMessage = z.object({ message: z.string() });

/** What `data` holds in the webhook of every event type (api-decisions.md section 5). Used by the API document and by tests, not by functions. */
export const WEBHOOK_DATA: Readonly<Record<EventType, z.ZodMiniType>> = {
  'checkout.paid': checkoutInEvent,
  'checkout.overpaid': checkoutInEvent,
  'checkout.underpaid': checkoutInEvent,
  'checkout.payment_rejected': checkoutInEvent,
  'checkout.payment_reversed': checkoutInEvent,
  'checkout.failed': checkoutInEvent,
  'checkout.expired': checkoutInEvent,
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
