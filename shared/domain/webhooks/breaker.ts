import * as z from 'zod/mini';
import { idSchema } from '#shared/domain/kernel/ids.ts';
import { count, millis, millisOrNull } from '#shared/domain/kernel/schemas.ts';
import { DAY, HOUR, MINUTE, type Millis, SECOND } from '#shared/domain/kernel/time.ts';

/**
 * Failures in a row after which an endpoint's other deliveries are parked and one canary probes. The tries of one delivery that
 * follow each other count once: an endpoint that refuses one event takes the others.
 */
export const OPENS_AFTER = 5;
/**
 * The same for events that an endpoint refuses, each counted once: a 4xx tells of one event first, and an endpoint that refuses many
 * takes the others, at once. One that refuses so many in a row takes none: who takes one event in ten refuses a hundred in a row once
 * in 38,000 times.
 */
export const OPENS_AFTER_REFUSALS = 100;
/** Request Timeout, Gone, Too Early, Too Many Requests: not about what was sent (RFC 9110, section 15.5; RFC 6585; RFC 8470). */
const NO_REFUSAL = new Set([408, 410, 425, 429]);
/** Nothing but failures for so long switches the endpoint off (architecture.md section 5). */
export const DISABLES_AFTER = 5 * DAY;
/** After a longer time without a failure an outage begins anew: while one lasts, something is tried more often. */
const OUTAGE_GAP = DAY;
/** Two 410s at least this far apart, with no success in between, switch it off (api.md section 5). */
const GONE_APART = HOUR;
/** An attempt that took longer makes the endpoint slow; it gets a queue of its own for a while. */
const SLOW_ATTEMPT = 5 * SECOND;
const SLOW_FOR = 10 * MINUTE;
/** How often the sweeper comes: it takes a step of a drain each time, spread until the next. */
export const DRAIN_EVERY = MINUTE;
/** Half a minute: a look comes up to that long after its sweep began, and the next sweep has to find it due. */
const LOOK_REST = 30 * SECOND;
/** So long after a canary's time it looks whether the canary still lives. */
const CANARY_GRACE = 5 * MINUTE;
/** Deliveries a step: the rate at which a recovered endpoint gets its backlog doubles from the first to the last. */
const FIRST_DRAIN = 60;
export const LAST_DRAIN = 6_000;

/**
 * What we know of an endpoint that is not well. No row: it is well. Written only when something fails or is slow, by the
 * success that ends it, and while it drains.
 */
export const breaker = z.object({
  endpointId: idSchema('whe'),
  state: z.enum(['closed', 'open', 'draining']),
  /** In a row, of the endpoint. */
  failures: count,
  /** In a row, of single events. */
  refusals: z._default(count, 0),
  /** The first failure of an outage, since the last success. */
  failingSince: millisOrNull,
  /** The last failure: whose it was, and when. */
  lastFailed: z._default(z.nullable(idSchema('evt')), null),
  lastFailedAt: z._default(millis, 0),
  /** The first 410 since the last success. */
  goneSince: millisOrNull,
  slowUntil: millis,
  /** While open: the event whose delivery probes; null while there is none. */
  canary: z.nullable(idSchema('evt')),
  /** While open: probes that failed. */
  probes: z._default(count, 0),
  /** While draining: how many deliveries the next step sends. */
  drain: count,
  /** The event up to which the last step let deliveries go, also of a drain that the endpoint cut short; null: none did. */
  drained: z._default(z.nullable(idSchema('evt')), null),
  /** Looks into the parking lot, one after the other, that found it empty. */
  emptyLooks: z._default(count, 0),
  /** When the sweeper has to look at it. */
  dueAt: millisOrNull,
  version: count,
});
export type Breaker = z.infer<typeof breaker>;

/** Of no failure since the last success. */
const UNFAILED = {
  failures: 0,
  refusals: 0,
  failingSince: null,
  lastFailed: null,
  goneSince: null,
  canary: null,
  probes: 0,
} as const;

/** The row of an endpoint that has none. Version 0: it must not exist yet when it is written. */
export const wellBreaker = (endpointId: string): Breaker => ({
  endpointId,
  state: 'closed',
  ...UNFAILED,
  lastFailedAt: 0,
  slowUntil: 0,
  drain: 0,
  drained: null,
  emptyLooks: 0,
  dueAt: null,
  version: 0,
});

/** The breaker after a change, as the next version of itself. */
const next = (before: Breaker, set: Partial<Breaker>): Breaker => ({ ...before, ...set, version: before.version + 1 });

/** Begins anew, as for an endpoint that is well: its business switched it on again. What is parked stays parked. */
export const resetBreaker = (before: Breaker): Breaker => ({
  ...wellBreaker(before.endpointId),
  slowUntil: before.slowUntil,
  version: before.version + 1,
});

/** An attempt as the breaker sees it. */
export interface Seen {
  readonly eventId: string;
  readonly endedAt: Millis;
  readonly durationMs: number;
  readonly statusCode: number | null;
  /** Whether the delivery had failed before. */
  readonly isRetry: boolean;
}

const isRefusal = ({ statusCode }: Seen): boolean =>
  statusCode !== null && statusCode >= 400 && statusCode < 500 && !NO_REFUSAL.has(statusCode);

/** Marked anew once a minute: not by every success of an endpoint that is always slow. */
const slowness = ({ slowUntil }: Breaker, { durationMs, endedAt }: Seen): number => {
  const marked = endedAt + SLOW_FOR;
  return durationMs > SLOW_ATTEMPT && marked - slowUntil >= MINUTE ? marked : slowUntil;
};

