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
/**
 * Maximum delay of a check that counts as a sample. A later check, for example after an outage of ours, does not show how the provider
 * works now. Milliseconds.
 */
const MAX_SAMPLE_DELAY = 30 * MINUTE;

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
 * Takes a sample of the provider: whether any money, kept or returned, was recorded by five minutes after the report. There is no sample
 * (undefined) if the check comes too late. There is none either if the money came only to another provider's account of the checkout.
 */
export const takeSample = (
  { provider, sentAt }: SentReport,
  { payments }: Pick<Checkout, 'payments'>,
  now: Millis,
): { readonly hasLanded: boolean; readonly at: Millis } | undefined => {
  if (now - sentAt > MAX_SAMPLE_DELAY) return undefined;
  const landed = payments.filter(({ id }) => timeOfId(id) <= sentAt + LANDS_WITHIN);
  const hasLanded = landed.some((payment) => payment.provider === provider);
  return hasLanded || landed.length === 0 ? { hasLanded, at: now } : undefined;
};
