import type { ApiKey } from '#shared/businesses/domain/api-key.ts';
import type { Business } from '#shared/businesses/domain/business.ts';
import { defaultProfile } from '#shared/businesses/domain/profile.ts';
import type { ShownAttempt } from '#shared/checkouts/domain/attempt.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import { EXAMPLE_CHECKOUT } from '#shared/checkouts/domain/example-checkout.ts';
import type { Payment } from '#shared/payments/domain/payment.ts';
import type { IdPrefix } from '#shared/platform/kernel/ids.ts';
import { type Kobo, koboFromNaira } from '#shared/platform/kernel/money.ts';
import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { REGISTRY } from '#shared/providers/registry.ts';
import type { VirtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';
import type { Event } from '#shared/webhooks/domain/event.ts';

/* Values that unit tests share: a shop in Lagos and its customer. */

/** 20 November 2026, noon UTC. */
export const NOON = Date.UTC(2026, 10, 20, 12);

/** Makes the n-th id with this prefix: well formed and easy to recognise. */
export const id = (prefix: IdPrefix, n = 1): string => `${prefix}_01KA${String(n).padStart(22, '0')}`;

export const SHOP = id('biz', 1);
export const OTHER_SHOP = id('biz', 2);

/** Converts a valid naira number to kobo. */
export const naira = (value: number): Kobo => {
  const amount = koboFromNaira(value);
  if (amount === undefined) throw new RangeError(`${value} is no amount.`);
  return amount;
};

/** The default settings of Korapay and Monnify. */
export const KORAPAY = REGISTRY.korapay.settings.parse({});
export const MONNIFY = REGISTRY.monnify.settings.parse({ contractCode: '7059707855' });

/** Makes a stored test secret key. Its hash belongs to no key unless a test sets one. */
export const storedKey = (fields: Partial<ApiKey> = {}): ApiKey => ({
  id: id('key'),
  hash: '0'.repeat(64),
  businessId: SHOP,
  businessSuspended: false,
  businessDisplayName: 'Ada Stores',
  businessIsRouted: false,
  mode: 'test',
  kind: 'secret',
  prefix: 'sk_test_',
  last4: 'aB3d',
  ipWhitelist: [],
  createdAt: NOON,
  createdBy: 'operations',
  revokedAt: null,
  expiresAt: null,
  ...fields,
});

/** The business of these examples. */
export const BUSINESS: Business = {
  id: SHOP,
  name: 'Ada Stores Limited',
  suspended: false,
  endpoints: [],
  keys: [],
  createdAt: NOON,
  version: 1,
  profile: defaultProfile('Ada Stores'),
  members: [],
};

/** Makes a transfer of ₦5,000 from Kuda into the checkout of `pendingCheckout`, a minute after the checkout was opened. */
export const paymentOf = (fields: Partial<Payment> = {}): Payment => ({
  id: id('pay'),
  mode: 'test',
  businessId: SHOP,
  provider: 'paystack',
  owner: { kind: 'checkout', reference: 'PAY-7H2KQ9XW4M1ZB8T5RC3N' },
  origin: { kind: 'transfer', transferId: 'trf_000013261120120100' },
  providerReference: 'PAY-7H2KQ9XW4M1ZB8T5RC3N',
  amount: naira(5_000),
  fee: naira(0),
  paidAt: NOON + MINUTE,
  senderName: 'OKAFOR CHIAMAKA GRACE',
  senderBank: 'Kuda Microfinance Bank',
  outcome: 'accepted',
  late: false,
  recordedAt: NOON + MINUTE + 2 * SECOND,
  ...fields,
});

/** Makes an attempt at Paystack with a shown account, for ₦5,000 and half an hour. */
export const shownAttempt = (fields: Partial<ShownAttempt> = {}): ShownAttempt => ({
  provider: 'paystack',
  reference: 'PAY-7H2KQ9XW4M1ZB8T5RC3N',
  state: 'open',
  account: {
    accountNumber: '1234567898',
    accountName: 'Chiamaka Okafor',
    bankName: 'Sandbox Bank (paystack)',
    bankCode: null,
    providerId: null,
  },
  amountToPay: naira(5_000),
  openedAt: NOON,
  expiresAt: NOON + 30 * MINUTE,
  shownAt: NOON,
  lookUps: 0,
  askAgainAt: null,
  ...fields,
});

/** Makes a pending checkout for ₦5,000 with one attempt. */
export const pendingCheckout = (
  fields: Partial<Omit<Extract<Checkout, { status: 'pending' }>, 'status'>> = {},
  attempt: Partial<ShownAttempt> = {},
) =>
  ({
    ...EXAMPLE_CHECKOUT,
    reference: 'PAY-7H2KQ9XW4M1ZB8T5RC3N',
    businessId: SHOP,
    attempts: [shownAttempt(attempt)],
    amount: naira(5_000),
    payerEmail: 'chiamaka.okafor@example.com',
    payerName: 'Chiamaka Okafor',
    description: null,
    callbackUrl: null,
    cancelUrl: null,
    createdAt: NOON,
    ...fields,
  }) satisfies Checkout;

/** Makes a virtual account at Monnify in live mode, with its number. */
export const activeAccount = (fields: Partial<Pick<VirtualAccount, 'provider' | 'mode'>> = {}) =>
  ({
    id: id('va'),
    businessId: SHOP,
    mode: 'live',
    provider: 'monnify',
    customerName: 'Adaeze Okafor',
    customerPhone: '+2348031234567',
    customerEmail: 'adaeze.okafor@example.com',
    metadata: null,
    createdAt: NOON,
    version: 2,
    status: 'active',
    account: {
      accountNumber: '2200000001',
      accountName: 'Adaeze Okafor',
      bankName: 'Wema Bank',
      bankCode: '035',
      providerId: null,
    },
    ...fields,
  }) satisfies VirtualAccount;

/** Makes a stored event. */
export const storedEvent = (fields: Partial<Event> = {}): Event => ({
  id: id('evt'),
  type: 'checkout.paid',
  businessId: SHOP,
  mode: 'test',
  createdAt: NOON,
  body: '{}',
  ...fields,
});
