import * as z from 'zod/mini';
import { idSchema } from './ids.ts';
import { count, millis, millisOrNull } from './parts.ts';
import { DAY, HOUR, MINUTE, type Millis, SECOND } from './time.ts';

/** Failures in a row after which an endpoint's other deliveries are parked and one canary probes. */
export const OPENS_AFTER = 5;
/** Nothing but failures for so long switches the endpoint off (architecture.md section 5). */
export const DISABLES_AFTER = 5 * DAY;
/** Two 410s at least this far apart, with nothing else in between, switch it off (api.md section 5). */
const GONE_APART = HOUR;
/** An attempt that took longer makes the endpoint slow; it gets a queue of its own for a while. */
const SLOW_ATTEMPT = 5 * SECOND;
const SLOW_FOR = 10 * MINUTE;
/** How often the sweeper takes a step: it drains this often, and looks this long after a canary's time whether it still lives. */
export const DRAIN_EVERY = MINUTE;
const CANARY_GRACE = 5 * MINUTE;
/** Deliveries a step: the rate at which a recovered endpoint gets its backlog doubles from the first to the last. */
const FIRST_DRAIN = 60;
export const LAST_DRAIN = 6_000;

/**
 * What we know of an endpoint that is not well. No row: it is well. Written only when something fails, and by the success
 * that ends it.
 */
export const breaker = z.object({
  endpointId: idSchema('whe'),
  state: z.enum(['closed', 'open', 'draining']),
  /** In a row. */
  failures: count,
  /** The first failure since the last success. */
  failingSince: millisOrNull,
  /** The first 410 since any other answer. */
  goneSince: millisOrNull,
  slowUntil: millis,
  /** While open: the event whose delivery probes; null while there is none. */
  canary: z.nullable(idSchema('evt')),
  /** While draining: how many deliveries the next step sends. */
  drain: count,
  /** When the sweeper has to look at it. */
  dueAt: millisOrNull,
  version: count,
});
export type Breaker = z.infer<typeof breaker>;

/** The row of an endpoint that has none. Version 0: it must not exist yet when it is written. */
export const wellBreaker = (endpointId: string): Breaker => ({
  endpointId,
  state: 'closed',
  failures: 0,
  failingSince: null,
  goneSince: null,
  slowUntil: 0,
  canary: null,
  drain: 0,
  dueAt: null,
  version: 0,
});

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
}

const slowness = ({ slowUntil }: Breaker, seen: Seen): number =>
  seen.durationMs > SLOW_ATTEMPT ? seen.endedAt + SLOW_FOR : slowUntil;

/** An attempt failed. `nextAttemptAt` is when its delivery tries again; null when it is exhausted and cannot probe. */
export const afterFailure = (before: Breaker, seen: Seen, nextAttemptAt: Millis | null): Breaker => {
  const gone = seen.statusCode === 410 ? (before.goneSince ?? seen.endedAt) : null;
  const counted: Breaker = {
    ...before,
    failures: before.failures + 1,
    failingSince: before.failingSince ?? seen.endedAt,
    goneSince: gone,
    slowUntil: slowness(before, seen),
    version: before.version + 1,
  };
  const opens = before.state !== 'open' && counted.failures >= OPENS_AFTER;
  if (!opens && (before.state !== 'open' || before.canary !== seen.eventId)) return counted;
  const canary = nextAttemptAt === null ? null : seen.eventId;
  return {
    ...counted,
    state: 'open',
    drain: 0,
    canary,
    dueAt: (nextAttemptAt ?? seen.endedAt) + (canary ? CANARY_GRACE : 0),
  };
};

/** An attempt succeeded; undefined when there is nothing to write, as for every endpoint that is well. */
export const afterSuccess = (before: Breaker, seen: Seen): Breaker | undefined => {
  const slowUntil = slowness(before, seen);
  const well = before.failures === 0 && before.state !== 'open' && before.goneSince === null;
  if (well && slowUntil === before.slowUntil) return undefined;
  const healed: Breaker = {
    ...before,
    failures: 0,
    failingSince: null,
    goneSince: null,
    slowUntil,
    canary: null,
    version: before.version + 1,
  };
  return before.state === 'open' ? { ...healed, ...startDrain(seen.endedAt) } : healed;
};

const startDrain = (now: Millis) => ({ state: 'draining', drain: FIRST_DRAIN, dueAt: now }) as const;

/** The parking lot is to be emptied from now on, at the rising rate: after recovery, or because the merchant asks for it. */
export const drainNow = (before: Breaker, now: Millis): Breaker => ({
  ...before,
  ...startDrain(now),
  failures: 0,
  failingSince: null,
  goneSince: null,
  canary: null,
  version: before.version + 1,
});

/** After a step that found `found` parked deliveries: the next one sends twice as many; a step that finds none ends it. */
export const afterDrainStep = (before: Breaker, found: number, now: Millis): Breaker => {
  // Not when fewer were found than asked for: the list may lag, and who freed the last ones may have died over it.
  const empty = found === 0;
  return {
    ...before,
    ...(empty
      ? { state: 'closed' as const, drain: 0, dueAt: null }
      : { drain: Math.min(before.drain * 2, LAST_DRAIN), dueAt: now + DRAIN_EVERY }),
    version: before.version + 1,
  };
};

/** Another delivery probes from now on, or none is left to. */
export const withCanary = (before: Breaker, eventId: string | null, now: Millis): Breaker => ({
  ...before,
  canary: eventId,
  dueAt: eventId === null ? null : now + CANARY_GRACE,
  version: before.version + 1,
});

/** The canary lives and tries at `nextAt`: look again after that. */
export const watchCanary = (before: Breaker, nextAt: Millis): Breaker => ({
  ...before,
  dueAt: nextAt + CANARY_GRACE,
  version: before.version + 1,
});

/** Why the endpoint is to be switched off now, if it is. */
export const disableReason = (state: Breaker, now: Millis): string | undefined => {
  if (state.goneSince !== null && now - state.goneSince >= GONE_APART) return 'It answered 410 Gone twice.';
  if (state.failingSince !== null && now - state.failingSince >= DISABLES_AFTER) {
    return 'Nothing was delivered to it for five days.';
  }
  return undefined;
};

/** Whether its work belongs on the queue of slow endpoints. */
export const isSlow = (state: Breaker, now: Millis): boolean => now < state.slowUntil;
