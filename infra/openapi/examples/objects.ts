import type * as z from 'zod/mini';
import { checkoutAnswer } from '#shared/checkouts/contract/checkout-answer.ts';
import { checkoutAnswerView } from '#shared/checkouts/contract/checkout-view.ts';
import { EXAMPLE_CHECKOUT } from '#shared/checkouts/domain/example-checkout.ts';
import type { paymentAnswer } from '#shared/payments/contract/payment-answer.ts';
import type { recordedPaymentAnswer } from '#shared/payments/contract/recorded-payment-answer.ts';
import type { providerStanding } from '#shared/providers/contract/list-providers.ts';
import type { virtualAccountAnswer } from '#shared/virtual-accounts/contract/virtual-account-answer.ts';
import type { deliveryAnswer, undeliveredDelivery } from '#shared/webhooks/contract/delivery-answer.ts';
import type { endpointAnswer, endpointAnswerWithHealth } from '#shared/webhooks/contract/endpoint-answer.ts';

/* The objects in the examples: a shop in Lagos, its customer and one order, on 20 November 2026. */

type Checkout = z.infer<typeof checkoutAnswer>;
type Payment = z.infer<typeof paymentAnswer>;

export const BUSINESS_ID = EXAMPLE_CHECKOUT.businessId;
export const REQUEST_ID = '4f1f7b0e-6c58-4f0b-9a53-0c8f5f1f2d11';
export const REFERENCE = EXAMPLE_CHECKOUT.reference;

const PAID_AT = '2026-11-20T13:52:07.000000Z';

/** A bank transfer of ₦8,500.75 for the checkout below. */
export const payment: Payment = {
  id: 'pay_01M7WKNY384ZGS1636AYP9P4H0',
  amount: 8_500.75,
  fee: 0,
  outcome: 'accepted',
  paid_at: PAID_AT,
  late: false,
  sender_name: 'TUNDE BAKARE',
  sender_bank: 'Kuda Microfinance Bank',
  provider: 'paystack',
  provider_reference: REFERENCE,
};

/** A checkout without money. The contract's parser puts its fields in the order of real answers. */
export const pendingCheckout: Checkout = checkoutAnswer.parse(
  checkoutAnswerView(EXAMPLE_CHECKOUT, `https://api.adastores.example/pay/${REFERENCE}.q1ZbYc0V7mXk3uT9sLw2Pg`),
);

export const paidCheckout: Checkout = {
  ...pendingCheckout,
  status: 'paid',
  paid: true,
  paid_amount: 8_500.75,
  paid_at: PAID_AT,
  sender_name: payment.sender_name,
  sender_bank: payment.sender_bank,
  version: 2,
  payments: [payment],
  difference: 0,
};

/** Removes the links that checkouts in events do not have. */
export const removeLinks = ({ checkout_url: _, callback_url: __, cancel_url: ___, ...checkout }: Checkout) => checkout;

const secondPayment: Payment = {
  ...payment,
  id: 'pay_01M7WKTX2N5R8T3W6Y9B2D4F7H',
  amount: 1_500,
  paid_at: '2026-11-20T13:54:46.000000Z',
};

/** A paid checkout that got a second transfer. */
export const overpaidCheckout: Checkout = {
  ...paidCheckout,
  paid_amount: 10_000.75,
  version: 3,
  payments: [secondPayment, payment],
  difference: 1_500,
};

const partialPayment: Payment = { ...payment, amount: 5_000 };
export const underpaidCheckout: Checkout = {
  ...pendingCheckout,
  status: 'underpaid',
  paid_amount: 5_000,
  version: 2,
  payments: [partialPayment],
  difference: -3_500.75,
};
export const checkoutWithRejectedPayment: Checkout = {
  ...pendingCheckout,
  version: 2,
  payments: [{ ...partialPayment, outcome: 'rejected' }],
};
/** A checkout that was paid, until the provider took the money back. */
export const checkoutWithReversedPayment: Checkout = {
  ...pendingCheckout,
  version: 3,
  payments: [{ ...payment, outcome: 'reversed' }],
};
export const failedCheckout: Checkout = { ...pendingCheckout, status: 'failed', version: 2 };
export const expiredCheckout: Checkout = { ...pendingCheckout, status: 'expired', version: 2 };

const firstAccount = pendingCheckout.accounts.map((account) => ({ ...account, current: false }));
const currentAccount = {
  provider: 'monnify' as const,
  account_number: '6020193847',
  account_name: pendingCheckout.account_name,
  bank_name: 'Sandbox Bank (monnify)',
  bank_code: null,
};
/** A checkout with another account. */
export const checkoutWithAnotherAccount: Checkout = {
  ...pendingCheckout,
  ...currentAccount,
  version: 2,
  accounts: [
    ...firstAccount,
    {
      ...currentAccount,
      amount_to_pay: pendingCheckout.amount_to_pay,
      expires_at: pendingCheckout.expires_at,
      current: true,
    },
  ],
};

