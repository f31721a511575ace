import { acceptPayment, type Checkout, type CheckoutStep, isLate, rejectPayment, reversePayments } from './checkout.ts';
import { addKobo, type Kobo, koboOwed, ZERO_KOBO } from './money.ts';
import type { Payment } from './payment.ts';
import type { ReportedMoney, RunningTotal } from './provider-report.ts';
import type { Millis } from './time.ts';
import type { VirtualAccount } from './virtual-account.ts';

/* Money lands (architecture.md section 4): what a provider reports, as payments of ours. Pure. */

/** What makes reported money one payment: the provider's id of a transfer, or a reference with the total that was reached. */
export const transferIdOf = (money: ReportedMoney): string =>
  money.kind === 'transfer' ? money.transferId : `${money.payee.reference}:${money.amount}`;

/** What a payment is made of beside the report. */
interface Made {
  readonly id: string;
  readonly recordedAt: Millis;
}

const paymentOf = (
  { id, recordedAt }: Made,
  owner: Pick<Payment, 'mode' | 'businessId' | 'provider' | 'owner'>,
  money: ReportedMoney,
  of: Pick<Payment, 'amount' | 'outcome' | 'late'>,
): Payment => ({
  ...owner,
  ...of,
  id,
  recordedAt,
  transferId: transferIdOf(money),
  providerReference: money.providerReference,
  fee: money.fee,
  paidAt: money.paidAt,
  senderName: money.senderName,
  senderBank: money.senderBank,
});

const reversedOf = (payments: readonly Payment[]): Payment[] =>
  payments.map((payment) => ({ ...payment, outcome: 'reversed' }));

/** A step of a checkout with the payment that is new and those that are reversed by it. */
export interface LandingStep extends CheckoutStep {
  readonly payment?: Payment;
  readonly reversed?: readonly Payment[];
}

/** The payments that a running total is made of: each has its reference, and the total that was reached with it, as its id. */
const partsOf = (checkout: Checkout, { payee }: RunningTotal): Payment[] =>
  checkout.payments.filter(
    ({ transferId, outcome }) => outcome === 'accepted' && transferId.startsWith(`${payee.reference}:`),
  );

/** What is new of it: a whole transfer, or what a running total adds to what is recorded under the same reference. */
const newAmount = (checkout: Checkout, money: ReportedMoney): Kobo => {
  if (money.kind === 'transfer') return money.amount;
  return koboOwed(
    money.amount,
    partsOf(checkout, money)
      .map(({ amount }) => amount)
      .reduce(addKobo, ZERO_KOBO),
  );
};

/**
 * What reported money makes of a checkout; undefined when it is recorded already. `known` is the payment that is recorded
 * under the same id, `complete` whether the provider takes the checkout as paid.
 */
export const landOnCheckout = (
  made: Made,
  checkout: Checkout,
  money: ReportedMoney,
  known: Payment | undefined,
  complete: boolean,
): LandingStep | undefined => {
  if (money.outcome === 'reversed' || (money.outcome === 'rejected' && known)) {
    const counted = money.kind === 'running_total' ? partsOf(checkout, money) : known ? [known] : [];
    const reversed = reversedOf(counted.filter(({ outcome }) => outcome === 'accepted'));
    if (reversed.length > 0) return { ...reversePayments(checkout, reversed), reversed };
    // What came and went before we heard of it never counted.
    if (known || money.kind === 'running_total') return undefined;
  }
  if (known) return undefined;
  const amount = newAmount(checkout, money);
  if (amount === 0) return undefined;
  const outcome = money.outcome === 'accepted' ? 'accepted' : 'rejected';
  const { mode, businessId, provider, reference } = checkout;
  const owner = { mode, businessId, provider, owner: { kind: 'checkout', reference } } as const;
  const payment = paymentOf(made, owner, money, { amount, outcome, late: isLate(checkout, money.paidAt) });
  const step = outcome === 'accepted' ? acceptPayment(checkout, payment, complete) : rejectPayment(checkout, payment);
  return { ...step, payment };
};

/** What reported money means on a virtual account; undefined when it is recorded already, or was sent back before we heard of it. */
export const landOnVirtualAccount = (
  made: Made,
  account: VirtualAccount,
  money: ReportedMoney,
  known: Payment | undefined,
): { readonly received: Payment } | { readonly reversed: Payment } | undefined => {
  const { mode, businessId, provider } = account;
  const owner = { mode, businessId, provider, owner: { kind: 'virtual_account', id: account.id } } as const;
  if (money.outcome === 'accepted') {
    if (known) return undefined;
    const of = { amount: money.amount, outcome: 'accepted', late: false } as const;
    return { received: paymentOf(made, owner, money, of) };
  }
  return known?.outcome === 'accepted' ? { reversed: { ...known, outcome: 'reversed' } } : undefined;
};