/** The failure counted, with those before it. */
const counted = (before: Breaker, seen: Seen): Breaker => {
  const goesOn = before.failingSince !== null && seen.endedAt - before.lastFailedAt <= OUTAGE_GAP;
  const isAnother = seen.eventId !== before.lastFailed;
  return next(before, {
    failures: before.failures + (isAnother && !isRefusal(seen) ? 1 : 0),
    refusals: before.refusals + (isAnother && isRefusal(seen) && !seen.isRetry ? 1 : 0),
    failingSince: goesOn ? before.failingSince : seen.endedAt,
    lastFailed: seen.eventId,
    lastFailedAt: seen.endedAt,
    goneSince: seen.statusCode === 410 ? (before.goneSince ?? seen.endedAt) : before.goneSince,
    slowUntil: slowness(before, seen),
  });
};

/**
 * An attempt failed. `nextAttemptAt` is when its delivery tries again; null when it is exhausted and cannot probe. The canary
 * that failed stays it until another delivery takes its turn (`withCanary`).
 */
export const afterFailure = (before: Breaker, seen: Seen, nextAttemptAt: Millis | null): Breaker => {
  const failed = counted(before, seen);
  const fails = failed.failures >= OPENS_AFTER || failed.refusals >= OPENS_AFTER_REFUSALS;
  const opens = before.state !== 'open' && fails;
  if (!opens && (before.state !== 'open' || before.canary !== seen.eventId)) return failed;
  const canary = nextAttemptAt === null ? null : seen.eventId;
  return {
    ...failed,
    state: 'open',
    drain: 0,
    emptyLooks: 0,
    canary,
    probes: opens ? 1 : before.probes + 1,
    dueAt: (nextAttemptAt ?? seen.endedAt) + (canary ? CANARY_GRACE : 0),
  };
};

/** Whether the attempt was a probe that failed: then it is another delivery's turn, should one wait. */
export const hasProbed = ({ state, canary, lastFailed }: Breaker): boolean =>
  state === 'open' && (canary === null || canary === lastFailed);

/** An attempt succeeded; undefined when there is nothing to write, as for every endpoint that is well. */
export const afterSuccess = (before: Breaker, seen: Seen): Breaker | undefined => {
  const slowUntil = slowness(before, seen);
  const well = before.failingSince === null && before.state !== 'open' && before.goneSince === null;
  if (well && slowUntil === before.slowUntil) return undefined;
  return next(before, { ...UNFAILED, slowUntil, ...(before.state === 'open' && startDrain(seen.endedAt)) });
};

const startDrain = (now: Millis) => ({ state: 'draining', drain: FIRST_DRAIN, emptyLooks: 0, dueAt: now }) as const;

/** The parking lot is to be emptied from now on, at the rising rate: after recovery, or because the merchant asks for it. */
export const drainNow = (before: Breaker, now: Millis): Breaker =>
  next(before, { ...UNFAILED, ...startDrain(now), drained: null });

/**
 * The parking lot was found empty: it is looked into once more, since its list may lag, and who read this breaker before may still
 * park. After that nothing drains any more, or nobody is left to probe until something new does.
 */
export const afterEmptyLook = (before: Breaker, now: Millis): Breaker =>
  next(before, {
    canary: null,
    ...(before.emptyLooks === 0
      ? { emptyLooks: 1, dueAt: now + LOOK_REST }
      : {
          emptyLooks: 0,
          dueAt: null,
          drained: null,
          ...(before.state === 'draining' && { state: 'closed', drain: 0 }),
        }),
  });

/**
 * After a step that let parked deliveries go up to that of the event `last`, null when it found none: the next one sends twice as
 * many; two that find none end it.
 */
export const afterDrainStep = (before: Breaker, last: string | null, now: Millis): Breaker =>
  // Not when fewer were found than asked for: who freed the last ones may have died over it.
  last === null
    ? afterEmptyLook(before, now)
    : next(before, {
        drain: Math.min(before.drain * 2, LAST_DRAIN),
        drained: last,
        emptyLooks: 0,
        dueAt: now + LOOK_REST,
      });

/** A delivery probes at `at`, from now on the only one. */
export const withCanary = (before: Breaker, eventId: string, at: Millis): Breaker =>
  next(before, { canary: eventId, emptyLooks: 0, dueAt: at + CANARY_GRACE });

/** Nobody probes and nothing drains: the endpoint is off. */
export const atRest = (before: Breaker): Breaker => next(before, { canary: null, dueAt: null });

/** Its URL was set: what was known of the old one is forgotten, and while open it is probed at once. What is parked stays parked. */
export const withNewUrl = (before: Breaker, now: Millis): Breaker =>
  next(before, { ...UNFAILED, slowUntil: 0, canary: before.canary, ...(before.state === 'open' && { dueAt: now }) });

/** The canary lives and tries at `nextAt`: look again after that. */
export const watchCanary = (before: Breaker, nextAt: Millis): Breaker => next(before, { dueAt: nextAt + CANARY_GRACE });

/** Why the endpoint is to be switched off after this attempt, if it is. */
export const disableReason = (state: Breaker, { endedAt, statusCode }: Seen): string | undefined => {
  const isGone = statusCode === 410 && state.goneSince !== null && endedAt - state.goneSince >= GONE_APART;
  if (isGone) return 'It answered 410 Gone twice.';
  if (state.failingSince !== null && endedAt - state.failingSince >= DISABLES_AFTER) {
    return 'Nothing was delivered to it for five days.';
  }
  return undefined;
};

/** Whether its work belongs on the queue of slow endpoints. */
export const isSlow = (state: Breaker, now: Millis): boolean => now < state.slowUntil;
