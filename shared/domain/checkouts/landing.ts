import { addKobo, type Kobo, koboOwed, largerKobo, subtractKobo, ZERO_KOBO } from '#shared/domain/kernel/money.ts';
import { type Millis, SECOND } from '#shared/domain/kernel/time.ts';
import type { Payment } from '#shared/domain/money/payment.ts';
import {
  type ReportedMoney,
  type ReportedTransfer,
  type RunningTotal,
  returnId,
  totalId,
} from '#shared/domain/money/report.ts';
import type { UnmatchedPayment } from '#shared/domain/money/unmatched-payment.ts';
import type { VirtualAccount } from '#shared/domain/virtual-accounts/virtual-account.ts';
import {
  acceptPayment,
  type Checkout,
  type CheckoutStep,
  completePayment,
  isLate,
  rejectPayment,
  reversePayments,
} from './checkout.ts';

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

/** How a name goes on under which money is recorded that a provider keeps again. */
const KEPT_AGAIN = ':kept-again';

/**
 * A transfer that went back and is kept after all, as when a refund fails: it is another payment, since its owner was told
 * that the first one went back.
 */
export const keptAgain = (money: ReportedTransfer): ReportedTransfer => ({
  ...money,
  transferId: `${money.transferId}${KEPT_AGAIN}`,
});

/** Whether this money went back before. Only people know what was agreed upon since, so that it never lands by itself. */
export const isKeptAgain = (money: ReportedMoney): money is ReportedTransfer =>
  money.kind === 'transfer' && money.transferId.endsWith(KEPT_AGAIN);

/** What reported money is kept under while nobody's: of a running total there is one entry, its latest answer. */
export const unmatchedIdOf = (money: ReportedMoney): string =>
  money.kind === 'transfer' ? money.transferId : `${money.payee.reference}:total`;

/** What a provider tells of unmatched money by now, under the name that it is kept under; undefined where it tells nothing of it. */
export const toldOfUnmatched = (
  { transferId }: UnmatchedPayment,
  told: readonly ReportedMoney[],
): ReportedMoney | undefined => {
  const name = transferId.replaceAll(KEPT_AGAIN, '');
  const money = told.find((one) => unmatchedIdOf(one) === name);
  return money?.kind === 'transfer' ? { ...money, transferId } : money;
};

/** Whether money is the provider's no more: it was sent back, on arrival or later. */
export const wentBack = ({ outcome }: ReportedMoney): boolean => outcome !== 'accepted';

/** The reference of whose running total it tells what went back; undefined for a transfer that goes by itself, and for a total. */
export const referenceOfReturn = (money: ReportedMoney): string | undefined => {
  if (money.kind !== 'transfer' || money.payee.by !== 'our_reference') return undefined;
  const { reference } = money.payee;
  return money.transferId === returnId(reference, money.amount) ? reference : undefined;
};

/**
 * Whether a report takes the place of what is kept of the same money while it is nobody's. What a transfer is told as first
 * stands until it goes back, and that is for good; of a running total the latest answer stands.
 */
export const isNewsOf = (kept: UnmatchedPayment, money: ReportedMoney, askedAt: Millis): boolean =>
  money.kind === 'transfer' ? wentBack(money) && !wentBack(kept.money) : askedAt >= kept.askedAt;

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

const withTotal = (checkout: Checkout, reference: string, total: Total): Checkout => ({
  ...checkout,
  totals: { ...checkout.totals, [reference]: total },
});

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
  const gone = subtractKobo(before.counted, kept);
  const total: Total = {
    counted: kept,
    changedAt: made.recordedAt,
    reversals: before.reversals + 1,
    // What else went back with it, and never counted, is told by this too.
    fell: largerKobo(addKobo(before.fell, gone), wentBack(money) ? money.amount : ZERO_KOBO),
  };
  const { reversed, stays } = takeBack(checkout, reference, gone);
  const split = stays > 0 ? reversed.at(-1) : undefined;
  const payment: Payment | undefined = split && {
    ...split,
    id: made.id,
    recordedAt: made.recordedAt,
    transferId: transferIdOf(money, total.reversals),
    amount: stays,
    outcome: 'accepted',
  };
  const left = { stays: payment, complete: complete && kept > 0 };
  const next = withTotal(checkout, reference, total);
  return { ...reversePayments(next, reversed, gone, left), reversed, ...(payment && { payment }) };
};

/** Whether it has been told that so much (kobo) of a reference's money went back. */
const isTold = (checkout: Checkout, reference: string, returned: Kobo): boolean =>
  returned <= totalOf(checkout, reference).fell ||
  checkout.payments.some(({ transferId }) => transferId === returnId(reference, returned));

/** Whether it was told as sent back on arrival: what only a notification tells goes by the transaction's name and more (the adapters' notifications.ts). */
const isRejection = ({ transferId, providerReference }: Payment): boolean =>
  transferId !== providerReference && transferId.startsWith(providerReference);

