import * as z from 'zod/mini';
import { checkoutInEvent } from '#shared/checkouts/contract/checkout-answer.ts';
import { paymentAnswer } from '#shared/payments/contract/payment-answer.ts';
import { virtualAccountAnswer } from '#shared/virtual-accounts/contract/virtual-account-answer.ts';
import type { EventType } from '#shared/webhooks/domain/event.ts';
import { endpointAnswer } from './endpoint-answer.ts';
import { eventAnswer } from './event-answer.ts';

/** A payment to a virtual account, and the account after the payment. */
export const paymentOnVirtualAccount = z.object({ payment: paymentAnswer, virtual_account: virtualAccountAnswer });

/** The data of a test webhook. */
export const testMessage = z.object({ message: z.string() });

/**
 * Says for each event type when its webhook is sent (in Markdown) and what its `data` contains. The API document, the local inbox and
 * tests read it; no function does.
 */
export const WEBHOOKS: Readonly<Record<EventType, { readonly when: string; readonly data: z.ZodMiniType }>> = {
  'checkout.paid': {
    when: 'A checkout became paid: the accepted money reached its amount, or the provider reports the payment as complete. This event is sent once for a checkout, and again only after a reversal.',
    data: checkoutInEvent,
  },
  'checkout.overpaid': {
    when: 'More money arrived for a checkout that was already paid. `paid_amount` is the new sum.',
    data: checkoutInEvent,
  },
  'checkout.underpaid': {
    when: 'Money arrived for a checkout, and the sum so far is less than the amount.',
    data: checkoutInEvent,
  },
  'checkout.payment_rejected': {
    when: 'The provider returned a transfer on arrival. The transfer does not count.',
    data: checkoutInEvent,
  },
  'checkout.payment_reversed': {
    when: 'The provider returned money that had counted. The state is computed again without that money: a paid checkout may become underpaid or pending again. If only part of a payment was returned, the payment is `reversed` and the rest is a new `accepted` payment.',
    data: checkoutInEvent,
  },
  'checkout.failed': {
    when: 'A checkout failed: the provider will accept no money for it, or you simulated a failure.',
    data: checkoutInEvent,
  },
  'checkout.expired': {
    when: 'A checkout expired, and the provider reports no money. Money that arrives later still counts.',
    data: checkoutInEvent,
  },
  'virtual_account.payment_received': {
    when: 'Money arrived on a virtual account.',
    data: paymentOnVirtualAccount,
  },
  'virtual_account.payment_reversed': {
    when: 'The provider returned money that had arrived on a virtual account.',
    data: paymentOnVirtualAccount,
  },
  'virtual_account.activated': {
    when: 'The provider has opened an account that was pending.',
    data: virtualAccountAnswer,
  },
  'virtual_account.failed': {
    when: 'The provider has not opened an account that was pending.',
    data: virtualAccountAnswer,
  },
  'endpoint.disabled': {
    when: 'One of your endpoints was disabled because it did not accept webhooks: it answered 410 twice, an hour or more apart, or nothing was delivered to it for five days. Your other endpoints receive this event.',
    data: endpointAnswer,
  },
  'endpoint.test': {
    when: 'You called **Test a webhook endpoint**.',
    data: testMessage,
  },
};

/** Builds the schema of the webhook body of one event type. */
export const webhookBody = (type: EventType) =>
  z.extend(eventAnswer, { type: z.literal(type), data: WEBHOOKS[type].data });
