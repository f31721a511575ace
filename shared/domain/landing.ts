import {
  acceptPayment,
  type Checkout,
  type CheckoutStep,
  completePayment,
  isLate,
  rejectPayment,
  reversePayments,
} from './checkout.ts';
import { koboOwed, ZERO_KOBO } from './money.ts';
import type { Payment } from './payment.ts';
import { type ReportedMoney, type ReportedTransfer, type RunningTotal, totalId } from './provider-report.ts';
import type { Millis } from './time.ts';
import type { VirtualAccount } from './virtual-account.ts';

/* Money lands (architecture.md section 4): what a provider reports, as payments of ours. Pure. */

/**
 * What reported money is known by before it is a payment: the provider's id of a transfer, or a reference with the total that
 * was reached. A total that is reached again after a reversal is another payment; `reversals` tells them apart.
 */
export const transferIdOf = (money: ReportedMoney, reversals = 0): string => {
  if (money.kind === 'transfer') return money.transferId;
  const reached = totalId(money.payee.reference, money.amount);
  return reversals === 0 ? reached : `${reached}:${reversals}`;
};

/** What a payment is made of beside the report. */
interface Made {
  readonly id: string;
  readonly recordedAt: Millis;
}

const paymentOf = (
  { id, recordedAt }: Made,
  owner: Pick<Payment, 'mode' | 'businessId' | 'provider' | 'owner'>,
  money: ReportedMoney,
  of: Pick<Payment, 'transferId' | 'amount' | 'outcome' | 'late'>,
): Payment => ({
  ...owner,
  ...of,
  id,
  recordedAt,
  providerReference: money.providerReference,
  fee: money.fee,
  paidAt: money.paidAt ?? recordedAt,
  senderName: money.senderName,
  senderBank: money.senderBank,
});

/** A step of a checkout with the payment that is new and those that are reversed by it. */
export interface LandingStep extends CheckoutStep {
  readonly payment?: Payment;
  readonly reversed?: readonly Payment[];
}

/** Whom a checkout's payments are recorded for. */
const ownerOf = ({ mode, businessId, provider, reference }: Checkout) =>
  ({ mode, businessId, provider, owner: { kind: 'checkout', reference } }) as const;

/** A payment to be of the checkout. Where the provider tells no time it is not late: the provider itself refuses what is. */
const paymentFor = (made: Made, checkout: Checkout, money: ReportedMoney, of: Pick<Payment, 'amount' | 'transferId'>) =>
  paymentOf(made, ownerOf(checkout), money, {
    ...of,
    outcome: money.outcome === 'accepted' ? 'accepted' : 'rejected',
    late: money.paidAt !== null && isLate(checkout, money.paidAt),
  });

const asReversed = (payment: Payment): Payment => ({ ...payment, outcome: 'reversed' });

/** The provider takes the checkout as paid although nothing new came. */
const completeOnly = (made: Made, checkout: Checkout, money: ReportedMoney, complete: boolean) =>
  complete && money.outcome === 'accepted'
    ? completePayment(checkout, { ...money, paidAt: money.paidAt ?? made.recordedAt })
    : undefined;

const NOTHING_COUNTED = { counted: ZERO_KOBO, reversals: 0 } as const;

/** A running total counts by what it adds to what is counted under the same reference. */
const landTotal = (made: Made, checkout: Checkout, money: RunningTotal, complete: boolean): LandingStep | undefined => {
  const { reference } = money.payee;
  const { counted, reversals } = checkout.totals[reference] ?? NOTHING_COUNTED;
  const withTotal = (total: Checkout['totals'][string]): Checkout => ({
    ...checkout,
    totals: { ...checkout.totals, [reference]: total },
  });
  if (money.outcome === 'reversed') {
    if (counted === 0) return undefined;
    // Those that the checkout still carries along: it keeps the latest twenty.
    const reversed = checkout.payments
      .filter(({ transferId, outcome }) => outcome === 'accepted' && transferId.startsWith(`${reference}:`))
      .map(asReversed);
    const left = withTotal({ counted: ZERO_KOBO, reversals: reversals + 1 });
    return { ...reversePayments(left, reversed, counted), reversed };
  }
  const amount = koboOwed(money.amount, counted);
  if (amount === 0) return completeOnly(made, checkout, money, complete);
  const payment = paymentFor(made, checkout, money, { amount, transferId: transferIdOf(money, reversals) });
  return { ...acceptPayment(withTotal({ counted: money.amount, reversals }), payment, complete), payment };
};

const landTransfer = (
  made: Made,
  checkout: Checkout,
  money: ReportedTransfer,
  known: Payment | undefined,
  complete: boolean,
): LandingStep | undefined => {
  if (known?.outcome === 'accepted' && money.outcome !== 'accepted') {
    const reversed = [asReversed(known)];
    return { ...reversePayments(checkout, reversed, known.amount), reversed };
  }
  if (known) return known.outcome === 'accepted' ? completeOnly(made, checkout, money, complete) : undefined;
  if (money.amount === 0) return undefined;
  const payment = paymentFor(made, checkout, money, { amount: money.amount, transferId: money.transferId });
  // What came and went before we heard of it never counted: it is told as sent back.
  if (payment.outcome === 'rejected') return { ...rejectPayment(checkout, payment), payment };
  return { ...acceptPayment(checkout, payment, complete), payment };
};

/**
 * What reported money makes of a checkout; undefined when it changes nothing. `known` is the payment that is recorded under
 * the same id, `complete` whether the provider takes the checkout as paid.
 */
export const landOnCheckout = (
  made: Made,
  checkout: Checkout,
  money: ReportedMoney,
  known: Payment | undefined,
  complete: boolean,
): LandingStep | undefined =>
  money.kind === 'transfer'
    ? landTransfer(made, checkout, money, known, complete)
    : landTotal(made, checkout, money, complete);

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
    const of = { transferId: transferIdOf(money), amount: money.amount, outcome: 'accepted', late: false } as const;
    return { received: paymentOf(made, owner, money, of) };
  }
  return known?.outcome === 'accepted' ? { reversed: { ...known, outcome: 'reversed' } } : undefined;
};
