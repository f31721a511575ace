import {
  acceptPayment,
  type Checkout,
  type CheckoutStep,
  completePayment,
  isLate,
  rejectPayment,
  reversePayments,
} from './checkout.ts';
import { addKobo, type Kobo, koboOwed, subtractKobo, ZERO_KOBO } from './money.ts';
import type { Payment } from './payment.ts';
import { type ReportedMoney, type ReportedTransfer, type RunningTotal, returnId, totalId } from './provider-report.ts';
import { type Millis, SECOND } from './time.ts';
import type { VirtualAccount } from './virtual-account.ts';

/* Money lands (architecture.md section 4): what a provider reports, as payments of ours. Pure. */

/**
 * What reported money is known by before it is a payment: the provider's id of a transfer, or a reference with the total that
 * was reached. A total that is reached again after it fell is another payment; `reversals` tells them apart.
 */
export const transferIdOf = (money: ReportedMoney, reversals = 0): string => {
  if (money.kind === 'transfer') return money.transferId;
  const reached = totalId(money.payee.reference, money.amount);
  return reversals === 0 ? reached : `${reached}:${reversals}`;
};

/** What reported money is kept under while nobody's: of a running total there is one entry, its latest answer. */
export const unmatchedIdOf = (money: ReportedMoney): string =>
  money.kind === 'transfer' ? money.transferId : `${money.payee.reference}:total`;

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

/** What is made of a report by somebody who asked the provider for it. */
interface Asked extends Made {
  /** When the asking began; 0 where that is not known. */
  readonly askedAt: Millis;
}

const asReversed = (payment: Payment): Payment => ({ ...payment, outcome: 'reversed' });

/** The provider takes the checkout as paid although nothing new came. */
const completeOnly = (made: Made, checkout: Checkout, money: ReportedMoney, complete: boolean) =>
  complete && money.outcome === 'accepted'
    ? completePayment(checkout, { ...money, paidAt: money.paidAt ?? made.recordedAt })
    : undefined;

type Total = Checkout['totals'][string];

const NOTHING_COUNTED: Total = { counted: ZERO_KOBO, changedAt: 0, reversals: 0, fell: ZERO_KOBO };

const totalOf = ({ totals }: Checkout, reference: string): Total => totals[reference] ?? NOTHING_COUNTED;

/** What the provider keeps of a running total, in kobo. */
const keptOf = ({ outcome, amount }: RunningTotal): Kobo => (outcome === 'reversed' ? ZERO_KOBO : amount);

/** Longer than the clocks of our containers differ, and than one server of a provider lags behind another. */
const CERTAINTY = 30 * SECOND;

/**
 * Whether a total is newer than the one that counts: it was asked for after that one was recorded, as an older answer that is
 * heard late looks the same. Where it may be a fall, or one came before, well after.
 */
const isNewer = ({ counted, changedAt, reversals }: Total, kept: Kobo, askedAt: Millis): boolean =>
  askedAt >= changedAt + (kept > counted && reversals === 0 ? 0 : CERTAINTY);

/** The accepted parts of a running total that the checkout still carries along: it keeps the latest twenty payments. Newest first. */
const partsOf = ({ payments }: Checkout, reference: string): readonly Payment[] =>
  payments.filter(({ outcome, transferId }) => outcome === 'accepted' && transferId.startsWith(`${reference}:`));

/** The newest accepted parts that hold the amount, as reversed; and how much of the last one stays. */
const takeBack = (
  checkout: Checkout,
  reference: string,
  amount: Kobo,
): { readonly reversed: readonly Payment[]; readonly stays: Kobo } => {
  const reversed: Payment[] = [];
  let gone = ZERO_KOBO;
  for (const part of partsOf(checkout, reference)) {
    if (gone >= amount) break;
    gone = addKobo(gone, part.amount);
    reversed.push(asReversed(part));
  }
  return { reversed, stays: koboOwed(gone, amount) };
};

/** Some of a running total went back, or all of it. Of a payment that went back in part, the rest is another payment by the same payer. */
const fallTotal = (made: Asked, checkout: Checkout, money: RunningTotal, complete: boolean): LandingStep => {
  const { reference } = money.payee;
  const before = totalOf(checkout, reference);
  const kept = keptOf(money);
  const fell = subtractKobo(before.counted, kept);
  const total: Total = { counted: kept, changedAt: made.recordedAt, reversals: before.reversals + 1, fell };
  const { reversed, stays } = takeBack(checkout, reference, fell);
  const split = stays > 0 ? reversed.at(-1) : undefined;
  const payment: Payment | undefined = split && {
    ...split,
    id: made.id,
    recordedAt: made.recordedAt,
    transferId: transferIdOf(money, total.reversals),
    amount: stays,
    outcome: 'accepted',
  };
  const next = { ...checkout, totals: { ...checkout.totals, [reference]: total } };
  const left = { stays: payment, complete: complete && kept > 0 };
  return { ...reversePayments(next, reversed, fell, left), reversed, ...(payment && { payment }) };
};

