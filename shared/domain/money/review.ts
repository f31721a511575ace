import * as z from 'zod/mini';
import { crc32 } from '#shared/domain/kernel/crc32.ts';
import { count, millis } from '#shared/domain/kernel/schemas.ts';
import { DAY, HOUR, MINUTE, type Millis } from '#shared/domain/kernel/time.ts';
import { ProviderBusy, ProviderUnavailable } from '#shared/domain/providers/errors.ts';

/** The look-up of a payment days after it counted, at a provider that may return money without a word (LiveProvider.returnsSilently). */
export const review = z.object({
  dueAt: millis,
  /** How often it has failed. */
  tries: count,
});
export type Review = z.infer<typeof review>;

/** Six days after the payment and up to 23 hours, by a hash of its id: a day's reviews are spread, and nothing that is returned later is found. */
const FIRST = 6 * DAY;
const SPREAD = 23 * HOUR;
/** After a failed try. With the last the review is given up. */
const GAPS = [10 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR] as const;
/** After a call that was not sent, as the provider was suspended or busy: that was no try. */
const NOT_ASKED_GAP = HOUR;
/** A provider that cannot be asked for so long after the payment is not waited for any longer. */
const GIVE_UP_AFTER = 10 * DAY;

/** When a payment is reviewed, within seven days after it was recorded. The same for the same payment. */
export const firstReview = ({ id, recordedAt }: { readonly id: string; readonly recordedAt: Millis }): Review => ({
  dueAt: recordedAt + FIRST + (crc32(id) % SPREAD),
  tries: 0,
});

/** The next try after one that failed (`failure` says why); null when it is given up. */
export const nextReview = (
  { tries }: Review,
  { recordedAt }: { readonly recordedAt: Millis },
  now: Millis,
  failure: unknown,
): Review | null => {
  const wasAsked = !(failure instanceof ProviderUnavailable);
  const wait = failure instanceof ProviderBusy ? Math.max(NOT_ASKED_GAP, failure.waitMs) : NOT_ASKED_GAP;
  const gap = wasAsked ? GAPS[tries] : wait;
  if (gap === undefined || now + gap > recordedAt + GIVE_UP_AFTER) return null;
  return { dueAt: now + gap, tries: wasAsked ? tries + 1 : tries };
};
