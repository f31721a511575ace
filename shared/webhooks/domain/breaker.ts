import * as z from 'zod/mini';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { mode } from '#shared/platform/kernel/mode.ts';
import { count, millis, millisOrNull } from '#shared/platform/kernel/schemas.ts';
import { DAY, HOUR, MINUTE, type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import { notifiedHealth } from './told-health.ts';

/* The circuit breaker of a webhook endpoint: what is known of an endpoint that fails or is slow. Its changes: breaker-transitions.ts. */

/** An endpoint that failed for so long without a success is switched off (architecture.md section 5). Milliseconds. */
export const DISABLES_AFTER = 5 * DAY;
/** Two 410s at least this far apart, with no success in between, switch an endpoint off (api-decisions.md section 5). Milliseconds. */
const GONE_APART = HOUR;
/** An attempt that took longer marks the endpoint as slow for `SLOW_FOR`: its deliveries use the slow queue. Milliseconds. */
const SLOW_ATTEMPT = 5 * SECOND;
const SLOW_FOR = 10 * MINUTE;
/** A failure that comes later than this after the last one begins a new outage: while one lasts, attempts are made more often. */
const OUTAGE_GAP = DAY;
/** 4xx that speak against the endpoint and not against the event (RFC 9110, section 15.5; RFC 6585; RFC 8470). */
const ENDPOINT_FAULTS = new Set([408, 410, 425, 429]);

/** Failed attempts since the last success. Consecutive attempts of one delivery count once. */
const outage = z.object({
  /** The first failure; the first after the pause where one of more than a day came between. */
  since: millis,
  /** Failures in a row that speak against the endpoint. */
  failures: count,
  /** First attempts in a row that the endpoint refused with a 4xx, which may speak against the event alone. */
  rejections: count,
  /** The event of the last failure, and when that was. */
  lastEventId: idSchema('evt'),
  lastAt: millis,
  /** The first 410. */
  goneSince: millisOrNull,
});
export type Outage = z.infer<typeof outage>;

const inEveryState = {
  endpointId: idSchema('whe'),
  /** Its endpoint's. */
  mode,
  outage: z.nullable(outage),
  slowUntil: millis,
  /** What the owners of a live endpoint's business were mailed of it; null while they were mailed nothing. */
  told: z.nullable(notifiedHealth),
  /** Grows by one with every write, which is conditional on it. */
  version: count,
};
const whileParked = {
  /** The event up to which the last drain released deliveries, also one that was cut short; null before the first step. */
  lastReleasedId: z.nullable(idSchema('evt')),
  /** Polls in a row that found nothing parked. */
  emptyPolls: count,
  /** When the sweeper works on this breaker next; null while there is nothing to do for it. */
  dueAt: millisOrNull,
};

const closed = z.object({ ...inEveryState, state: z.literal('closed') });
const open = z.object({
  ...inEveryState,
  ...whileParked,
  state: z.literal('open'),
  /** The event whose delivery probes the endpoint; null while none does. */
  canary: z.nullable(idSchema('evt')),
  /** Probes that failed. */
  probes: count,
});
const draining = z.object({
  ...inEveryState,
  ...whileParked,
  state: z.literal('draining'),
  /** How many deliveries the next step releases. */
  stepSize: count,
  /** The event whose delivery was to probe when the drain began: it is not parked, so the first step retries it. Null from then on, and in older items. */
  canary: z._default(z.nullable(idSchema('evt')), null),
});

/** Deliveries are attempted. */
export type Closed = z.infer<typeof closed>;
/** The endpoint fails: deliveries are parked, and one of them, the canary, probes it. */
export type Open = z.infer<typeof open>;
/** The endpoint works again: parked deliveries are released step by step, at a rising rate. */
export type Draining = z.infer<typeof draining>;

/** A healthy endpoint has no breaker item. One is written when an attempt fails or is slow. */
export const breaker = z.discriminatedUnion('state', [closed, open, draining]);
export type Breaker = Closed | Open | Draining;

/** Whose breaker it is: the endpoint, with its mode. */
export type BreakerEndpoint = Pick<Breaker, 'endpointId' | 'mode'>;

/** The breaker of an endpoint without an item. Version 0: the item must not exist when the next version is written. */
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
  /** Whether the delivery had failed before. */
  readonly isRetry: boolean;
}

const isRejection = ({ statusCode }: BreakerAttempt): boolean =>
  statusCode !== null && statusCode >= 400 && statusCode < 500 && !ENDPOINT_FAULTS.has(statusCode);

/** The outage after one more failed attempt. */
export const outageAfter = (before: Outage | null, attempt: BreakerAttempt): Outage => {
  const { eventId, endedAt, statusCode } = attempt;
  const isOtherEvent = eventId !== before?.lastEventId;
  const continues = before !== null && endedAt - before.lastAt <= OUTAGE_GAP;
  return {
    since: continues ? before.since : endedAt,
    failures: (before?.failures ?? 0) + (isOtherEvent && !isRejection(attempt) ? 1 : 0),
    rejections: (before?.rejections ?? 0) + (isOtherEvent && isRejection(attempt) && !attempt.isRetry ? 1 : 0),
    lastEventId: eventId,
    lastAt: endedAt,
    goneSince: before?.goneSince ?? (statusCode === 410 ? endedAt : null),
  };
};

/** Until when the endpoint counts as slow after an attempt. Moved once a minute, so that few slow successes write the breaker. */
export const slowUntilAfter = ({ slowUntil }: Breaker, { durationMs, endedAt }: BreakerAttempt): Millis => {
  const until = endedAt + SLOW_FOR;
  return durationMs > SLOW_ATTEMPT && until - slowUntil >= MINUTE ? until : slowUntil;
};

/** Whether the endpoint's deliveries belong on the queue of slow endpoints. */
export const isSlow = (breaker: Breaker, now: Millis): boolean => now < breaker.slowUntil;

/** When the sweeper works on the breaker next; null when there is nothing to do for it. */
export const breakerDueAt = (breaker: Breaker): Millis | null => (breaker.state === 'closed' ? null : breaker.dueAt);

/** Whether another parked delivery takes its turn as canary: there is none, or the canary's attempt has just failed. */
export const needsCanary = (breaker: Breaker): breaker is Open =>
  breaker.state === 'open' && (breaker.canary === null || breaker.canary === breaker.outage?.lastEventId);

/** Why an endpoint is switched off, as the merchant reads it. `gone`: its receiver says that nothing shall be sent there any more. */
export const DISABLE_REASONS = {
  gone: 'It answered 410 Gone twice.',
  failing: 'Nothing was delivered to it for five days.',
} as const;
export type DisableCause = keyof typeof DISABLE_REASONS;

/** Why the endpoint is switched off after this attempt; undefined when it stays on. */
export const disableCause = (
  { outage }: Breaker,
  { endedAt, statusCode }: Pick<BreakerAttempt, 'endedAt' | 'statusCode'>,
): DisableCause | undefined => {
  if (!outage) return undefined;
  const isGone = statusCode === 410 && outage.goneSince !== null && endedAt - outage.goneSince >= GONE_APART;
  if (isGone) return 'gone';
  return endedAt - outage.since >= DISABLES_AFTER ? 'failing' : undefined;
};
