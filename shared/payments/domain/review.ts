import * as z from 'zod/mini';
import { crc32 } from '#shared/platform/kernel/crc32.ts';
import { count, millis } from '#shared/platform/kernel/schemas.ts';
import { DAY, HOUR, MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { didNothing, ProviderBusy } from '#shared/providers/domain/errors.ts';

/** A planned look-up of a payment, days after it counted, because its provider may return money without a report (LiveProvider.returnsSilently). */
export const review = z.object({
  dueAt: millis,
  /** The number of failed tries. */
  tries: count,
});
export type Review = z.infer<typeof review>;

/**
 * Milliseconds. A review is due six days after its payment, plus up to 23 hours. The hash of the payment's id chooses the hours, so that a
 * day's reviews are spread.
 */
const FIRST_REVIEW_AFTER = 6 * DAY;
const SPREAD = 23 * HOUR;
/** Milliseconds between tries. If the try after the last gap fails, the review is given up. */
const GAPS = [10 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR] as const;
/** Minimum milliseconds to wait if the provider was unavailable or busy (didNothing). It did nothing, so this does not count as a try. */
const NOT_ASKED_GAP = HOUR;
/** Milliseconds after the payment. No review is tried later. */
const GIVE_UP_AFTER = 10 * DAY;

/** Plans the first review of a payment, within seven days after it was recorded. The result is always the same for a payment. */
export const firstReview = ({ id, recordedAt }: { readonly id: string; readonly recordedAt: Millis }): Review => ({
  dueAt: recordedAt + FIRST_REVIEW_AFTER + (crc32(id) % SPREAD),
  tries: 0,
});

/** Plans the next try after a failed one; null if the review is given up. */
export const nextReview = (
  { tries }: Review,
  { recordedAt }: { readonly recordedAt: Millis },
  now: Millis,
  failure: unknown,
): Review | null => {
  const wasAsked = !didNothing(failure);
  const wait = failure instanceof ProviderBusy ? Math.max(NOT_ASKED_GAP, failure.waitMs) : NOT_ASKED_GAP;
  const gap = wasAsked ? GAPS[tries] : wait;
  if (gap === undefined || now + gap > recordedAt + GIVE_UP_AFTER) return null;
  return { dueAt: now + gap, tries: wasAsked ? tries + 1 : tries };
};
