import * as z from 'zod/mini';
import { checkoutReference, idSchema, timeOfId } from '#shared/platform/kernel/ids.ts';
import { millis } from '#shared/platform/kernel/schemas.ts';
import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { providerName } from '#shared/providers/domain/provider.ts';
import { shownAttempt } from './attempt.ts';
import type { Checkout, CheckoutStep } from './checkout.ts';

/** A payer's first report that the money was sent. It is a sample of whether money lands at the provider. */
export const sentReport = z.object({
  reference: checkoutReference,
  businessId: idSchema('biz'),
  provider: providerName,
  sentAt: millis,
});
export type SentReport = z.infer<typeof sentReport>;

/** Delay between the payer's report and the check whether the money came. Milliseconds. */
export const LANDS_WITHIN = 5 * MINUTE;
/** A later check, such as after an outage of ours, says nothing about the provider now. Milliseconds. */
const LATEST_LOOK = 30 * MINUTE;

/** Records the payer's first report on the checkout. Undefined for a repeated report, in test mode, and if no money is awaited. */
export const reportSent = (before: Checkout, sentAt: Millis): CheckoutStep | undefined =>
  before.sentAt === undefined &&
  before.mode === 'live' &&
  (before.status === 'pending' || before.status === 'underpaid')
    ? { checkout: { ...before, sentAt }, announce: null }
    : undefined;

/** Makes the report, about the account that the payer sees now. */
export const makeSentReport = (checkout: Checkout, sentAt: Millis): SentReport => ({
  reference: checkout.reference,
  businessId: checkout.businessId,
  provider: shownAttempt(checkout).provider,
  sentAt,
});

/**
 * Tells whether any money, kept or not, was recorded within five minutes of the report: a sample of the provider. Undefined if the check
 * comes too late, or if the money came to another account of the checkout, which says nothing about this provider.
 */
export const takeSample = (
  { provider, sentAt }: SentReport,
  { payments }: Pick<Checkout, 'payments'>,
  now: Millis,
): { readonly hasLanded: boolean; readonly at: Millis } | undefined => {
  if (now - sentAt > LATEST_LOOK) return undefined;
  const landed = payments.filter(({ id }) => timeOfId(id) <= sentAt + LANDS_WITHIN);
  const hasLanded = landed.some((payment) => payment.provider === provider);
  return hasLanded || landed.length === 0 ? { hasLanded, at: now } : undefined;
};
