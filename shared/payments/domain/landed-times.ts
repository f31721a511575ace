import { HOUR, type Millis } from '#shared/platform/kernel/time.ts';
import { classifyLanding, LANDING_CLASSES, markBusiness } from '#shared/providers/domain/health/counts.ts';
import type { Payment } from './payment.ts';

/** A payment that counts, as far as it tells how long it took to land. */
export type LandedPayment = Pick<Payment, 'id' | 'businessId' | 'paidAt' | 'recordedAt' | 'restFrom'>;

/** How long payments took to land that a page of reconciliation is the first to compare, and of which businesses they are. */
export interface CountedLandings {
  /** When they are counted. */
  readonly at: Millis;
  readonly landings: readonly number[];
  readonly landedFor: readonly number[];
}

/** A payment that was recorded longer ago tells nothing about now. Milliseconds. */
const LATEST = HOUR / 2;

/**
 * Counts the payments of a page that were recorded within a time: so each is counted by one of the rounds that compare it. A payment whose
 * provider names no time of payment has that of its record, and tells nothing. Undefined where none is counted.
 */
export const countLandings = (
  booked: readonly { readonly landed?: LandedPayment | undefined }[],
  { from, to }: { readonly from: Millis; readonly to: Millis },
  now: Millis,
): CountedLandings | undefined => {
  const isCounted = ({ paidAt, recordedAt, restFrom }: LandedPayment): boolean =>
    recordedAt >= Math.max(from, now - LATEST) && recordedAt < to && recordedAt !== paidAt && restFrom === undefined;
  const entries = booked.flatMap(({ landed }) => (landed && isCounted(landed) ? [[landed.id, landed] as const] : []));
  // A list may name a payment twice.
  const payments = [...new Map(entries).values()];
  if (payments.length === 0) return undefined;
  const classes = payments.map(({ paidAt, recordedAt }) => classifyLanding(Math.max(0, recordedAt - paidAt)));
  return {
    at: now,
    landings: LANDING_CLASSES.map((_, place) => classes.filter((own) => own === place).length),
    landedFor: [...new Set(payments.map(({ businessId }) => markBusiness(businessId)))],
  };
};
