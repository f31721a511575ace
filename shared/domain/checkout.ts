import * as z from 'zod';
import { Refusal } from './errors.ts';
import type { CheckoutEventType } from './event.ts';
import { checkoutReference, idSchema } from './ids.ts';
import { metadataText, metadataView } from './metadata.ts';
import { mode } from './mode.ts';
import { addKobo, kobo, nairaFromKobo } from './money.ts';
import { type Payment, payment, paymentView } from './payment.ts';
import { providerName, receivingAccount } from './provider.ts';
import { isoMicros, type Millis } from './time.ts';

/** How many of its payments a checkout carries along; the others are items of their own. */
export const MAX_EMBEDDED_PAYMENTS = 20;

const base = z.object({
  reference: checkoutReference,
  businessId: idSchema('biz'),
  mode,
  provider: providerName,
  amount: kobo,
  /** What the payer must send: more than `amount` only where the payer bears the provider's fee. */
  amountToPay: kobo,
  /** The sum of the accepted payments. */
  paidAmount: kobo,
  account: receivingAccount,
  /** What the provider knows this payment by. Never shown. */
  providerReference: z.string(),
  payerEmail: z.string(),
  payerName: z.string().nullable(),
  merchantReference: z.string().nullable(),
  metadata: metadataText,
  createdAt: z.number(),
  expiresAt: z.number(),
  /** Grows by one with every change: the optimistic lock, and what receivers of webhooks order by. */
  version: z.number().int().min(1),
  /** Newest first. */
  payments: z.array(payment).max(MAX_EMBEDDED_PAYMENTS),
});

/** A checkout by status (api.md section 4): only a paid one knows who completed it, and when. */
export const checkout = z.discriminatedUnion('status', [
  base.extend({ status: z.literal('pending') }),
  base.extend({ status: z.literal('underpaid') }),
  base.extend({
    status: z.literal('paid'),
    paidAt: z.number(),
    senderName: z.string().nullable(),
    senderBank: z.string().nullable(),
  }),
  base.extend({ status: z.literal('expired') }),
  base.extend({ status: z.literal('failed') }),
]);
export type Checkout = z.infer<typeof checkout>;

/** A checkout's next state and the event that announces it. */
export interface CheckoutStep {
  readonly checkout: Checkout;
  readonly announce: CheckoutEventType;
}

/**
 * Accepted money lands on a checkout. It counts in every state: an expired or failed checkout comes back to life.
 * Money beyond a completed checkout only adds to `paidAmount`; who completed it stays.
 */
export const acceptPayment = (before: Checkout, landed: Payment): CheckoutStep => {
  const next = {
    ...before,
    paidAmount: addKobo(before.paidAmount, landed.amount),
    payments: [landed, ...before.payments].slice(0, MAX_EMBEDDED_PAYMENTS),
    version: before.version + 1,
  };
  if (next.status === 'paid') return { checkout: next, announce: 'checkout.overpaid' };
  if (next.paidAmount < next.amount) {
    return { checkout: { ...next, status: 'underpaid' }, announce: 'checkout.underpaid' };
  }
  const { paidAt, senderName, senderBank } = landed;
  return { checkout: { ...next, status: 'paid', paidAt, senderName, senderBank }, announce: 'checkout.paid' };
};

/** Whether a payment of this time is late: the provider's time counts, not when we heard of it. */
export const isLate = (before: Checkout, paidAt: Millis): boolean => paidAt > before.expiresAt;

/** Refuses to simulate on a checkout that a payment or a failure has already settled: `checkout_not_payable`. */
export const ensurePayable = (before: Checkout): void => {
  if (before.status === 'paid' || before.status === 'failed') {
    throw new Refusal('checkout_not_payable', { message: `Checkout is already ${before.status}.` });
  }
};

/** The checkout fails: simulated, or the provider's final no. Throws `checkout_not_payable` when it is settled already. */
export const fail = (before: Checkout): CheckoutStep => {
  ensurePayable(before);
  return { checkout: { ...before, status: 'failed', version: before.version + 1 }, announce: 'checkout.failed' };
};

/** The time is up: a pending checkout expires; every other state stays as it is (undefined). */
export const expire = (before: Checkout, now: Millis): CheckoutStep | undefined =>
  before.status === 'pending' && now >= before.expiresAt
    ? { checkout: { ...before, status: 'expired', version: before.version + 1 }, announce: 'checkout.expired' }
    : undefined;

/** When the sweeper has to look at a checkout again; null once nothing is left to happen by time. */
export const expiryDue = (state: Checkout): Millis | null => (state.status === 'pending' ? state.expiresAt : null);

/** A checkout as the API and its webhooks show it: the service description's ten fields first. */
export const checkoutView = (state: Checkout) => {
  const paid = state.status === 'paid' ? state : undefined;
  return {
    mode: state.mode,
    reference: state.reference,
    amount: nairaFromKobo(state.amount),
    status: state.status,
    paid: paid !== undefined,
    payer_email: state.payerEmail,
    paid_amount: nairaFromKobo(state.paidAmount),
    paid_at: paid ? isoMicros(paid.paidAt) : null,
    sender_name: paid?.senderName ?? null,
    sender_bank: paid?.senderBank ?? null,
    currency: 'NGN' as const,
    amount_to_pay: nairaFromKobo(state.amountToPay),
    provider: state.provider,
    account_number: state.account.accountNumber,
    account_name: state.account.accountName,
    bank_name: state.account.bankName,
    bank_code: state.account.bankCode,
    payer_name: state.payerName,
    merchant_reference: state.merchantReference,
    metadata: metadataView(state.metadata),
    expires_at: isoMicros(state.expiresAt),
    created_at: isoMicros(state.createdAt),
    version: state.version,
    payments: state.payments.map(paymentView),
  };
};
