import {
  type CumulativeReportState,
  EMPTY_TOTAL,
  nextFee,
  nextOrigin,
  originOfCredit,
  sumCredits,
  withCredit,
  withdraw,
  withReport,
} from '#shared/checkouts/domain/cumulative-report.ts';
import {
  asReversed,
  getBookedAt,
  type NewPaymentContext,
  type Payment,
  withReview,
} from '#shared/payments/domain/payment.ts';
import { copyIdTime } from '#shared/platform/kernel/ids.ts';
import { addKobo, type Kobo, largerKobo, subtractDownToZero, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { type Refund, sumUnseenRefunds } from '#shared/providers/domain/refund.ts';
import type { CumulativeReport, MoneyReport } from '#shared/providers/domain/report.ts';
import type { PaymentOrigin } from '#shared/providers/domain/source.ts';
import type { LandingCheckout, ReportedChange } from './landing.ts';
import { newPayment } from './new-payment.ts';
import { findMovements, isStale, type Movement } from './total-movements.ts';

/* A cumulative report is one sum under one reference. Each growth becomes a payment, and each fall reverses payments. */

type TotalReport = MoneyReport & { readonly money: CumulativeReport };

/** A change of a total, and the total after it. */
type Step = Omit<ReportedChange, 'total'> & { readonly total: CumulativeReportState | undefined };

/** Subtracts from a report the refunds that look-ups do not show. Then finds the movements from the money that counted before to the reduced report. */
const netOfRefunds = (
  before: CumulativeReportState | undefined,
  reported: CumulativeReport,
  refund: Refund | undefined,
) => {
  const reportedTotal = withReport(before, reported, refund);
  const unseen = sumUnseenRefunds(reportedTotal.refunds, reportedTotal.shown);
  const netKept = subtractDownToZero(reported.kept, unseen);
  // The subtracted refunds count as returned money. They are at most the amount that was kept.
  const returned = addKobo(reported.returned, subtractDownToZero(reported.kept, netKept));
  const money: CumulativeReport = { ...reported, kept: netKept, returned };
  const counted = before && { kept: sumCredits(before), returned: before.returned };
  return { reportedTotal, money, movements: findMovements(counted, money) };
};

/**
 * Whether the kept amount fell, but no payment is reversed, because the refunds behind the fall were subtracted before. Such a fall must
 * count, too. The origin of a part consists of the amount that the total reached and the number of falls before. So without the count, a
 * new part could get the origin of an earlier part.
 */
const isSilentFall = (
  before: CumulativeReportState | undefined,
  keptAmount: Kobo,
  movement: Movement | undefined,
): boolean => {
  if (!before || movement?.kind === 'reversed') return false;
  // If the amount is equal although money came, it fell and rose again between two look-ups.
  return keptAmount < before.kept || (keptAmount === before.kept && movement?.kind === 'credited');
};

/** Records the growth of a total as a payment. */
const credit = (
  owner: LandingCheckout,
  report: TotalReport,
  context: NewPaymentContext,
  total: CumulativeReportState,
  { amount }: Movement,
): Omit<Step, 'isPartial'> => {
  const { money } = report;
  const reported = { ...report, money: { ...money, fee: nextFee(total, money.fee) } };
  const origin = nextOrigin(money.payee.reference, total);
  const payment = newPayment(owner, reported, context, { amount, origin, outcome: 'accepted' });
  return { change: { kind: 'credited', payment }, total: withCredit(total, payment) };
};

/**
 * Records the return of money that never counted. It does not increase `falls`. After a fall, a report of another amount is stale unless it was
 * asked for STALE_READ_MARGIN or more after the total was recorded (isStale). So the right amount, which the payer sends next, would have to wait.
 */
const recordRejection = (
  owner: LandingCheckout,
  report: TotalReport,
  context: NewPaymentContext,
  total: CumulativeReportState,
  { amount }: Movement,
): Omit<Step, 'isPartial'> => {
  const { kept, returned, payee, fee } = report.money;
  // The fee of a total belongs to the money that the provider keeps.
  const reported = { ...report, money: { ...report.money, fee: kept > 0 ? ZERO_KOBO : fee } };
  const origin = { kind: 'returned', reference: payee.reference, returned } as const;
  const payment = newPayment(owner, reported, context, { amount, origin, outcome: 'rejected' });
  return { change: { kind: 'rejected', payment }, total: { ...total, returned } };
};

/** Reverses the newest parts. The remainder of a part that is returned only partly becomes another payment by the same payer. */
const reverse = (
  { kept, returned, payee }: CumulativeReport,
  context: NewPaymentContext,
  affected: readonly Payment[],
  total: CumulativeReportState,
  movement: Movement,
): Step => {
  const { taken, left, amount, remainder: remainingAmount } = withdraw(total, movement.amount);
  const paymentsById = new Map(affected.map((payment) => [payment.id, payment]));
  const whole = taken.map(({ paymentId }) => {
    const part = paymentsById.get(paymentId);
    if (!part) throw new Error(`The payment ${paymentId} was not read.`);
    return asReversed(part);
  });
  const split = remainingAmount > 0 ? whole.at(-1) : undefined;
  const reversed = split ? [...whole.slice(0, -1), { ...split, kept: remainingAmount }] : whole;
  const isPartial = amount < movement.amount;
  const returnedSoFar = addKobo(total.returned, amount);
  const next: CumulativeReportState = {
    ...total,
    // If nothing is kept any more, no rejection is recorded beside this reversal (findMovements). So all returned money is recorded with it, even
    // money that never counted.
    returned: !isPartial && kept === 0 ? largerKobo(returnedSoFar, returned) : returnedSoFar,
    falls: total.falls + 1,
    credits: [...left],
  };
  const remainder: Payment | undefined =
    split &&
    withReview(
      {
        ...split,
        id: copyIdTime(split.id, context.id),
        recordedAt: context.recordedAt,
        restFrom: getBookedAt(split),
        origin: nextOrigin(payee.reference, next),
        amount: remainingAmount,
        outcome: 'accepted',
      },
      context,
    );
  return {
    change: { kind: 'withdrawn', amount, reversed, remainder, noteChange: undefined, isSomeKept: kept > 0 },
    total: remainder ? withCredit(next, remainder) : next,
    isPartial,
  };
};

const compareStep = (
  owner: LandingCheckout,
  affected: readonly Payment[],
  report: TotalReport,
  context: NewPaymentContext,
): Step | 'stale' => {
  const { money: reported, askedAt, refund } = report;
  const before = owner.checkout.totals[reported.payee.reference];
  if (before && isStale(before, { kept: reported.kept, askedAt })) return 'stale';
  const { reportedTotal, money, movements } = netOfRefunds(before, reported, refund);
  const [movement, ...later] = movements;
  const falls = (before?.falls ?? 0) + (isSilentFall(before, reportedTotal.kept, movement) ? 1 : 0);
  const total = { ...(before ?? EMPTY_TOTAL), ...reportedTotal, falls, observedAt: context.recordedAt };
  if (!movement) {
    const isKnown = before?.kept === reportedTotal.kept && before.refunds?.length === reportedTotal.refunds?.length;
    // No movement is left, so nothing is announced. If the record lacks this kept amount or these refunds, the total is written all the same, with
    // its time, so that an older report that is still under way counts as stale.
    return {
      change: { kind: 'nothing', isCounted: money.kept > 0 },
      total: isKnown ? undefined : total,
      isPartial: false,
    };
  }
  if (movement.kind === 'reversed') {
    const fall = reverse(money, context, affected, total, movement);
    return { ...fall, isPartial: fall.isPartial || later.length > 0 };
  }
  const land = movement.kind === 'credited' ? credit : recordRejection;
  return { ...land(owner, { ...report, money }, context, total, movement), isPartial: later.length > 0 };
};

/**
 * Compares a cumulative report with the total on its checkout.
 * @returns the first movement that it shows; `stale` if the report may be older than the recorded total.
 */
export const compareTotal = (
  owner: LandingCheckout,
  affected: readonly Payment[],
  report: TotalReport,
  context: NewPaymentContext,
): ReportedChange | 'stale' => {
  const compared = compareStep(owner, affected, report, context);
  if (compared === 'stale') return compared;
  const { total: state } = compared;
  return { ...compared, total: state && { reference: report.money.payee.reference, state } };
};

/** Lists the origins of the parts that a cumulative report reverses. Their payments must be read before the report is applied. Empty if it reverses none. */
export const partsToRead = (
  { checkout }: LandingCheckout,
  reported: CumulativeReport,
  refund: Refund | undefined,
): readonly PaymentOrigin[] => {
  const { reference } = reported.payee;
  const total = checkout.totals[reference];
  const [movement] = netOfRefunds(total, reported, refund).movements;
  if (!total || movement?.kind !== 'reversed') return [];
  return withdraw(total, movement.amount).taken.map((part) => originOfCredit(reference, part));
};