export const virtualAccount: z.infer<typeof virtualAccountAnswer> = {
  id: 'va_01M7WKJH18WQVSRGM718E6H3C6',
  provider: 'paystack',
  account_number: '3472356191',
  account_name: 'Adaeze Okafor',
  bank_name: 'Sandbox Bank (paystack)',
  bank_code: null,
  customer_name: 'Adaeze Okafor',
  customer_phone: '+2348031234567',
  customer_email: 'adaeze.okafor@example.com',
  metadata: { customer: '1042' },
  mode: 'test',
  status: 'active',
  created_at: '2026-11-20T13:50:42.216000Z',
  deactivated_at: null,
};
/** The virtual account of the same customer at another provider. */
export const accountAtAnotherProvider = {
  ...virtualAccount,
  id: 'va_01M7WKJH1AYHZZZJZRA12RNZVS',
  provider: 'monnify',
  account_number: '5534982865',
  bank_name: 'Sandbox Bank (monnify)',
} as const;
/** The extra fields of a request at a provider that needs identity numbers. */
export const IDENTITY_FIELDS = { bvn: '22212345678', nin: '12345678901', provider: 'korapay' };
export const inactiveAccount = {
  ...virtualAccount,
  status: 'inactive',
  deactivated_at: '2026-11-20T16:04:11.903000Z',
} as const;
export const failedAccount = {
  ...virtualAccount,
  account_number: null,
  account_name: null,
  bank_name: null,
  status: 'failed',
} as const;

/** A transfer of ₦25,000 to the virtual account above. */
export const transfer: Payment = {
  ...payment,
  id: 'pay_01M7WM3E8C1D4G7J9M2P5S8V1X',
  amount: 25_000,
  paid_at: '2026-11-20T13:59:56.000000Z',
  sender_name: 'CHIDI EZE',
  sender_bank: 'GTBank',
  provider_reference: 'trf_01M7WM3E8A',
};

const LISTED_FIELDS = { mode: 'test', currency: 'NGN' } as const;
/** The payment of the checkout, as lists of payments show it. */
export const recordedPayment: z.infer<typeof recordedPaymentAnswer> = {
  ...payment,
  ...LISTED_FIELDS,
  checkout_reference: REFERENCE,
  merchant_reference: 'ORDER-2026-00417',
  virtual_account_id: null,
  recorded_at: '2026-11-20T13:52:08.036000Z',
};
/** The transfer to the virtual account, as lists of payments show it. */
export const recordedTransfer: typeof recordedPayment = {
  ...transfer,
  ...LISTED_FIELDS,
  checkout_reference: null,
  merchant_reference: null,
  virtual_account_id: virtualAccount.id,
  recorded_at: '2026-11-20T13:59:57.576000Z',
};

export const endpoint: z.infer<typeof endpointAnswer> = {
  id: 'whe_01M7WKA5R2T8V4X6Z1B3D5F7HJ',
  url: 'https://hooks.adastores.example/payments',
  mode: 'test',
  events: ['*'],
  enabled: true,
  disabled_reason: null,
  created_at: '2026-11-20T13:46:09.112000Z',
};
export const healthyEndpoint: z.infer<typeof endpointAnswerWithHealth> = {
  ...endpoint,
  health: { status: 'healthy', failing_since: null, last_failed_event_id: null, parked: 0 },
  previous_secret_until: null,
};
export const suspendedEndpoint: typeof healthyEndpoint = {
  ...healthyEndpoint,
  health: {
    status: 'suspended',
    failing_since: '2026-11-20T13:52:08.047000Z',
    last_failed_event_id: 'evt_01M7WKNY1C3E5G7J9K2N4Q6S8T',
    parked: 37,
  },
};
export const disabledEndpoint = { ...endpoint, enabled: false, disabled_reason: 'It answered 410 Gone twice.' };
/** A well-formed secret that no endpoint has. */
export const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDc2FtcGxlczA=';

export const delivery: z.infer<typeof deliveryAnswer> = {
  id: 'dlv_01M7WKNY4F6H8K1M3P5R7T9V2X',
  endpoint_id: endpoint.id,
  status: 'succeeded',
  attempts: [
    {
      number: 1,
      at: '2026-11-20T13:52:08.047000Z',
      status_code: 503,
      duration_ms: 212,
      error: null,
      response: 'Service Unavailable',
    },
    {
      number: 2,
      at: '2026-11-20T13:52:13.391000Z',
      status_code: 200,
      duration_ms: 84,
      error: null,
      response: 'ok',
    },
  ],
  next_attempt_at: null,
};
/** A delivery that waits until its endpoint works again, as the endpoint's list shows it. */
export const parkedDelivery: z.infer<typeof undeliveredDelivery> = {
  id: delivery.id,
  event_id: 'evt_01M7WKNY1C3E5G7J9K2N4Q6S8T',
  event_type: 'checkout.paid',
  status: 'parked',
  attempts: 1,
  last_attempt: delivery.attempts[0] ?? null,
  next_attempt_at: null,
};
export const pendingDelivery: typeof delivery = {
  ...delivery,
  status: 'pending',
  attempts: delivery.attempts,
  next_attempt_at: '2026-11-20T16:11:30.500000Z',
};

/** Three providers: one fails, and one is not enabled. */
export const providerStandings: z.infer<typeof providerStanding>[] = [
  {
    provider: 'paystack',
    enabled: true,
    state: 'failing',
    landing_seconds: { p50: 20, p95: 600 },
    since: '2026-11-20T11:42:00.000000Z',
  },
  {
    provider: 'monnify',
    enabled: true,
    state: 'healthy',
    landing_seconds: { p50: 10, p95: 45 },
    since: '2026-11-02T08:15:00.000000Z',
  },
  { provider: 'korapay', enabled: false, state: 'healthy', landing_seconds: null, since: null },
];
