import * as z from 'zod/mini';
import type { Payment } from '#shared/payments/domain/payment.ts';
import { addKobo, type Kobo, kobo, largerKobo, subtractDownToZero, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { count, millis, nonEmptyString } from '#shared/platform/kernel/schemas.ts';
import { addRefund, type Refund, refunds } from '#shared/providers/domain/refund.ts';
import type { CumulativeReport } from '#shared/providers/domain/report.ts';
import type { PaymentOrigin } from '#shared/providers/domain/source.ts';

/**
 * A part of a cumulative report that counts, and its payment. `reached` is the total including this part. `falls` is the number of returns
 * before it. The two identify the part.
 */
const credit = z.object({ paymentId: nonEmptyString, reached: kobo, falls: count, amount: kobo, fee: kobo });
type Credit = z.infer<typeof credit>;

/** The record of a cumulative report in its checkout: the last reported amounts, and the parts that count. */
export const cumulativeReportState = z.object({
  kept: kobo,
  returned: kobo,
  /** Number of times that money was returned. */
  falls: count,
  observedAt: millis,
  /**
   * Kobo of returned money that look-ups no longer include. It is the larger of two amounts: the sum of all falls of the total that we saw,
   * and the amount that the provider says it has left out. Absent: none.
   */
  shown: z.optional(kobo),
  /** Refunds that the provider reported, each once. Absent: none. */
  refunds: z.optional(refunds),
  /**
   * The parts that count, newest first. Their sum is `kept` minus the refunds that no look-up shows. A large fall is recorded in several
   * steps; until the last one the sum is larger than that.
   */
  credits: z.array(credit),
});
export type CumulativeReportState = z.infer<typeof cumulativeReportState>;

/** The record before the first report. */
export const EMPTY_TOTAL: CumulativeReportState = {
  kept: ZERO_KOBO,
  returned: ZERO_KOBO,
  falls: 0,
  observedAt: 0,
  credits: [],
};

const sum = (amounts: readonly Kobo[]): Kobo => amounts.reduce(addKobo, ZERO_KOBO);

/** Computes the fields that a report changes: the kept money, the returned money that look-ups no longer include, and the refunds. */
export const withReport = (
  before: CumulativeReportState | undefined,
  { kept, leftOut = ZERO_KOBO }: Pick<CumulativeReport, 'kept' | 'leftOut'>,
  refund: Refund | undefined,
): Pick<CumulativeReportState, 'kept' | 'shown' | 'refunds'> => {
  const fallen = addKobo(before?.shown ?? ZERO_KOBO, subtractDownToZero(before?.kept ?? ZERO_KOBO, kept));
  // Money that came and was refunded between two look-ups causes no fall that we see. So the amount that the provider names may be larger.
  const fall = largerKobo(fallen, leftOut);
  const known = addRefund(before?.refunds ?? [], refund);
  return { kept, ...(fall > 0 && { shown: fall }), ...(known.length > 0 && { refunds: [...known] }) };
};

/** Returns the kobo of a cumulative report that count on its checkout. */
export const sumCredits = ({ credits }: CumulativeReportState): Kobo => sum(credits.map(({ amount }) => amount));

/** Computes the fee of the next part. Providers report only the fee of the whole total. */
export const nextFee = ({ credits }: CumulativeReportState, feeOfTotal: Kobo): Kobo =>
  subtractDownToZero(feeOfTotal, sum(credits.map(({ fee }) => fee)));

/** Adds a payment as the newest part that counts. The caller gives the payment the origin that `nextOrigin` makes. */
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

/** Makes the origin for a payment of the newest part, with which the total reached its kept amount. */
export const nextOrigin = (reference: string, { kept: reached, falls }: CumulativeReportState): PaymentOrigin =>
  originOfCredit(reference, { reached, falls });

/**
 * Maximum number of payments that one step reverses. A transaction writes at most a hundred items: the payments, the totals of their days,
 * the checkout, an event and its deliveries.
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
