import * as z from 'zod/mini';
import { UnreadableItem } from '#shared/platform/kernel/errors.ts';
import { boolean, count, millis, millisOrNull, text } from '#shared/platform/kernel/schemas.ts';
import { DAY, HOUR, MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { OutcomeUnknown, ProviderBusy, ProviderError, ProviderUnavailable } from '#shared/providers/domain/errors.ts';
import type { NoticeProblem } from '#shared/providers/domain/notice.ts';
import { providerName } from '#shared/providers/domain/provider.ts';
import { paymentQuery } from '#shared/providers/domain/report.ts';

/** Why a notification is not settled: in our words, never the provider's text. */
export const unsettledReason = z.enum([
  /** It may be about incoming money, and its fields cannot be read. */
  'notification_unreadable',
  /** The provider pays a refund out only once somebody gives it the payer's bank details. */
  'refund_needs_attention',
  /** A refund has no id of its own, and no look-up shows it: an operator finds the id in the provider's dashboard. */
  'refund_without_id',
  'provider_knows_nothing',
  /** The provider did not answer, or answered what cannot be read. */
  'no_usable_answer',
  'provider_unavailable',
  'provider_busy',
  'provider_refused',
  /** The answer was older than what is recorded. */
  'answer_outdated',
  /** Something stored that the money belongs to cannot be read by this release. */
  'record_unreadable',
  /** The answer was read, and recording it failed. */
  'not_recorded',
]);
export type UnsettledReason = z.infer<typeof unsettledReason>;

/** An authentic notification as received; or a payment in the provider's list that reconciliation has looked up. */
export const notification = z.object({
  provider: providerName,
  /** SHA-256 of what the provider signed, hex: notifications with the same hash are one, however often it is sent. */
  hash: text.check(z.regex(/^[0-9a-f]{64}$/)),
  /** The raw bytes, base64; empty for an entry of reconciliation. */
  raw: text,
  /** What to look up, for an entry of reconciliation; null for a notification, which is read for it. */
  query: z.nullable(paymentQuery),
  /** Whether our books had no record of the payment; absent but for an entry of reconciliation. */
  isUnnoticed: z.optional(boolean),
  receivedAt: millis,
  /** How often its look-up has failed. */
  tries: count,
  /** When its look-up is due; null once it is settled or dismissed, and while it only waits for an operator. */
  dueAt: millisOrNull,
  /** Why it is not settled; null before its first try and once it is settled. A newer release may know more reasons. */
  why: z.catch(z.nullable(unsettledReason), null),
  /** Since when operators see it among those that are stuck; null while they need not, and once it is settled or dismissed. */
  stuckSince: millisOrNull,
});
export type Notification = z.infer<typeof notification>;
/** One whose look-up is due. */
export type DueNotification = Notification & { readonly dueAt: Millis };

/** How long raw notifications are kept, for disputes and for replays that come days later. One that is stuck is kept until it is not. Milliseconds. */
export const NOTIFICATION_RETENTION = 30 * DAY;

/** When a notification is queued again that nobody has settled, as after its message got lost. Milliseconds. */
export const FIRST_LOOK_UP = MINUTE;
const GAPS = [MINUTE, 2 * MINUTE, 5 * MINUTE] as const;
/** The longest wait between tries, so that money is found within ten minutes of a provider's recovery. */
const LONGEST_GAP = 10 * MINUTE;
/** A look-up is repeated often for as long as providers repeat a notification (providers.md section 0). */
const OFTEN_FOR = 72 * HOUR;
/** With the longest gap and a late sweep, operators see within an hour what is not settled. */
const STUCK_AFTER = 40 * MINUTE;

/** A notification that was just received, or an entry of reconciliation: due in a minute, for the sweeper. Its message comes before that. */
export const newNotification = (
  entry: Pick<Notification, 'provider' | 'hash' | 'raw' | 'query' | 'isUnnoticed'>,
  now: Millis,
): DueNotification => ({
  ...entry,
  receivedAt: now,
  tries: 0,
  dueAt: now + FIRST_LOOK_UP,
  why: null,
  stuckSince: null,
});

/** When to look up again after `tries` failed look-ups: daily from 72 hours on, so that one whose money is recorded at last leaves the list by itself. */
export const nextLookUp = ({ receivedAt }: Pick<Notification, 'receivedAt'>, tries: number, now: Millis): Millis => {
  const next = now + (GAPS[tries - 1] ?? LONGEST_GAP);
  return next - receivedAt > OFTEN_FOR ? now + DAY : next;
};

/** Why a look-up, or recording what it reported, has failed. */
export const toUnsettledReason = (error: unknown): UnsettledReason => {
  if (error instanceof OutcomeUnknown) return 'no_usable_answer';
  if (error instanceof ProviderUnavailable) return 'provider_unavailable';
  if (error instanceof ProviderBusy) return 'provider_busy';
  if (error instanceof ProviderError) return 'provider_refused';
  return error instanceof UnreadableItem ? 'record_unreadable' : 'not_recorded';
};

/** What became of one try. `why`: the reason why it settled nothing, or not all; null when everything is recorded. */
export interface TryResult {
  readonly why: UnsettledReason | null;
  readonly problem: NoticeProblem | null;
  /** False where the provider was not asked. */
  readonly counts: boolean;
}

/** Nothing is left to do, and nobody needs to see it. */
const atRest = (before: Notification): Notification => ({ ...before, dueAt: null, why: null, stuckSince: null });

/**
 * The notification after a try. Operators see it once it has not been settled for 40 minutes, and at once where it needs a person. One that
 * cannot be read is tried again, as a later release may read it; a refund that needs attention only waits for an operator.
 */
export const afterTry = (before: Notification, { why, problem, counts }: TryResult, now: Millis): Notification => {
  if (why === null && problem === null) return atRest(before);
  if (why === null && problem === 'refund_needs_attention')
    return { ...before, dueAt: null, why: problem, stuckSince: before.stuckSince ?? now };
  const tries = before.tries + (counts ? 1 : 0);
  const isStuck = problem !== null || now - before.receivedAt >= STUCK_AFTER;
  return {
    ...before,
    tries,
    dueAt: nextLookUp(before, Math.max(1, tries), now),
    why: why ?? 'notification_unreadable',
    stuckSince: before.stuckSince ?? (isStuck ? now : null),
  };
};

/** An operator has seen to it: nobody needs to see it any more, and it is not tried again. */
export const dismiss = atRest;
