import * as z from 'zod/mini';
import { crc32 } from '#shared/platform/kernel/crc32.ts';
import { count, millis } from '#shared/platform/kernel/schemas.ts';
import { DAY, HOUR, MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { didNothing, ProviderBusy } from '#shared/providers/domain/errors.ts';

/** The look-up of a payment days after it counted, at a provider that may return money without reporting that (LiveProvider.returnsSilently). */
export const review = z.object({
  dueAt: millis,
  /** How often it has failed. */
  tries: count,
});
export type Review = z.infer<typeof review>;

/** A review is due six days after its payment, plus up to 23 hours by a hash of its id, which spreads a day's reviews. */
const FIRST_REVIEW_AFTER = 6 * DAY;
const SPREAD = 23 * HOUR;
/** Waits after failed tries. When none is left, the review is given up. */
const GAPS = [10 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR] as const;
/** The wait after a call that was not sent because the provider was suspended or busy, which is no try. */
const NOT_ASKED_GAP = HOUR;
/** No review is tried later than this after its payment. */
const GIVE_UP_AFTER = 10 * DAY;

/** The first review of a payment, within seven days after it was recorded. Always the same for one payment. */
export const firstReview = ({ id, recordedAt }: { readonly id: string; readonly recordedAt: Millis }): Review => ({
  dueAt: recordedAt + FIRST_REVIEW_AFTER + (crc32(id) % SPREAD),
  tries: 0,
});

/** The next try after one that failed (`failure` says why); null when it is given up. */
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
