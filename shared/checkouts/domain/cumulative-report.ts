import * as z from 'zod/mini';
import type { Payment } from '#shared/payments/domain/payment.ts';
import { addKobo, type Kobo, kobo, largerKobo, subtractDownToZero, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { count, millis, nonEmptyString } from '#shared/platform/kernel/schemas.ts';
import { addRefund, type Refund, refunds } from '#shared/providers/domain/refund.ts';
import type { CumulativeReport } from '#shared/providers/domain/report.ts';
import type { PaymentOrigin } from '#shared/providers/domain/source.ts';

/**
 * A part of a cumulative report that counts, with its payment. `reached`: the kept amount after this part, in kobo. `falls`: the report's
 * `falls` at that time. The two together identify the part.
 */
const credit = z.object({ paymentId: nonEmptyString, reached: kobo, falls: count, amount: kobo, fee: kobo });
type Credit = z.infer<typeof credit>;

/** The record of a cumulative report on its checkout. All amounts are in kobo. */
export const cumulativeReportState = z.object({
  /** The amount that the provider keeps, by the last report. Refunds that no look-up shows are not subtracted from it. */
  kept: kobo,
  /** The returned money that is recorded, as reversals or as rejections. */
  returned: kobo,
  /**
   * Increases with every reversal, and if `kept` falls without a reversal (isSilentFall). So two parts that reach the same amount can be
   * told apart.
   */
  falls: count,
  /** When a report last changed this record. */
  observedAt: millis,
  /**
   * The returned money that look-ups have already subtracted from `kept`. Refunds up to this amount are not subtracted again. It is the
   * larger of two amounts: the sum of all falls of `kept` that we saw, and the refunds that `kept` does not include, as the provider says
   * (`leftOut`). Absent: zero.
   */
  shown: z.optional(kobo),
  /** Refunds that the provider reported, each once. Absent: none. */
  refunds: z.optional(refunds),
  /**
   * The parts that count, newest first. Their sum is `kept` minus the refunds that no look-up shows. The sum is larger only while a large
   * fall is being reversed in several transactions.
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

/** Computes the fields that a report changes: the kept amount, the returned money that look-ups have already subtracted, and the refunds. */
export const withReport = (
  before: CumulativeReportState | undefined,
  { kept, leftOut = ZERO_KOBO }: Pick<CumulativeReport, 'kept' | 'leftOut'>,
  refund: Refund | undefined,
): Pick<CumulativeReportState, 'kept' | 'shown' | 'refunds'> => {
  const seenFalls = addKobo(before?.shown ?? ZERO_KOBO, subtractDownToZero(before?.kept ?? ZERO_KOBO, kept));
  // If money came and was refunded between two look-ups, we see no fall. So `leftOut` may be larger.
  const shown = largerKobo(seenFalls, leftOut);
  const allRefunds = addRefund(before?.refunds ?? [], refund);
  return { kept, ...(shown > 0 && { shown }), ...(allRefunds.length > 0 && { refunds: [...allRefunds] }) };
};

/** Returns the kobo of a cumulative report that count on its checkout. */
export const sumCredits = ({ credits }: CumulativeReportState): Kobo => sum(credits.map(({ amount }) => amount));

/** Computes the fee of the next part in kobo: the reported fee of the whole total, minus the fees of the parts that count. */
export const nextFee = ({ credits }: CumulativeReportState, feeOfTotal: Kobo): Kobo =>
  subtractDownToZero(feeOfTotal, sum(credits.map(({ fee }) => fee)));

/** Adds a payment as the newest part that counts. The payment must have the origin that `nextOrigin` makes for the same total. */
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

/** Makes the origin of the next part: the part with which the total reaches its present kept amount. */
export const nextOrigin = (reference: string, { kept: reached, falls }: CumulativeReportState): PaymentOrigin =>
  originOfCredit(reference, { reached, falls });

/**
 * Maximum number of payments that one transaction reverses. A DynamoDB transaction writes at most a hundred items. Forty payments and the
 * totals of their days leave room for the checkout, an event and its deliveries.
 */
export const MAX_REVERSED_AT_ONCE = 40;

/** The newest parts that cover an amount, and the remaining parts. */
export interface Withdrawal {
  readonly taken: readonly Credit[];
  readonly left: readonly Credit[];
  /** Kobo taken out. Less than the target if more than MAX_REVERSED_AT_ONCE parts must be reversed. */
  readonly amount: Kobo;
  /** Kobo of the last part in `taken` that are not taken out, and still count. */
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
