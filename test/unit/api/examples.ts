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

/* Values that unit tests share: one Lagos shop and its customer. */

/** 20 November 2026, noon UTC. */
export const NOON = Date.UTC(2026, 10, 20, 12);

/** The n-th id with this prefix: well formed and easy to tell apart. */
export const id = (prefix: IdPrefix, n = 1): string => `${prefix}_01KA${String(n).padStart(22, '0')}`;

export const SHOP = id('biz', 1);
export const OTHER_SHOP = id('biz', 2);

/** Kobo of a naira number that is known to be one. */
export const naira = (value: number): Kobo => {
  const amount = koboFromNaira(value);
  if (amount === undefined) throw new RangeError(`${value} is no amount.`);
  return amount;
};

/** What a stage that says no more has for each of these providers. */
export const KORAPAY = REGISTRY.korapay.settings.parse({});
export const MONNIFY = REGISTRY.monnify.settings.parse({ contractCode: '7059707855' });

/** A stored test secret key; its hash belongs to no key unless a test gives one. */
export const storedKey = (of: Partial<ApiKey> = {}): ApiKey => ({
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
  ...of,
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

/** A transfer of ₦5,000 from Kuda into the checkout below, a minute after it was opened. */
export const paymentOf = (of: Partial<Payment> = {}): Payment => ({
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
  ...of,
});

/** An attempt at Paystack whose account was shown, over ₦5,000, for half an hour. */
export const shownAttempt = (of: Partial<ShownAttempt> = {}): ShownAttempt => ({
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
  ...of,
});

/** A pending checkout over ₦5,000 with one attempt. */
export const pendingCheckout = (
  of: Partial<Omit<Extract<Checkout, { status: 'pending' }>, 'status'>> = {},
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
    ...of,
  }) satisfies Checkout;

/** A virtual account at Monnify in live mode, with its number. */
export const activeAccount = (of: Partial<Pick<VirtualAccount, 'provider' | 'mode'>> = {}) =>
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
    ...of,
  }) satisfies VirtualAccount;

/** An event as stored. */
export const storedEvent = (of: Partial<Event> = {}): Event => ({
  id: id('evt'),
  type: 'checkout.paid',
  businessId: SHOP,
  mode: 'test',
  createdAt: NOON,
  body: '{}',
  ...of,
});
