import { addKobo, largerKobo, ZERO_KOBO } from '#shared/domain/kernel/money.ts';
import type { Millis } from '#shared/domain/kernel/time.ts';
import { diff, type Movement } from '#shared/domain/money/movement.ts';
import { asReversed, type NewPayment, type Payment, paymentFrom } from '#shared/domain/money/payment.ts';
import { isStale, recordedPosition, reportedPosition } from '#shared/domain/money/position.ts';
import {
  isReturned,
  type ReportedMoney,
  type ReportedRejection,
  type ReportedTransfer,
  type RunningTotal,
  singleSourceOf,
  sourceOf,
} from '#shared/domain/money/report.ts';
import type { PaymentOrigin } from '#shared/domain/money/source.ts';
import { noteReturn } from './announced-returns.ts';
import {
  acceptPayment,
  type Checkout,
  type CheckoutStep,
  completePayment,
  isLate,
  rejectPayment,
  reversePayments,
} from './checkout.ts';
import {
  creditedOf,
  EMPTY_TOTAL,
  nextFee,
  originOfCredit,
  type RunningTotalState,
  withCredit,
  withdraw,
} from './running-total.ts';

/* What reported money makes of a checkout: its movements, folded into the checkout's state one at a time. Pure. */

/** A step of a checkout with the payments that cause it. */
export interface LandingStep extends CheckoutStep {
  /** A payment that is new. */
  readonly payment?: Payment;
  /** Payments that counted until now. */
  readonly reversed?: readonly Payment[];
  /** The same report causes another step after this one. */
  readonly isPartial?: boolean;
}

/** Everything that a landing is decided on, beside the checkout and the report. */
export interface LandingContext extends NewPayment {
  /** When we began to ask for the report, in milliseconds; 0 where that is not known. */
  readonly askedAt: Millis;
  /** The payment that is recorded of the same transfer or rejection. */
  readonly known?: Payment | undefined;
  /** Whether the provider takes the checkout as paid. */
  readonly complete: boolean;
  /** The payments that `paymentsToRead` asked for. */
  readonly parts?: readonly Payment[];
}

/** Whom a checkout's payments are recorded for. */
const ownerOf = ({ mode, businessId, provider, reference }: Checkout) =>
  ({ mode, businessId, provider, owner: { kind: 'checkout', reference } }) as const;

/** A payment of the checkout. Where the provider reports no time it is not late: the provider itself refuses what is. */
const newPayment = (
  context: LandingContext,
  checkout: Checkout,
  money: ReportedMoney,
  of: Pick<Payment, 'amount' | 'origin' | 'outcome'>,
): Payment =>
  paymentFrom(context, ownerOf(checkout), money, {
    ...of,
    late: money.paidAt !== null && isLate(checkout, money.paidAt),
  });

/** Nothing moved; the provider may take the checkout as paid with what counts already. */
const completeOnly = (context: LandingContext, checkout: Checkout, money: ReportedMoney): LandingStep | undefined =>
  context.complete && !isReturned(money)
    ? completePayment(checkout, { ...money, paidAt: money.paidAt ?? context.recordedAt })
    : undefined;

/** Money was returned that never counted: recorded, and announced unless it was before. */
const returnMoney = (checkout: Checkout, money: ReportedMoney, payment: Payment): LandingStep => {
  const { announcedReturns, isNew } = noteReturn(checkout.announcedReturns, {
    transaction: money.kind === 'transfer' ? money.transferId : money.providerReference,
    amount: payment.amount,
    reportedBy: money.kind === 'rejection' ? 'notification' : 'look_up',
  });
  const next = { ...checkout, announcedReturns };
  return isNew ? { ...rejectPayment(next, payment), payment } : { checkout: next, announce: null, payment };
};

const landTransfer = (
  context: LandingContext,
  checkout: Checkout,
  money: ReportedTransfer | ReportedRejection,
): LandingStep | undefined => {
  const { known, askedAt, complete } = context;
  const origin = singleSourceOf(money);
  // The amount of a transfer is final once it is recorded.
  const now = reportedPosition({ ...money, amount: known?.amount ?? money.amount }, askedAt);
  const [movement] = diff(known && recordedPosition(origin, known), now);
  const of = { origin, amount: money.amount };
  switch (movement?.kind) {
    case 'credited': {
      const payment = newPayment(context, checkout, money, { ...of, outcome: 'accepted' });
      return { ...acceptPayment(checkout, payment, complete), payment };
    }
    case 'returned':
      return returnMoney(checkout, money, newPayment(context, checkout, money, { ...of, outcome: 'rejected' }));
    case 'reversed': {
      const reversed = known ? [asReversed(known)] : [];
      return { ...reversePayments(checkout, reversed, movement.amount), reversed };
    }
    case 'reinstated':
      return undefined;
    case undefined:
      return known?.outcome === 'accepted' ? completeOnly(context, checkout, money) : undefined;
  }
};

const totalOf = ({ totals }: Checkout, { payee }: RunningTotal): RunningTotalState | undefined =>
  totals[payee.reference];

const withTotal = (checkout: Checkout, { payee }: RunningTotal, total: RunningTotalState): Checkout => ({
  ...checkout,
  totals: { ...checkout.totals, [payee.reference]: total },
});

