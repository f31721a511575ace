import * as z from 'zod/mini';
import { count, millis, millisOrNull, text } from '#shared/domain/kernel/schemas.ts';
import { DAY, HOUR, MINUTE, type Millis } from '#shared/domain/kernel/time.ts';
import { providerName } from '#shared/domain/providers/provider.ts';
import { paymentQuery } from './report.ts';

/** A provider's notification whose signature was right, as it came; or what we found in its list of payments instead. */
export const notification = z.object({
  provider: providerName,
  /** SHA-256 of what the provider signed, hex: the same is one notification, whenever it comes. */
  hash: text.check(z.regex(/^[0-9a-f]{64}$/)),
  /** The raw bytes, base64; empty where reconciliation noted what it could not look up. */
  raw: text,
  /** What reconciliation could not look up; null for a notification, whose bytes say it. */
  query: z.nullable(paymentQuery),
  receivedAt: millis,
  /** How often its look-up has failed. */
  tries: count,
  /** When its look-up is due; null once it is settled. */
  dueAt: millisOrNull,
});
export type Notification = z.infer<typeof notification>;

/** Raw notifications are kept so long, for disputes and for replays that come days later. */
export const NOTIFICATION_RETENTION = 30 * DAY;

/** The request that received it normally settles it within this; after a crash the sweeper does it then. */
export const FIRST_LOOK_UP = MINUTE;
const GAPS = [MINUTE, 2 * MINUTE, 5 * MINUTE] as const;
/** The longest wait between tries, so that money is found within ten minutes of a provider's recovery. */
const LONGEST_GAP = 10 * MINUTE;
/** Providers repeat a notification for 72 hours (providers.md section 0); so do we look it up. */
const GIVE_UP_AFTER = 72 * HOUR;

/** When to look up again after the look-up number `tries` failed; null when it has been tried long enough. */
export const nextLookUp = (
  { receivedAt }: Pick<Notification, 'receivedAt'>,
  tries: number,
  now: Millis,
): Millis | null => {
  const next = now + (GAPS[tries - 1] ?? LONGEST_GAP);
  return next - receivedAt > GIVE_UP_AFTER ? null : next;
};
