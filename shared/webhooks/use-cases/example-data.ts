import { checkoutView } from '#shared/checkouts/contract/checkout-view.ts';
import {
  acceptPayment,
  type Checkout,
  type CheckoutStep,
  expireByTime,
  fail,
  rejectPayment,
  reversePayments,
} from '#shared/checkouts/domain/checkout.ts';
import { EXAMPLE_ATTEMPT, EXAMPLE_CHECKOUT } from '#shared/checkouts/domain/example-checkout.ts';
import { paymentView } from '#shared/payments/contract/payment-view.ts';
import { asReversed, type Payment, type PaymentOwner } from '#shared/payments/domain/payment.ts';
import { type Kobo, kobo, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { virtualAccountView } from '#shared/virtual-accounts/contract/virtual-account-view.ts';
import type { ActiveVirtualAccount, VirtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';
import { endpointView } from '#shared/webhooks/contract/endpoint-view.ts';
import { asDisabled, type WebhookEndpoint } from '#shared/webhooks/domain/endpoint.ts';
import type { CheckoutEventType, EventType } from '#shared/webhooks/domain/event.ts';

/* Builds the data of example events: objects that are never stored, changed by the same transitions as real ones. */

/** The endpoint, time and ids for an example. */
export interface ExampleContext {
  readonly endpoint: WebhookEndpoint;
  readonly now: Millis;
  readonly newId: (prefix: 'pay' | 'va') => string;
}

export const TEST_MESSAGE = 'This is a test. Nothing happened, and nothing needs to be done.';

const { amount: AMOUNT } = EXAMPLE_CHECKOUT;
const { provider: PROVIDER } = EXAMPLE_ATTEMPT;
/** The amount of a payment that is less than the amount of the checkout. Kobo. */
const PARTIAL_AMOUNT: Kobo = kobo.parse(500_000);
/** The reference of every example. No checkout has it, because references are random. */
const REFERENCE = 'PAY-EXAMPLE0000000000000';
const ACCOUNT = {
  accountNumber: '9990000014',
  accountName: 'Example Customer',
  bankName: `Sandbox Bank (${PROVIDER})`,
  bankCode: null,
  providerId: null,
};

const buildPendingCheckout = ({ endpoint: { businessId, mode }, now }: ExampleContext): Checkout => ({
  ...EXAMPLE_CHECKOUT,
  reference: REFERENCE,
  businessId,
  mode,
  attempts: [
    {
      ...EXAMPLE_ATTEMPT,
      reference: REFERENCE,
      account: { ...ACCOUNT, accountName: 'Example Shop' },
      openedAt: now - 30 * MINUTE,
      shownAt: now - 30 * MINUTE,
      expiresAt: now,
    },
  ],
  payerEmail: 'example.payer@example.com',
  payerName: 'Example Payer',
  merchantReference: 'EXAMPLE-ORDER',
  metadata: null,
  description: 'Example order',
  callbackUrl: null,
  cancelUrl: null,
  createdAt: now - 30 * MINUTE,
});

const buildPayment = (
  { endpoint: { businessId, mode }, now, newId }: ExampleContext,
  owner: PaymentOwner,
  amount: Kobo,
  outcome: 'accepted' | 'rejected' = 'accepted',
): Payment => {
  const id = newId('pay');
  return {
    id,
    mode,
    businessId,
    provider: PROVIDER,
    owner,
    origin: { kind: 'transfer', transferId: id },
    providerReference: REFERENCE,
    amount,
    fee: ZERO_KOBO,
    paidAt: now,
    senderName: 'EXAMPLE SENDER',
    senderBank: 'Sandbox Bank',
    outcome,
    late: false,
    recordedAt: now,
  };
};

const CHECKOUT_OWNER: PaymentOwner = { kind: 'checkout', reference: REFERENCE };

/** The transition of the example's checkout that causes each event. */
const STEPS: Readonly<
  Record<CheckoutEventType, (context: ExampleContext, checkout: Checkout) => CheckoutStep | undefined>
> = {
  'checkout.paid': (context, checkout) => acceptPayment(checkout, buildPayment(context, CHECKOUT_OWNER, AMOUNT)),
  'checkout.overpaid': (context, checkout) => {
    const { checkout: paid } = acceptPayment(checkout, buildPayment(context, CHECKOUT_OWNER, AMOUNT));
    return acceptPayment(paid, buildPayment(context, CHECKOUT_OWNER, PARTIAL_AMOUNT));
  },
  'checkout.underpaid': (context, checkout) =>
    acceptPayment(checkout, buildPayment(context, CHECKOUT_OWNER, PARTIAL_AMOUNT)),
  'checkout.payment_rejected': (context, checkout) =>
    rejectPayment(checkout, buildPayment(context, CHECKOUT_OWNER, PARTIAL_AMOUNT, 'rejected')),
  'checkout.payment_reversed': (context, checkout) => {
    const payment = buildPayment(context, CHECKOUT_OWNER, AMOUNT);
    return reversePayments(acceptPayment(checkout, payment).checkout, [asReversed(payment)], payment.amount);
  },
  'checkout.failed': (_, checkout) => fail(checkout),
  'checkout.expired': ({ now }, checkout) => expireByTime(checkout, now),
};

const buildAccount = ({ endpoint: { businessId, mode }, now, newId }: ExampleContext): ActiveVirtualAccount => ({
  status: 'active',
  id: newId('va'),
  businessId,
  mode,
  provider: PROVIDER,
  customerName: 'Example Customer',
  customerPhone: '+2348000000000',
  customerEmail: 'example.customer@example.com',
  metadata: null,
  createdAt: now - MINUTE,
  version: 1,
  account: ACCOUNT,
});

const buildFailedAccount = (context: ExampleContext): VirtualAccount => {
  const { account: _, ...fields } = buildAccount(context);
  return { ...fields, status: 'failed' };
};

const buildAccountPayment = (context: ExampleContext, change: (payment: Payment) => Payment) => {
  const account = buildAccount(context);
  const payment = change(buildPayment(context, { kind: 'virtual_account', id: account.id }, AMOUNT));
  return { payment: paymentView(payment), virtual_account: virtualAccountView(account) };
};

const isCheckoutEvent = (type: EventType): type is CheckoutEventType => type in STEPS;

/** Builds the `data` of an example event. None of its objects exist, and it changes nothing. */
export const buildExampleData = (type: EventType, context: ExampleContext): unknown => {
  if (isCheckoutEvent(type)) {
    const before = buildPendingCheckout(context);
    return checkoutView(STEPS[type](context, before)?.checkout ?? before);
  }
  switch (type) {
    case 'virtual_account.payment_received':
      return buildAccountPayment(context, (payment) => payment);
    case 'virtual_account.payment_reversed':
      return buildAccountPayment(context, asReversed);
    case 'virtual_account.activated':
      return virtualAccountView(buildAccount(context));
    case 'virtual_account.failed':
      return virtualAccountView(buildFailedAccount(context));
    case 'endpoint.disabled':
      return endpointView(
        asDisabled(context.endpoint, 'This is an example. The endpoint is switched on.', context.now),
      );
    default:
      return { message: TEST_MESSAGE };
  }
};
