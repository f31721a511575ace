import * as z from 'zod/mini';
import { count, millis, millisOrNull, text } from '#shared/domain/kernel/schemas.ts';
import { DAY, HOUR, MINUTE, type Millis } from '#shared/domain/kernel/time.ts';
import { providerName } from '#shared/domain/providers/provider.ts';
import { paymentQuery } from './report.ts';

/** An authentic notification as received; or a payment in the provider's list that reconciliation could not look up. */
export const notification = z.object({
  provider: providerName,
  /** SHA-256 of what the provider signed, hex: notifications with the same hash are one, however often it is sent. */
  hash: text.check(z.regex(/^[0-9a-f]{64}$/)),
  /** The raw bytes, base64; empty for an entry of reconciliation. */
  raw: text,
  /** What to look up, for an entry of reconciliation; null for a notification, which is read for it. */
  query: z.nullable(paymentQuery),
  receivedAt: millis,
  /** How often its look-up has failed. */
  tries: count,
  /** When its look-up is due; null once it is settled. */
  dueAt: millisOrNull,
});
export type Notification = z.infer<typeof notification>;

/** How long raw notifications are kept, for disputes and for replays that come days later. Milliseconds. */
export const NOTIFICATION_RETENTION = 30 * DAY;

/** When the sweeper settles a notification that its own request has not settled, as after a crash. Milliseconds. */
export const FIRST_LOOK_UP = MINUTE;
const GAPS = [MINUTE, 2 * MINUTE, 5 * MINUTE] as const;
/** The longest wait between tries, so that money is found within ten minutes of a provider's recovery. */
const LONGEST_GAP = 10 * MINUTE;
/** A look-up is repeated for as long as providers repeat a notification (providers.md section 0). */
const GIVE_UP_AFTER = 72 * HOUR;

/** When to look up again after `tries` failed look-ups; null when it is given up. */
export const nextLookUp = (
  { receivedAt }: Pick<Notification, 'receivedAt'>,
  tries: number,
  now: Millis,
): Millis | null => {
  const next = now + (GAPS[tries - 1] ?? LONGEST_GAP);
  return next - receivedAt > GIVE_UP_AFTER ? null : next;
};
