import * as z from 'zod/mini';
import { checkoutReference, idSchema, timeOfId } from '#shared/platform/kernel/ids.ts';
import { millis } from '#shared/platform/kernel/schemas.ts';
import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { providerName } from '#shared/providers/domain/provider.ts';
import { shownAttempt } from './attempt.ts';
import type { Checkout, CheckoutStep } from './checkout.ts';

/** A payer's first report that the money was sent: a sample of whether money lands at its provider. */
export const sentReport = z.object({
  reference: checkoutReference,
  businessId: idSchema('biz'),
  provider: providerName,
  sentAt: millis,
});
export type SentReport = z.infer<typeof sentReport>;

/** Money that was sent is looked at so long after its payer said so. Milliseconds. */
export const LANDS_WITHIN = 5 * MINUTE;
/** A look that comes later than this, as after an outage of ours, says nothing about now. */
const LATEST_LOOK = 30 * MINUTE;

/** The checkout with its payer's first report; undefined where there was one, in test mode, and where no money is awaited. */
export const reportSent = (before: Checkout, sentAt: Millis): CheckoutStep | undefined =>
  before.sentAt === undefined &&
  before.mode === 'live' &&
  (before.status === 'pending' || before.status === 'underpaid')
    ? { checkout: { ...before, sentAt }, announce: null }
    : undefined;

/** The report of a checkout that has one: about the account that its payer was shown last. */
export const makeSentReport = (checkout: Checkout, sentAt: Millis): SentReport => ({
  reference: checkout.reference,
  businessId: checkout.businessId,
  provider: shownAttempt(checkout).provider,
  sentAt,
});

/**
 * Takes a sample of a checkout's provider: whether any money was recorded within five minutes of the report, kept or not. Undefined
 * where the look comes too late, and where the money came to another account of the checkout: that says nothing of this provider.
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
