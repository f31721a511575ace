import * as z from 'zod/mini';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { mode } from '#shared/platform/kernel/mode.ts';
import { count, millis, millisOrNull } from '#shared/platform/kernel/schemas.ts';
import { DAY, HOUR, MINUTE, type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import { notifiedHealth } from './told-health.ts';

/* The circuit breaker of a webhook endpoint: the state of an endpoint that fails or is slow. The transitions are in breaker-transitions.ts. */

/** An endpoint is switched off if an attempt fails this long after the start of its outage, or later. Milliseconds. */
export const DISABLES_AFTER = 5 * DAY;
/** Two 410 answers at least this far apart, with no success in between, switch an endpoint off. Milliseconds. */
const GONE_APART = HOUR;
/** An attempt that takes longer marks the endpoint as slow for `SLOW_FOR`: its deliveries use the slow queue. Milliseconds. */
const SLOW_ATTEMPT = 5 * SECOND;
const SLOW_FOR = 10 * MINUTE;
/**
 * The longest time between two failures of one outage. During an outage the gaps between attempts are shorter than this. If the last failure is
 * longer ago, the next failure sets the start of the outage (`since`) anew. The counts of failures continue. Milliseconds.
 */
const OUTAGE_GAP = DAY;
/** The 4xx that are about the endpoint and not about the event (RFC 9110, section 15.5; RFC 6585; RFC 8470). */
const ENDPOINT_FAULTS = new Set([408, 410, 425, 429]);

/** The failed attempts since the last success. Consecutive attempts of one delivery count once. */
const outage = z.object({
  /** The time of the first failure. If more than a day passes without a failure, the next failure counts as the first. */
  since: millis,
  /** The failures that are about the endpoint. Rejections in between do not reset the count. */
  failures: count,
  /** The first attempts that the endpoint rejected with a 4xx that may be about the event only. Failures in between do not reset the count. */
  rejections: count,
  /** The event and the time of the last failure. */
  lastEventId: idSchema('evt'),
  lastAt: millis,
  /** The time of the first 410. */
  goneSince: millisOrNull,
});
export type Outage = z.infer<typeof outage>;

const commonFields = {
  endpointId: idSchema('whe'),
  /** The mode of the endpoint. */
  mode,
  outage: z.nullable(outage),
  slowUntil: millis,
  /**
   * The health that owners were mailed about, in live mode only; null if they were mailed nothing, or if those mails no longer matter
   * (`url_changed`, `endpoint_enabled`).
   */
  told: z.nullable(notifiedHealth),
  /** Grows by one with every write. Each write demands the version that was read. */
  version: count,
};
const parkedFields = {
  /**
   * The event of the last delivery that a drain step took; null before the first step. If a failure cuts a drain short, the drain after the
   * outage continues behind it.
   */
  lastReleasedId: z.nullable(idSchema('evt')),
  /** How many times in a row the sweeper looked for parked deliveries and found none. */
  emptyPolls: count,
  /** The time when the sweeper works on this breaker next; null while it has nothing to do. */
  dueAt: millisOrNull,
};

const closed = z.object({ ...commonFields, state: z.literal('closed') });
const open = z.object({
  ...commonFields,
  ...parkedFields,
  state: z.literal('open'),
  /** The event of the delivery that probes the endpoint; null while none does. */
  canary: z.nullable(idSchema('evt')),
  /** The number of failed probes. */
  probes: count,
});
const draining = z.object({
  ...commonFields,
  ...parkedFields,
  state: z.literal('draining'),
  /** The number of deliveries that the next step releases. */
  stepSize: count,
  /**
   * The event of the canary at the start of the drain. The canary is not parked, so the first step retries it. Null afterwards and in older
   * items.
   */
  canary: z._default(z.nullable(idSchema('evt')), null),
});

/** Deliveries are attempted. */
export type Closed = z.infer<typeof closed>;
/** The endpoint fails: deliveries are parked, and one of them, the canary, probes it. */
export type Open = z.infer<typeof open>;
/** The endpoint works again: parked deliveries are released step by step, at a rising rate. */
export type Draining = z.infer<typeof draining>;

/**
 * A breaker as it is stored. An endpoint has no breaker item until an attempt fails or is slow, or a drain begins. Without an item it counts as
 * healthy.
 */
export const breaker = z.discriminatedUnion('state', [closed, open, draining]);
export type Breaker = Closed | Open | Draining;

/** The endpoint of a breaker, with its mode. */
export type BreakerEndpoint = Pick<Breaker, 'endpointId' | 'mode'>;

/** Returns the breaker of an endpoint without a breaker item. Version 0 means that the next write expects no item. */
export const healthyBreaker = ({ endpointId, mode }: BreakerEndpoint): Closed => ({
  endpointId,
  mode,
  state: 'closed',
  outage: null,
  slowUntil: 0,
  told: null,
  version: 0,
});

/** An attempt as the breaker sees it. */
export interface BreakerAttempt {
  readonly eventId: string;
  readonly endedAt: Millis;
  readonly durationMs: number;
  readonly statusCode: number | null;
  /** Whether an earlier attempt of the delivery failed, since its last redelivery. */
  readonly isRetry: boolean;
}

const isRejection = ({ statusCode }: BreakerAttempt): boolean =>
  statusCode !== null && statusCode >= 400 && statusCode < 500 && !ENDPOINT_FAULTS.has(statusCode);

/** Returns the outage after one more failed attempt. */
export const outageAfter = (before: Outage | null, attempt: BreakerAttempt): Outage => {
  const { eventId, endedAt, statusCode } = attempt;
  const isOtherEvent = eventId !== before?.lastEventId;
  const keepsStart = before !== null && endedAt - before.lastAt <= OUTAGE_GAP;
  return {
    since: keepsStart ? before.since : endedAt,
    failures: (before?.failures ?? 0) + (isOtherEvent && !isRejection(attempt) ? 1 : 0),
    rejections: (before?.rejections ?? 0) + (isOtherEvent && isRejection(attempt) && !attempt.isRetry ? 1 : 0),
    lastEventId: eventId,
    lastAt: endedAt,
    goneSince: before?.goneSince ?? (statusCode === 410 ? endedAt : null),
  };
};

/**
 * Returns the time until which the endpoint counts as slow, after one more attempt. This time moves at most once a minute: otherwise every slow
 * success would cost a write.
 */
export const slowUntilAfter = ({ slowUntil }: Breaker, { durationMs, endedAt }: BreakerAttempt): Millis => {
  const until = endedAt + SLOW_FOR;
  return durationMs > SLOW_ATTEMPT && until - slowUntil >= MINUTE ? until : slowUntil;
};

/** Whether the endpoint's deliveries belong on the queue of slow endpoints. */
export const isSlow = (breaker: Breaker, now: Millis): boolean => now < breaker.slowUntil;

/** Returns the time when the sweeper works on the breaker next; null if it has nothing to do. */
export const breakerDueAt = (breaker: Breaker): Millis | null => (breaker.state === 'closed' ? null : breaker.dueAt);

/** Whether another parked delivery takes its turn as canary: no canary exists, or the canary's attempt has just failed. */
export const needsCanary = (breaker: Breaker): breaker is Open =>
  breaker.state === 'open' && (breaker.canary === null || breaker.canary === breaker.outage?.lastEventId);

/** The reasons for switching an endpoint off, as the merchant reads them. `gone`: the server of the endpoint asks for no more webhooks. */
export const DISABLE_REASONS = {
  gone: 'It answered 410 Gone twice.',
  failing: 'Nothing was delivered to it for five days.',
} as const;
export type DisableCause = keyof typeof DISABLE_REASONS;

/** Returns why the endpoint is switched off after this attempt; undefined if it stays on. */
export const disableCause = (
  { outage }: Breaker,
  { endedAt, statusCode }: Pick<BreakerAttempt, 'endedAt' | 'statusCode'>,
): DisableCause | undefined => {
  if (!outage) return undefined;
  const isGone = statusCode === 410 && outage.goneSince !== null && endedAt - outage.goneSince >= GONE_APART;
  if (isGone) return 'gone';
  return endedAt - outage.since >= DISABLES_AFTER ? 'failing' : undefined;
};