/** All of it went back before we heard of it: told as sent back, and remembered, as an older answer may still be on its way. */
const sendBackTotal = (made: Asked, checkout: Checkout, money: RunningTotal): LandingStep | undefined => {
  const { amount, payee } = money;
  const isTold = checkout.payments.some(({ transferId }) => transferId === returnId(payee.reference, amount));
  if (amount === 0 || isTold) return undefined;
  const payment = paymentFor(made, checkout, money, { amount, transferId: transferIdOf(money) });
  const total: Total = { ...NOTHING_COUNTED, changedAt: made.recordedAt, reversals: 1, fell: amount };
  const next = { ...checkout, totals: { ...checkout.totals, [payee.reference]: total } };
  return { ...rejectPayment(next, payment), payment };
};

/** The fee of a new part: the provider tells that of the whole total. */
const withOwnFee = (checkout: Checkout, money: RunningTotal): RunningTotal => {
  const charged = partsOf(checkout, money.payee.reference).reduce((sum, { fee }) => addKobo(sum, fee), ZERO_KOBO);
  return { ...money, fee: koboOwed(money.fee, charged) };
};

/** A running total counts by what it adds to what is counted under the same reference, or takes from it. */
const landTotal = (
  made: Asked,
  checkout: Checkout,
  money: RunningTotal,
  complete: boolean,
): LandingStep | undefined => {
  const { reference } = money.payee;
  const before = totalOf(checkout, reference);
  const kept = keptOf(money);
  if (kept === before.counted) {
    const isUnheard = before === NOTHING_COUNTED && money.outcome === 'reversed';
    return isUnheard ? sendBackTotal(made, checkout, money) : completeOnly(made, checkout, money, complete);
  }
  if (!isNewer(before, kept, made.askedAt)) return undefined;
  if (kept < before.counted) return fallTotal(made, checkout, money, complete);
  const of = { amount: subtractKobo(kept, before.counted), transferId: transferIdOf(money, before.reversals) };
  const payment = paymentFor(made, checkout, withOwnFee(checkout, money), of);
  const total: Total = { ...before, counted: kept, changedAt: made.recordedAt };
  const next = { ...checkout, totals: { ...checkout.totals, [reference]: total } };
  return { ...acceptPayment(next, payment, complete), payment };
};

/** Whether what counts on a checkout is what was reported of a running total. Where it is not, the report was older than what counts, or so close upon it that it might be. */
export const countsAs = (checkout: Checkout, money: ReportedMoney): boolean =>
  money.kind === 'transfer' || totalOf(checkout, money.payee.reference).counted === keptOf(money);

/** Whether it is what a running total fell by the last time: its reversal has told of it. */
const isToldOf = (checkout: Checkout, { payee, transferId }: ReportedTransfer): boolean =>
  payee.by === 'our_reference' && transferId === returnId(payee.reference, totalOf(checkout, payee.reference).fell);

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
  if (money.amount === 0 || isToldOf(checkout, money)) return undefined;
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
  made: Asked,
  checkout: Checkout,
  money: ReportedMoney,
  known: Payment | undefined,
  complete: boolean,
): LandingStep | undefined =>
  money.kind === 'transfer'
    ? landTransfer(made, checkout, money, known, complete)
    : landTotal(made, checkout, money, complete);

/** What reported money means on a virtual account; undefined when it changes nothing. What went back before we heard of it is only recorded, so that older news of it counts for nothing. */
export const landOnVirtualAccount = (
  made: Made,
  account: VirtualAccount,
  money: ReportedMoney,
  known: Payment | undefined,
): { readonly received: Payment } | { readonly reversed: Payment } | { readonly sentBack: Payment } | undefined => {
  const { mode, businessId, provider } = account;
  const owner = { mode, businessId, provider, owner: { kind: 'virtual_account', id: account.id } } as const;
  const isKept = money.outcome === 'accepted';
  if (known) return known.outcome === 'accepted' && !isKept ? { reversed: asReversed(known) } : undefined;
  if (money.amount === 0) return undefined;
  const of = { transferId: transferIdOf(money), amount: money.amount, late: false } as const;
  return isKept
    ? { received: paymentOf(made, owner, money, { ...of, outcome: 'accepted' }) }
    : { sentBack: paymentOf(made, owner, money, { ...of, outcome: 'rejected' }) };
};
