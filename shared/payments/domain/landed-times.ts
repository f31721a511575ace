import { HOUR, type Millis } from '#shared/platform/kernel/time.ts';
import { classifyLanding, LANDING_CLASSES, markBusiness } from '#shared/providers/domain/health/counts.ts';
import type { Payment } from './payment.ts';

/** The fields of an accepted payment from which its landing time is computed. */
export type LandedPayment = Pick<Payment, 'id' | 'businessId' | 'paidAt' | 'recordedAt' | 'restFrom'>;

/** Shows how long the payments of one list page took to land, as counts. It counts only payments that reconciliation compares for the first time. */
export interface CountedLandings {
  /** The time of counting. */
  readonly at: Millis;
  /** The number of payments in each of LANDING_CLASSES. */
  readonly landings: readonly number[];
  /** The marks of the businesses of these payments (markBusiness). */
  readonly landedFor: readonly number[];
}

/** Milliseconds. Payments recorded longer ago are not counted: they tell nothing about now. */
const MAX_AGE = HOUR / 2;

/**
 * Counts the landing times of the payments of a list page that were recorded from `from` until before `to`. Several rounds of reconciliation
 * compare the same payment. Each has its own period, and only the period of the first such round contains the payment (newlyComparedPeriod).
 * So the payment is counted once. Three kinds are not counted: a payment that was recorded longer than MAX_AGE ago, a remainder, and a payment
 * without a provider's time of payment, because its `paidAt` is the time of recording.
 * @returns undefined if no payment is counted.
 */
export const countLandings = (
  booked: readonly { readonly landed?: LandedPayment | undefined }[],
  { from, to }: { readonly from: Millis; readonly to: Millis },
  now: Millis,
): CountedLandings | undefined => {
  const isCounted = ({ paidAt, recordedAt, restFrom }: LandedPayment): boolean =>
    recordedAt >= Math.max(from, now - MAX_AGE) && recordedAt < to && recordedAt !== paidAt && restFrom === undefined;
  const entries = booked.flatMap(({ landed }) => (landed && isCounted(landed) ? [[landed.id, landed] as const] : []));
  // A list may name a payment twice.
  const payments = [...new Map(entries).values()];
  if (payments.length === 0) return undefined;
  const classes = payments.map(({ paidAt, recordedAt }) => classifyLanding(Math.max(0, recordedAt - paidAt)));
  return {
    at: now,
    landings: LANDING_CLASSES.map((_, place) => classes.filter((landingClass) => landingClass === place).length),
    landedFor: [...new Set(payments.map(({ businessId }) => markBusiness(businessId)))],
  };
};