/** What a movement of a running total is folded on. */
interface Fold {
  readonly context: LandingContext;
  readonly checkout: Checkout;
  readonly money: RunningTotal;
  /** The total with the reported position, and what counted of it before. */
  readonly total: RunningTotalState;
}

const creditPart = ({ context, checkout, money, total }: Fold, { amount }: Movement): LandingStep => {
  const { reference } = money.payee;
  const payment = newPayment(
    context,
    checkout,
    { ...money, fee: nextFee(total, money.fee) },
    { amount, origin: { kind: 'part', reference, reached: money.kept, falls: total.falls }, outcome: 'accepted' },
  );
  return {
    ...acceptPayment(withTotal(checkout, money, withCredit(total, payment)), payment, context.complete),
    payment,
  };
};

/** The newest parts are reversed. Of one that is returned in part, the rest becomes another payment by the same payer. */
const reverseParts = (fold: Fold, movement: Movement): LandingStep => {
  const { context, checkout, money, total } = fold;
  const { taken, left, amount, remainder } = withdraw(total, movement.amount);
  const known = new Map(context.parts?.map((payment) => [payment.id, payment]));
  const reversed = taken.map(({ paymentId }) => {
    const part = known.get(paymentId);
    if (!part) throw new Error(`The payment ${paymentId} was not read.`);
    return asReversed(part);
  });
  const isDone = amount === movement.amount;
  const returned = addKobo(total.returned, amount);
  const next: RunningTotalState = {
    ...total,
    // What was returned with the last of it and never counted is announced by this, too.
    returned: isDone && money.kept === 0 ? largerKobo(returned, money.returned) : returned,
    falls: total.falls + 1,
    credits: [...left],
  };
  const split = remainder > 0 ? reversed.at(-1) : undefined;
  const stays: Payment | undefined = split && {
    ...split,
    id: context.id,
    recordedAt: context.recordedAt,
    origin: { kind: 'part', reference: money.payee.reference, reached: money.kept, falls: next.falls },
    amount: remainder,
    outcome: 'accepted',
  };
  const after = withTotal(checkout, money, stays ? withCredit(next, stays) : next);
  const step = reversePayments(after, reversed, amount, { stays, complete: context.complete && money.kept > 0 });
  return { ...step, reversed, ...(stays && { payment: stays }), isPartial: !isDone };
};

const returnPart = ({ context, checkout, money, total }: Fold, { amount }: Movement): LandingStep => {
  const { returned, payee } = money;
  const origin = { kind: 'returned', reference: payee.reference, returned } as const;
  // The fee of a total is that of what the provider keeps.
  const reported = { ...money, fee: money.kept > 0 ? ZERO_KOBO : money.fee };
  const payment = newPayment(context, checkout, reported, { amount, origin, outcome: 'rejected' });
  return returnMoney(withTotal(checkout, money, { ...total, returned, falls: total.falls + 1 }), money, payment);
};

const landTotal = (
  context: LandingContext,
  checkout: Checkout,
  money: RunningTotal,
): LandingStep | 'stale' | undefined => {
  const before = totalOf(checkout, money);
  const now = reportedPosition(money, context.askedAt);
  const source = sourceOf(money);
  if (before && isStale({ ...before, source }, now, before.falls > 0)) return 'stale';
  const [movement, ...rest] = diff(before && { kept: creditedOf(before), returned: before.returned }, now);
  const total = { ...(before ?? EMPTY_TOTAL), kept: money.kept, observedAt: context.recordedAt };
  if (!movement) {
    if (before || money.kept > 0) return completeOnly(context, checkout, money);
    // Nothing to announce, but an older report may still be under way.
    return { checkout: withTotal(checkout, money, { ...total, falls: 1 }), announce: null };
  }
  const fold = { context, checkout, money, total };
  const step =
    movement.kind === 'reversed'
      ? reverseParts(fold, movement)
      : movement.kind === 'returned'
        ? returnPart(fold, movement)
        : creditPart(fold, movement);
  return { ...step, isPartial: step.isPartial === true || rest.length > 0 };
};

/**
 * The origins of the payments that a report reverses, to be read before the landing is decided: a checkout shows its newest
 * payments only. Empty unless a running total falls.
 */
export const paymentsToRead = (checkout: Checkout, money: ReportedMoney): readonly PaymentOrigin[] => {
  const total = money.kind === 'running_total' ? totalOf(checkout, money) : undefined;
  if (money.kind !== 'running_total' || !total) return [];
  const [movement] = diff({ kept: creditedOf(total), returned: total.returned }, reportedPosition(money, 0));
  if (movement?.kind !== 'reversed') return [];
  return withdraw(total, movement.amount).taken.map((credit) => originOfCredit(money.payee.reference, credit));
};

/**
 * The next step that reported money makes of a checkout; undefined when it changes nothing; `stale` when the report may be older than
 * what counts (isStale). A step that is partial is to be recorded before the same report is applied again.
 */
export const landOnCheckout = (
  context: LandingContext,
  checkout: Checkout,
  money: ReportedMoney,
): LandingStep | 'stale' | undefined =>
  money.kind === 'running_total' ? landTotal(context, checkout, money) : landTransfer(context, checkout, money);
