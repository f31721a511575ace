import { nextReview } from '#shared/payments/domain/review.ts';
import type { ReviewedPayment, ReviewStore } from '#shared/payments/ports.ts';
import { isProviderError, OutcomeUnknown, requireProvider } from '#shared/providers/domain/errors.ts';
import { buildPaymentQuery } from '#shared/providers/domain/report.ts';
import type { LandDeps } from './land-money.ts';
import { lookUpPayment } from './look-up-payment.ts';

export interface ReviewDeps extends LandDeps {
  readonly reviews: ReviewStore;
}

/** Looks up a payment again. @throws if it must be reviewed once more. */
const lookUpAgain = async (deps: ReviewDeps, payment: ReviewedPayment): Promise<void> => {
  const { provider: name, origin, providerReference } = payment;
  const { review } = requireProvider(deps.liveProviders(name));
  const report = await lookUpPayment(deps, name, { lookUp: review }, buildPaymentQuery(origin, providerReference));
  if (report === 'unknown') throw new OutcomeUnknown('The provider does not know a payment that it reported before.');
  if (report === 'stale') throw new OutcomeUnknown('The answer may be older than our records.');
};

/**
 * Looks up a payment that counted days ago, because its provider may have returned it without a report. A returned payment is reversed like any
 * other, with its events. A failed look-up is repeated some times. If the last one fails, the review is given up, and a log line says so. Repeating
 * the call is harmless.
 * @param pk the partition key of the payment, as due work has it.
 * @throws errors that are not the provider's.
 */
export const reviewPayment = async (deps: ReviewDeps, pk: string): Promise<void> => {
  const payment = await deps.reviews.find(pk);
  if (!payment) return;
  const about = { provider: payment.provider, payment_id: payment.id };
  try {
    await lookUpAgain(deps, payment);
  } catch (error) {
    if (!isProviderError(error)) throw error;
    const next = nextReview(payment.review, payment, deps.now(), error);
    deps.log('review_failed', { ...about, tries: next?.tries ?? payment.review.tries + 1 }, error);
    await deps.reviews.schedule(payment, next);
    if (!next) deps.log('review_given_up', about);
    return;
  }
  await deps.reviews.schedule(payment, null);
};
