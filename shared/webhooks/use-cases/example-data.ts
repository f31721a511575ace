import { checkoutView } from '#shared/checkouts/contract/checkout-view.ts';
import {
  acceptPayment,
  type Checkout,
  type CheckoutStep,
  fail,
  passTime,
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

/* The data of example events: objects that are stored nowhere, changed by the transitions that real ones go through. */

/** What an example is made for. */
export interface ExampleFor {
  readonly endpoint: WebhookEndpoint;
  readonly now: Millis;
  readonly newId: (prefix: 'pay' | 'va') => string;
}

export const TEST_MESSAGE = 'This is a test. Nothing happened, and nothing needs to be done.';

const { amount: AMOUNT } = EXAMPLE_CHECKOUT;
const { provider: PROVIDER } = EXAMPLE_ATTEMPT;
/** In kobo. */
const PART: Kobo = kobo.parse(500_000);
/** The reference of every example. No checkout has it: references are random. */
const REFERENCE = 'PAY-EXAMPLE0000000000000';
const ACCOUNT = {
  accountNumber: '9990000014',
  accountName: 'Example Customer',
  bankName: `Sandbox Bank (${PROVIDER})`,
  bankCode: null,
  providerId: null,
};

const pending = ({ endpoint: { businessId, mode }, now }: ExampleFor): Checkout => ({
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

const paymentOf = (
  { endpoint: { businessId, mode }, now, newId }: ExampleFor,
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

const CHECKOUT: PaymentOwner = { kind: 'checkout', reference: REFERENCE };

/** How an example's checkout came to each event. */
const STEPS: Readonly<Record<CheckoutEventType, (of: ExampleFor, checkout: Checkout) => CheckoutStep | undefined>> = {
  'checkout.paid': (of, checkout) => acceptPayment(checkout, paymentOf(of, CHECKOUT, AMOUNT)),
  'checkout.overpaid': (of, checkout) => {
    const { checkout: paid } = acceptPayment(checkout, paymentOf(of, CHECKOUT, AMOUNT));
    return acceptPayment(paid, paymentOf(of, CHECKOUT, PART));
  },
  'checkout.underpaid': (of, checkout) => acceptPayment(checkout, paymentOf(of, CHECKOUT, PART)),
  'checkout.payment_rejected': (of, checkout) => rejectPayment(checkout, paymentOf(of, CHECKOUT, PART, 'rejected')),
  'checkout.payment_reversed': (of, checkout) => {
    const payment = paymentOf(of, CHECKOUT, AMOUNT);
    return reversePayments(acceptPayment(checkout, payment).checkout, [asReversed(payment)], payment.amount);
  },
  'checkout.failed': (_, checkout) => fail(checkout),
  'checkout.expired': ({ now }, checkout) => passTime(checkout, now),
};

const accountOf = ({ endpoint: { businessId, mode }, now, newId }: ExampleFor): ActiveVirtualAccount => ({
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

const failedAccount = (of: ExampleFor): VirtualAccount => {
  const { account: _, ...opened } = accountOf(of);
  return { ...opened, status: 'failed' };
};

const onAccount = (of: ExampleFor, change: (payment: Payment) => Payment) => {
  const account = accountOf(of);
  const payment = change(paymentOf(of, { kind: 'virtual_account', id: account.id }, AMOUNT));
  return { payment: paymentView(payment), virtual_account: virtualAccountView(account) };
};

const isOfCheckout = (type: EventType): type is CheckoutEventType => type in STEPS;

/** What `data` holds in an example of an event: nothing of it exists, and nothing is changed by it. */
export const exampleData = (type: EventType, of: ExampleFor): unknown => {
  if (isOfCheckout(type)) {
    const before = pending(of);
    return checkoutView(STEPS[type](of, before)?.checkout ?? before);
  }
  switch (type) {
    case 'virtual_account.payment_received':
      return onAccount(of, (payment) => payment);
    case 'virtual_account.payment_reversed':
      return onAccount(of, asReversed);
    case 'virtual_account.activated':
      return virtualAccountView(accountOf(of));
    case 'virtual_account.failed':
      return virtualAccountView(failedAccount(of));
    case 'endpoint.disabled':
      return endpointView(asDisabled(of.endpoint, 'This is an example. The endpoint is switched on.', of.now));
    default:
      return { message: TEST_MESSAGE };
  }
};