/** Whether one tells that money of a transaction was sent back on arrival, and the other that as much of the same one is gone. */
const isSameReturn = (one: Payment, other: Payment): boolean => {
  if (isRejection(one) === isRejection(other) || one.amount !== other.amount) return false;
  const [{ providerReference }, gone] = isRejection(one) ? [one, other] : [other, one];
  return providerReference === gone.providerReference || providerReference === gone.transferId;
};

/** What went back and never counted is told as sent back, once: where the same was told before, it is only recorded. */
const tellSentBack = (checkout: Checkout, payment: Payment): LandingStep => {
  const told = checkout.payments.find(
    (one) => one.outcome === 'rejected' && one.toldAgainAs === undefined && isSameReturn(one, payment),
  );
  if (!told) return { ...rejectPayment(checkout, payment), payment };
  const payments = checkout.payments.map((one) => (one === told ? { ...one, toldAgainAs: payment.transferId } : one));
  return { checkout: { ...checkout, payments }, announce: null, payment };
};

/** What went back without having counted, as far as it has not been told: as sent back. */
const sendBack = (
  made: Made,
  before: Checkout,
  after: Checkout,
  money: RunningTotal | ReportedTransfer,
  ref: string,
) => {
  const amount = subtractKobo(money.amount, totalOf(before, ref).fell);
  const payment = paymentFor(made, before, money, { amount, transferId: returnId(ref, money.amount) });
  return tellSentBack(after, payment);
};

/** All of it went back, and none of it counts: what nobody heard of is told, and that it fell is remembered, as an older answer may still be on its way. */
const sendBackTotal = (made: Asked, checkout: Checkout, money: RunningTotal): LandingStep | undefined => {
  const { amount, payee } = money;
  const before = totalOf(checkout, payee.reference);
  const told = isTold(checkout, payee.reference, amount);
  if (told && before.reversals > 0) return undefined;
  const total: Total = {
    counted: ZERO_KOBO,
    changedAt: made.recordedAt,
    reversals: before.reversals + 1,
    fell: largerKobo(before.fell, amount),
  };
  const next = withTotal(checkout, payee.reference, total);
  return told ? { checkout: next, announce: null } : sendBack(made, checkout, next, money, payee.reference);
};

/** The fee of a new part: the provider tells that of the whole total. None where a part is not carried along any more, whose fee may be in it. */
const withOwnFee = (checkout: Checkout, money: RunningTotal): RunningTotal => {
  const parts = partsOf(checkout, money.payee.reference);
  const sumOf = (amounts: readonly Kobo[]): Kobo => amounts.reduce(addKobo, ZERO_KOBO);
  const isWhole = sumOf(parts.map(({ amount }) => amount)) === totalOf(checkout, money.payee.reference).counted;
  return { ...money, fee: isWhole ? koboOwed(money.fee, sumOf(parts.map(({ fee }) => fee))) : ZERO_KOBO };
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
    return wentBack(money) ? sendBackTotal(made, checkout, money) : completeOnly(made, checkout, money, complete);
  }
  if (!isNewer(before, kept, made.askedAt)) return undefined;
  if (kept < before.counted) return fallTotal(made, checkout, money, complete);
  const of = { amount: subtractKobo(kept, before.counted), transferId: transferIdOf(money, before.reversals) };
  const payment = paymentFor(made, checkout, withOwnFee(checkout, money), of);
  const total: Total = { ...before, counted: kept, changedAt: made.recordedAt };
  return { ...acceptPayment(withTotal(checkout, reference, total), payment, complete), payment };
};

/** Whether what counts on a checkout is what was reported of a running total. Where it is not, the report was older than what counts, or so close upon it that it might be. */
export const countsAs = (checkout: Checkout, money: ReportedMoney): boolean =>
  money.kind === 'transfer' || totalOf(checkout, money.payee.reference).counted === keptOf(money);

/**
 * What a provider tells of what went back under a reference in all (provider-report.ts): told as far as it has not been. It may
 * have been kept for a while, so that an older answer, still on its way, tells more than is kept now.
 */
const landReturn = (made: Made, checkout: Checkout, money: ReportedTransfer, ref: string): LandingStep | undefined => {
  if (isTold(checkout, ref, money.amount)) return undefined;
  const { counted, reversals } = totalOf(checkout, ref);
  const total: Total = { counted, changedAt: made.recordedAt, reversals: reversals + 1, fell: money.amount };
  return sendBack(made, checkout, withTotal(checkout, ref, total), money, ref);
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
  const ofTotal = referenceOfReturn(money);
  if (ofTotal !== undefined) return landReturn(made, checkout, money, ofTotal);
  const payment = paymentFor(made, checkout, money, { amount: money.amount, transferId: money.transferId });
  // What came and went before we heard of it never counted: it is told as sent back.
  if (payment.outcome === 'rejected') return tellSentBack(checkout, payment);
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
