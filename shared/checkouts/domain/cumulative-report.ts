import * as z from 'zod/mini';
import type { Payment } from '#shared/payments/domain/payment.ts';
import { addKobo, type Kobo, kobo, largerKobo, subtractDownToZero, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { count, millis, nonEmptyString } from '#shared/platform/kernel/schemas.ts';
import { addRefund, type Refund, refunds } from '#shared/providers/domain/refund.ts';
import type { CumulativeReport } from '#shared/providers/domain/report.ts';
import type { PaymentOrigin } from '#shared/providers/domain/source.ts';

/** An accepted part of a cumulative report, with its payment and the fields of the payment's origin. */
const credit = z.object({ paymentId: nonEmptyString, reached: kobo, falls: count, amount: kobo, fee: kobo });
type Credit = z.infer<typeof credit>;

/** A checkout's state of one cumulative report: the last reported position, and the parts that count. */
export const cumulativeReportState = z.object({
  kept: kobo,
  returned: kobo,
  /** Number of times that money was returned. */
  falls: count,
  observedAt: millis,
  /** Kobo by which the total fell between look-ups, in all, or that the look-ups already omitted, if that is more. Absent: none. */
  shown: z.optional(kobo),
  /** Refunds that the provider reported, each once. Absent: none. */
  refunds: z.optional(refunds),
  /** Newest first. Their sum is `kept` less the refunds that no look-up shows. It is more while a large fall is recorded in several steps. */
  credits: z.array(credit),
});
export type CumulativeReportState = z.infer<typeof cumulativeReportState>;

/** A cumulative report before its first position. */
export const EMPTY_TOTAL: CumulativeReportState = {
  kept: ZERO_KOBO,
  returned: ZERO_KOBO,
  falls: 0,
  observedAt: 0,
  credits: [],
};

const sum = (amounts: readonly Kobo[]): Kobo => amounts.reduce(addKobo, ZERO_KOBO);

/** Applies a report: the kept money, the fall that it shows, and the refund that came with it. */
export const withReport = (
  before: CumulativeReportState | undefined,
  { kept: reached, leftOut = ZERO_KOBO }: Pick<CumulativeReport, 'kept' | 'leftOut'>,
  refund: Refund | undefined,
): Pick<CumulativeReportState, 'kept' | 'shown' | 'refunds'> => {
  const fallen = addKobo(before?.shown ?? ZERO_KOBO, subtractDownToZero(before?.kept ?? ZERO_KOBO, reached));
  // Money that came and was refunded between two look-ups causes no visible fall.
  const fall = largerKobo(fallen, leftOut);
  const known = addRefund(before?.refunds ?? [], refund);
  return { kept: reached, ...(fall > 0 && { shown: fall }), ...(known.length > 0 && { refunds: [...known] }) };
};

/** Returns the kobo of a cumulative report that count on its checkout. */
export const sumCredits = ({ credits }: CumulativeReportState): Kobo => sum(credits.map(({ amount }) => amount));

/** Computes the fee of the next part. Providers report only the fee of the whole total. */
export const nextFee = ({ credits }: CumulativeReportState, feeOfTotal: Kobo): Kobo =>
  subtractDownToZero(feeOfTotal, sum(credits.map(({ fee }) => fee)));

/** Adds a part that counts: a payment whose origin is `nextOrigin`. */
export const withCredit = (
  total: CumulativeReportState,
  { id: paymentId, amount, fee }: Pick<Payment, 'id' | 'amount' | 'fee'>,
): CumulativeReportState => {
  const { kept: reached, falls } = total;
  return { ...total, credits: [{ paymentId, reached, falls, amount, fee }, ...total.credits] };
};

/** Makes the origin of a part that counts. */
export const originOfCredit = (
  reference: string,
  { reached, falls }: Pick<Credit, 'reached' | 'falls'>,
): PaymentOrigin => ({
  kind: 'part',
  reference,
  reached,
  falls,
});

/** Makes the origin of the part that brought the total to its kept amount. */
export const nextOrigin = (reference: string, { kept: reached, falls }: CumulativeReportState): PaymentOrigin =>
  originOfCredit(reference, { reached, falls });

/**
 * Maximum number of payments that one step reverses. A transaction has a hundred items: the payments and the totals of their days, the
 * checkout, an event and its deliveries.
 */
export const MAX_REVERSED_AT_ONCE = 40;

/** The newest parts that cover an amount, and the remaining parts. */
export interface Withdrawal {
  readonly taken: readonly Credit[];
  readonly left: readonly Credit[];
  /** Kobo taken out. Less than the target if one step cannot reverse so many parts. */
  readonly amount: Kobo;
  /** Kobo of the last taken part that still count. */
  readonly remainder: Kobo;
}

/** Takes `target` kobo out of the newest parts of a total. */
export const withdraw = ({ credits }: CumulativeReportState, target: Kobo): Withdrawal => {
  let covered = ZERO_KOBO;
  let taken = 0;
  for (const { amount } of credits.slice(0, MAX_REVERSED_AT_ONCE)) {
    if (covered >= target) break;
    covered = addKobo(covered, amount);
    taken += 1;
  }
  return {
    taken: credits.slice(0, taken),
    left: credits.slice(taken),
    amount: covered < target ? covered : target,
    remainder: subtractDownToZero(covered, target),
  };
};
