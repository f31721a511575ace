import { kobo, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import { providerName } from '#shared/providers/domain/provider.ts';
import type { ShownAttempt } from './attempt.ts';
import type { Checkout } from './checkout.ts';
import { EXAMPLE_ORDER } from './merchant-fields.ts';

const REFERENCE = 'PAY-LCSVC1BGZHIB6M8LGHWN';
const PROVIDER = providerName.parse(providerName.options[0]);
/** ₦8,500.75. */
const AMOUNT = kobo.parse(850_075);
const CREATED_AT = Date.UTC(2026, 10, 20, 13, 50, 42, 242);

/** The attempt that opened the example checkout. */
export const EXAMPLE_ATTEMPT: ShownAttempt = {
  provider: PROVIDER,
  reference: REFERENCE,
  state: 'open',
  account: {
    accountNumber: '7373120534',
    accountName: 'Ada Stores',
    bankName: `Sandbox Bank (${PROVIDER})`,
    bankCode: null,
    providerId: null,
  },
  amountToPay: AMOUNT,
  openedAt: CREATED_AT,
  expiresAt: CREATED_AT + 30 * MINUTE,
  shownAt: CREATED_AT,
  lookUps: 0,
  askAgainAt: null,
};

/** A fictitious pending test checkout. It is the base of the examples of webhooks, of the API document and of tests. */
export const EXAMPLE_CHECKOUT: Extract<Checkout, { status: 'pending' }> = {
  status: 'pending',
  reference: REFERENCE,
  businessId: 'biz_01M7WF0QK4Z8N2T6V9X3C5B7DE',
  mode: 'test',
  createdWith: 'secret',
  amount: AMOUNT,
  paidAmount: ZERO_KOBO,
  attempts: [EXAMPLE_ATTEMPT],
  ...EXAMPLE_ORDER,
  createdAt: CREATED_AT,
  totals: {},
  announcedReturns: [],
  version: 1,
  revision: 1,
  payments: [],
};
