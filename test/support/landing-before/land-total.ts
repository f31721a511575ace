import { acceptPayment, type Checkout, reversePayments } from '#shared/checkouts/domain/checkout.ts';
import { isCompletedBy } from '#shared/checkouts/domain/completion.ts';
import {
  creditedOf,
  EMPTY_TOTAL,
  nextFee,
  nextOrigin,
  observed,
  originOfCredit,
  type RunningTotalState,
  withCredit,
  withdraw,
} from '#shared/checkouts/domain/running-total.ts';
import { asReversed, countedFrom, type Payment, withReview } from '#shared/payments/domain/payment.ts';
import { idWithTimeOf } from '#shared/platform/kernel/ids.ts';
import { addKobo, type Kobo, largerKobo, subtractDownToZero, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { type Refund, unseenRefunds } from '#shared/providers/domain/refund.ts';
import { type RunningTotal, sourceOf } from '#shared/providers/domain/report.ts';
import type { PaymentOrigin } from '#shared/providers/domain/source.ts';
import { completeOnly, type LandingContext, type LandingStep, newPayment, returnMoney } from './landing-step.ts';
import { diff, type Movement } from './movement.ts';
import { isStale, reportedPosition } from './position.ts';

/* How a running total changes a checkout. */

const totalOf = ({ totals }: Checkout, { payee }: RunningTotal): RunningTotalState | undefined =>
  totals[payee.reference];

const withTotal = (checkout: Checkout, { payee }: RunningTotal, total: RunningTotalState): Checkout => ({
  ...checkout,
  totals: { ...checkout.totals, [payee.reference]: total },
});

/** What a movement of a running total is applied to. */
interface Fold {
  readonly context: LandingContext;
  readonly checkout: Checkout;
  readonly money: RunningTotal;
  /** The total with the reported position, and what counted of it before. */
  readonly total: RunningTotalState;
}

const creditPart = ({ context, checkout, money, total }: Fold, { amount }: Movement): LandingStep => {
  const payment = newPayment(
    context,
    checkout,
    { ...money, fee: nextFee(total, money.fee) },
    { amount, origin: nextOrigin(money.payee.reference, total), outcome: 'accepted' },
  );
  const isCompleted = isCompletedBy(checkout, money, context.state);
  return { ...acceptPayment(withTotal(checkout, money, withCredit(total, payment)), payment, isCompleted), payment };
};

/** The newest parts are reversed. Of one that is returned in part, the rest becomes another payment by the same payer. */
const reverseParts = (fold: Fold, movement: Movement): LandingStep => {
  const { context, checkout, money, total } = fold;
  const { taken, left, amount, remainder } = withdraw(total, movement.amount);
  const known = new Map(context.parts?.map((payment) => [payment.id, payment]));
  const whole = taken.map(({ paymentId }) => {
    const part = known.get(paymentId);
    if (!part) throw new Error(`The payment ${paymentId} was not read.`);
    return asReversed(part);
  });
  const split = remainder > 0 ? whole.at(-1) : undefined;
  const reversed = split ? [...whole.slice(0, -1), { ...split, kept: remainder }] : whole;
  const isDone = amount === movement.amount;
  const returned = addKobo(total.returned, amount);
  const next: RunningTotalState = {
    ...total,
    // When nothing is kept any more, this reversal also announces what was returned without having counted.
    returned: isDone && money.kept === 0 ? largerKobo(returned, money.returned) : returned,
    falls: total.falls + 1,
    credits: [...left],
  };
  const rest: Payment | undefined =
    split &&
    withReview(
      {
        ...split,
        id: idWithTimeOf(split.id, context.id),
        recordedAt: context.recordedAt,
        restFrom: countedFrom(split),
        origin: nextOrigin(money.payee.reference, next),
        amount: remainder,
        outcome: 'accepted',
      },
      context,
    );
  const after = withTotal(checkout, money, rest ? withCredit(next, rest) : next);
  const complete = money.kept > 0 && isCompletedBy(checkout, money, context.state);
  const step = reversePayments(after, reversed, amount, { rest, complete });
  return { ...step, reversed, ...(rest && { payment: rest }), isPartial: !isDone };
};

const returnPart = ({ context, checkout, money, total }: Fold, { amount }: Movement): LandingStep => {
  const { returned, payee } = money;
  const origin = { kind: 'returned', reference: payee.reference, returned } as const;
  // The fee of a total is that of what the provider keeps.
  const reported = { ...money, fee: money.kept > 0 ? ZERO_KOBO : money.fee };
  const payment = newPayment(context, checkout, reported, { amount, origin, outcome: 'rejected' });
  // No fall: nothing of it counted. A right amount that follows at once must not wait as a report that may be older.
  return returnMoney(withTotal(checkout, money, { ...total, returned }), money, payment);
};

/** The report as refunds leave it that its look-up does not show, and what is known of the total after it. */
const withRefunds = (before: RunningTotalState | undefined, money: RunningTotal, refund: Refund | undefined) => {
  const seen = observed(before, money, refund);
  const kept = subtractDownToZero(money.kept, unseenRefunds(seen.refunds, seen.shown));
  const returned = addKobo(money.returned, subtractDownToZero(money.kept, kept));
  return { seen, money: { ...money, kept, returned } };
};

/** What counts of a total, and what its books have as returned. */
const countedOf = (total: RunningTotalState) => ({ kept: creditedOf(total), returned: total.returned });

/**
 * Whether a total fell by what refunds had taken out of it already, which no reversal notes. A part that comes then is another one than
 * the part that reached the same total before.
 */
const isKeptLower = (before: RunningTotalState | undefined, kept: Kobo, movement: Movement | undefined): boolean => {
  if (!before || movement?.kind === 'reversed') return false;
  return kept < before.kept || (kept === before.kept && movement?.kind === 'credited');
};

/** The next step that a report of a running total causes; undefined when nothing changes; `stale` when it may be older than what counts. */
export const landTotal = (
  context: LandingContext,
  checkout: Checkout,
  reported: RunningTotal,
): LandingStep | 'stale' | undefined => {
  const before = totalOf(checkout, reported);
  const source = sourceOf(reported);
  const isOlder =
    before && isStale({ ...before, source }, reportedPosition(reported, context.askedAt), before.falls > 0);
  if (isOlder) return 'stale';
  const { money, seen } = withRefunds(before, reported, context.refund);
  const [movement, ...rest] = diff(before && countedOf(before), reportedPosition(money, context.askedAt));
  const isLower = isKeptLower(before, seen.kept, movement);
  const falls = (before?.falls ?? 0) + (isLower ? 1 : 0);
  const total = { ...(before ?? EMPTY_TOTAL), ...seen, falls, observedAt: context.recordedAt };
  if (!movement) {
    const isKnown = before && before.kept === seen.kept && before.refunds?.length === seen.refunds?.length;
    if (isKnown) return completeOnly(context, checkout, money);
    // Nothing to announce, but an older report that is still under way must count as stale.
    const next = withTotal(checkout, money, total);
    return completeOnly(context, next, money) ?? { checkout: next, announce: null };
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

/** The origins of the parts that a report of a running total reverses. Empty unless it falls. */
export const partsToRead = (
  checkout: Checkout,
  reported: RunningTotal,
  refund: Refund | undefined,
): readonly PaymentOrigin[] => {
  const total = totalOf(checkout, reported);
  if (!total) return [];
  const { money } = withRefunds(total, reported, refund);
  const [movement] = diff(countedOf(total), reportedPosition(money, 0));
  if (movement?.kind !== 'reversed') return [];
  return withdraw(total, movement.amount).taken.map((credit) => originOfCredit(money.payee.reference, credit));
};
