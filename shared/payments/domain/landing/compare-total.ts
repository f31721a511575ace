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
import { asReversed, effectiveAt, type NewPayment, type Payment, withReview } from '#shared/payments/domain/payment.ts';
import { copyIdTime } from '#shared/platform/kernel/ids.ts';
import { addKobo, type Kobo, largerKobo, subtractDownToZero, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { type Refund, unseenRefunds } from '#shared/providers/domain/refund.ts';
import type { CumulativeReport, MoneyReport } from '#shared/providers/domain/report.ts';
import type { PaymentOrigin } from '#shared/providers/domain/source.ts';
import type { LandingCheckout, ReportedChange } from './landing.ts';
import { newPayment } from './new-payment.ts';
import { findMovements, isStale, type Movement } from './total-movements.ts';

/* A cumulative report is one sum under one reference: what it grows or falls by becomes payments. */

type TotalReport = MoneyReport & { readonly money: CumulativeReport };

/** A change of a total, and the total after it. */
type Step = Omit<ReportedChange, 'total'> & { readonly total: CumulativeReportState | undefined };

/** The report less the refunds that look-ups do not show, and the movements that lead to it. */
const netOfRefunds = (
  before: CumulativeReportState | undefined,
  reported: CumulativeReport,
  refund: Refund | undefined,
) => {
  const seen = withReport(before, reported, refund);
  const unseen = unseenRefunds(seen.refunds, seen.shown);
  const netKept = subtractDownToZero(reported.kept, unseen);
  // More cannot have been refunded than was kept.
  const returned = addKobo(reported.returned, subtractDownToZero(reported.kept, netKept));
  const money: CumulativeReport = { ...reported, kept: netKept, returned };
  const counted = before && { kept: sumCredits(before), returned: before.returned };
  return { seen, money, movements: findMovements(counted, money) };
};

/**
 * Whether a total fell without a reversal, by what refunds had taken out of it already. That counts as a fall as well: the origin of a part is
 * the sum that its total reached and the falls before it, and a part that comes now must not get the origin of an earlier one.
 */
const isSilentFall = (
  before: CumulativeReportState | undefined,
  keptAmount: Kobo,
  movement: Movement | undefined,
): boolean => {
  if (!before || movement?.kind === 'reversed') return false;
  return keptAmount < before.kept || (keptAmount === before.kept && movement?.kind === 'credited');
};

/** What the total grew by is a payment of its own. */
const credit = (
  owner: LandingCheckout,
  report: TotalReport,
  context: NewPayment,
  total: CumulativeReportState,
  { amount }: Movement,
): Omit<Step, 'isPartial'> => {
  const { money } = report;
  const reported = { ...report, money: { ...money, fee: nextFee(total, money.fee) } };
  const origin = nextOrigin(money.payee.reference, total);
  const payment = newPayment(owner, reported, context, { amount, origin, outcome: 'accepted' });
  return { change: { kind: 'credited', payment }, total: withCredit(total, payment) };
};

/** Money that never counted was returned. That is no fall: a right amount that follows at once must not wait as a stale report. */
const recordReturn = (
  owner: LandingCheckout,
  report: TotalReport,
  context: NewPayment,
  total: CumulativeReportState,
  { amount }: Movement,
): Omit<Step, 'isPartial'> => {
  const { kept, returned, payee, fee } = report.money;
  // The fee of a total is that of what the provider keeps.
  const reported = { ...report, money: { ...report.money, fee: kept > 0 ? ZERO_KOBO : fee } };
  const origin = { kind: 'returned', reference: payee.reference, returned } as const;
  const payment = newPayment(owner, reported, context, { amount, origin, outcome: 'rejected' });
  return { change: { kind: 'returned', payment }, total: { ...total, returned } };
};

/** The newest parts are reversed. What is left of one that is returned in part becomes another payment by the same payer. */
const reverse = (
  { kept, returned, payee }: CumulativeReport,
  context: NewPayment,
  affected: readonly Payment[],
  total: CumulativeReportState,
  movement: Movement,
): Step => {
  const { taken, left, amount, remainder } = withdraw(total, movement.amount);
  const read = new Map(affected.map((payment) => [payment.id, payment]));
  const whole = taken.map(({ paymentId }) => {
    const part = read.get(paymentId);
    if (!part) throw new Error(`The payment ${paymentId} was not read.`);
    return asReversed(part);
  });
  const split = remainder > 0 ? whole.at(-1) : undefined;
  const reversed = split ? [...whole.slice(0, -1), { ...split, kept: remainder }] : whole;
  const isPartial = amount < movement.amount;
  const returnedSoFar = addKobo(total.returned, amount);
  const next: CumulativeReportState = {
    ...total,
    // When nothing is kept any more, this reversal also announces what was returned without having counted.
    returned: !isPartial && kept === 0 ? largerKobo(returnedSoFar, returned) : returnedSoFar,
    falls: total.falls + 1,
    credits: [...left],
  };
  const rest: Payment | undefined =
    split &&
    withReview(
      {
        ...split,
        id: copyIdTime(split.id, context.id),
        recordedAt: context.recordedAt,
        restFrom: effectiveAt(split),
        origin: nextOrigin(payee.reference, next),
        amount: remainder,
        outcome: 'accepted',
      },
      context,
    );
  return {
    change: { kind: 'withdrawn', amount, reversed, rest, noted: undefined, isSomeKept: kept > 0 },
    total: rest ? withCredit(next, rest) : next,
    isPartial,
  };
};

const step = (
  owner: LandingCheckout,
  affected: readonly Payment[],
  report: TotalReport,
  context: NewPayment,
): Step | 'stale' => {
  const { money: reported, askedAt, refund } = report;
  const before = owner.checkout.totals[reported.payee.reference];
  if (before && isStale(before, { kept: reported.kept, askedAt })) return 'stale';
  const { seen, money, movements } = netOfRefunds(before, reported, refund);
  const [movement, ...later] = movements;
  const falls = (before?.falls ?? 0) + (isSilentFall(before, seen.kept, movement) ? 1 : 0);
  const total = { ...(before ?? EMPTY_TOTAL), ...seen, falls, observedAt: context.recordedAt };
  if (!movement) {
    const isKnown = before?.kept === seen.kept && before.refunds?.length === seen.refunds?.length;
    // Nothing to announce, but an older report that is still under way must count as stale.
    return {
      change: { kind: 'nothing', counts: money.kept > 0 },
      total: isKnown ? undefined : total,
      isPartial: false,
    };
  }
  if (movement.kind === 'reversed') {
    const fall = reverse(money, context, affected, total, movement);
    return { ...fall, isPartial: fall.isPartial || later.length > 0 };
  }
  const land = movement.kind === 'credited' ? credit : recordReturn;
  return { ...land(owner, { ...report, money }, context, total, movement), isPartial: later.length > 0 };
};

/**
 * Compares the report of a cumulative report with what is recorded of it on its checkout: the first movement that it shows. `stale` when it may
 * be older than what is recorded.
 */
export const compareTotal = (
  owner: LandingCheckout,
  affected: readonly Payment[],
  report: TotalReport,
  context: NewPayment,
): ReportedChange | 'stale' => {
  const compared = step(owner, affected, report, context);
  if (compared === 'stale') return compared;
  const { total: state } = compared;
  return { ...compared, total: state && { reference: report.money.payee.reference, state } };
};

/** The origins of the parts that a report of a cumulative report reverses, which have to be read. Empty unless it falls. */
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
