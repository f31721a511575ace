import * as z from 'zod/mini';
import { UnreadableItem } from '#shared/platform/kernel/errors.ts';
import { boolean, count, millis, millisOrNull, text } from '#shared/platform/kernel/schemas.ts';
import { DAY, HOUR, MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { OutcomeUnknown, ProviderBusy, ProviderError, ProviderUnavailable } from '#shared/providers/domain/errors.ts';
import type { NotificationProblem } from '#shared/providers/domain/notification-content.ts';
import { providerName } from '#shared/providers/domain/provider.ts';
import { paymentQuery } from '#shared/providers/domain/report.ts';

/** Why a notification is not settled. These are our words, never the provider's text. */
export const unsettledReason = z.enum([
  /** The notification may be about incoming money, but its fields cannot be read. */
  'notification_unreadable',
  /** The provider pays a refund out only after somebody gives it the payer's bank details. */
  'refund_needs_attention',
  /** A refund has no id, and no look-up shows the refund. An operator finds the id in the provider's dashboard. */
  'refund_without_id',
  'provider_knows_nothing',
  /** The provider did not answer, or its answer cannot be read. */
  'no_usable_answer',
  'provider_unavailable',
  'provider_busy',
  'provider_refused',
  /** The answer may be older than our records. */
  'answer_outdated',
  /** This release cannot read an item that the money belongs to. */
  'record_unreadable',
  /** The answer was read, but recording it failed. */
  'not_recorded',
]);
export type UnsettledReason = z.infer<typeof unsettledReason>;

/** An authentic notification as received; or an entry of reconciliation: a listed payment that must be looked up. */
export const notification = z.object({
  provider: providerName,
  /**
   * SHA-256 (hex) of the bytes that the provider signed; for an entry of reconciliation, of its query. Notifications with the same hash are the
   * same notification.
   */
  hash: text.check(z.regex(/^[0-9a-f]{64}$/)),
  /** The raw bytes, base64; empty for an entry of reconciliation. */
  raw: text,
  /** The look-up of an entry of reconciliation; null for a notification, whose bytes say what to look up. */
  query: z.nullable(paymentQuery),
  /**
   * Whether the provider kept the payment and our books had no record of it, so that its notification may be lost (isNotificationMissing). Only
   * entries of reconciliation have this field.
   */
  isUnnoticed: z.optional(boolean),
  receivedAt: millis,
  /** The number of failed look-ups. */
  tries: count,
  /** When its look-up is due; null if it is settled or dismissed, or only waits for an operator. */
  dueAt: millisOrNull,
  /** Why the notification is not settled; null before its first try and when it is settled. Reasons of a newer release are read as null. */
  why: z.catch(z.nullable(unsettledReason), null),
  /** When it appeared on the operators' list of stuck notifications; null if it is not on that list. */
  stuckSince: millisOrNull,
});
export type Notification = z.infer<typeof notification>;
/** A notification with a due time. */
export type DueNotification = Notification & { readonly dueAt: Millis };

/** Milliseconds for which raw notifications are kept, for disputes and for late replays. Stuck notifications are kept until they are settled or dismissed. */
export const NOTIFICATION_RETENTION = 30 * DAY;

/** Milliseconds until the sweeper queues a new notification, in case its first ticket was lost. */
export const FIRST_LOOK_UP = MINUTE;
/** Milliseconds between the first tries. */
const GAPS = [MINUTE, 2 * MINUTE, 5 * MINUTE] as const;
/** Milliseconds. The longest wait between tries, so that money is found within ten minutes after a provider recovers. */
const LONGEST_GAP = 10 * MINUTE;
/** Milliseconds of frequent tries: as long as providers repeat a notification (providers.md section 0). */
const OFTEN_FOR = 72 * HOUR;
/** Milliseconds until an unsettled notification is stuck. With the longest gap and a late sweep, operators see it within an hour. */
const STUCK_AFTER = 40 * MINUTE;

/** Creates a notification or an entry of reconciliation. It is due in a minute, so that the sweeper queues it if its first ticket was lost. */
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

/**
 * Computes when the next look-up is due after `tries` failed ones. After 72 hours it is due once a day. So if the money is recorded later, the
 * notification leaves the operators' list by itself.
 */
export const nextLookUp = ({ receivedAt }: Pick<Notification, 'receivedAt'>, tries: number, now: Millis): Millis => {
  const next = now + (GAPS[tries - 1] ?? LONGEST_GAP);
  return next - receivedAt > OFTEN_FOR ? now + DAY : next;
};

/** Converts the error of a look-up, or of recording its report, to a reason. */
export const toUnsettledReason = (error: unknown): UnsettledReason => {
  if (error instanceof OutcomeUnknown) return 'no_usable_answer';
  if (error instanceof ProviderUnavailable) return 'provider_unavailable';
  if (error instanceof ProviderBusy) return 'provider_busy';
  if (error instanceof ProviderError) return 'provider_refused';
  return error instanceof UnreadableItem ? 'record_unreadable' : 'not_recorded';
};

/** The result of one try to settle a notification. */
export interface TryResult {
  /** Why something is left to do; null if everything is recorded. */
  readonly why: UnsettledReason | null;
  readonly problem: NotificationProblem | null;
  /** Whether this try counts. It does not count if the provider was too busy to be called. */
  readonly wasAsked: boolean;
}

/** Marks a notification as done: no look-up is due, and it is on no list. */
const complete = (before: Notification): Notification => ({ ...before, dueAt: null, why: null, stuckSince: null });

/**
 * Computes the notification after a try. It is stuck if it is not settled after 40 minutes, or at once if it needs a person. An unreadable
 * notification is tried again, because a later release may read it. If a refund needs attention and everything else is recorded, the notification
 * waits for an operator without further tries.
 */
export const afterTry = (before: Notification, { why, problem, wasAsked }: TryResult, now: Millis): Notification => {
  if (why === null && problem === null) return complete(before);
  if (why === null && problem === 'refund_needs_attention')
    return { ...before, dueAt: null, why: problem, stuckSince: before.stuckSince ?? now };
  const tries = before.tries + (wasAsked ? 1 : 0);
  const isStuck = problem !== null || now - before.receivedAt >= STUCK_AFTER;
  return {
    ...before,
    tries,
    dueAt: nextLookUp(before, Math.max(1, tries), now),
    why: why ?? 'notification_unreadable',
    stuckSince: before.stuckSince ?? (isStuck ? now : null),
  };
};

/** Takes a notification off the operators' list. It is not tried again. */
export const dismiss = complete;
