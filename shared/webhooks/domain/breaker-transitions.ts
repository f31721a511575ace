import { MINUTE, type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import {
  type Breaker,
  type BreakerAttempt,
  type Closed,
  type Draining,
  type Open,
  outageAfter,
  slowUntilAfter,
} from './breaker.ts';

/** Failures in a row, each of another delivery than the one before, after which a breaker opens. */
export const OPENS_AFTER_FAILURES = 5;
/**
 * The same for refusals (4xx). A refusal may speak against one event only, so many are needed: an endpoint that takes one event
 * in ten refuses a hundred in a row once in 38,000 times.
 */
export const OPENS_AFTER_REJECTIONS = 100;
/** How often the sweeper runs: it takes one step of a drain each time and spreads it over the time until the next. */
export const DRAIN_STEP_EVERY = MINUTE;
/** Half the sweeper's interval: the step may be taken late in one sweep, and the next one must find the breaker due. */
const RECHECK_DELAY = 30 * SECOND;
/** How long after its planned attempt a canary is looked for. */
const CANARY_GRACE = 5 * MINUTE;
/** Deliveries in a drain's first step; every further step releases twice as many, up to the last. */
const FIRST_STEP_SIZE = 60;
export const LAST_STEP_SIZE = 6_000;

/** What happens to an endpoint's breaker, with what is known about it. Times in milliseconds since the epoch. */
interface EventData {
  /** `nextAttemptAt`: when the delivery is tried again; null when it is exhausted. */
  attempt_failed: { readonly attempt: BreakerAttempt; readonly nextAttemptAt: Millis | null };
  attempt_succeeded: { readonly attempt: BreakerAttempt };
  /** A delivery is to probe at `at`, in place of the canary that the elector saw. */
  canary_elected: { readonly eventId: string; readonly replaces: string | null; readonly at: Millis };
  /** The sweeper found the canary's delivery waiting or under way. */
  canary_found: { readonly eventId: string; readonly nextAttemptAt: Millis };
  /** A drain step is about to release deliveries, the last one of this event. `dueAt`: of the breaker that the step is for. */
  batch_released: { readonly lastEventId: string; readonly dueAt: Millis; readonly now: Millis };
  /** The sweeper found nothing parked. `dueAt`: of the breaker that it read. */
  nothing_parked: { readonly dueAt: Millis; readonly now: Millis };
  /** A parked delivery's own due time has come, although no drain has released it; or its endpoint was switched on. */
  parked_delivery_due: { readonly now: Millis };
  /** The merchant asks for what was parked or exhausted. `from`: when the drain begins. */
  recovery_requested: { readonly from: Millis };
  url_changed: { readonly now: Millis };
  /** A request named the URL that the endpoint has. */
  url_repeated: { readonly now: Millis };
  /** The endpoint is about to be switched on. `from`: when a drain begins. */
  endpoint_enabled: { readonly from: Millis };
  /** A delivery met the endpoint switched off. */
  endpoint_disabled: object;
}
type Kind = keyof EventData;
export type BreakerEvent<K extends Kind = Kind> = { readonly [P in K]: { readonly kind: P } & EventData[P] }[K];

/** Undefined: nothing changes. The version is set by `nextBreaker`. */
type Transition<B extends Breaker, K extends Kind> = (before: B, event: BreakerEvent<K>) => Breaker | undefined;

const ignore = (): undefined => undefined;

const common = ({ endpointId, mode, outage, slowUntil, told, version }: Breaker) => ({
  endpointId,
  mode,
  outage,
  slowUntil,
  told,
  version,
});

const startDrain = (before: Breaker, dueAt: Millis, lastReleasedId: string | null): Draining => ({
  ...common(before),
  state: 'draining',
  outage: null,
  canary: before.state === 'closed' ? null : before.canary,
  stepSize: FIRST_STEP_SIZE,
  lastReleasedId,
  emptyPolls: 0,
  dueAt,
});

/** The failed delivery is the canary until another takes its turn; an exhausted one cannot be, and another is needed at once. */
const canaryAfter = ({ attempt, nextAttemptAt }: BreakerEvent<'attempt_failed'>) =>
  nextAttemptAt === null
    ? { canary: null, dueAt: attempt.endedAt }
    : { canary: attempt.eventId, dueAt: nextAttemptAt + CANARY_GRACE };

const countOrOpen: Transition<Closed | Draining, 'attempt_failed'> = (before, event) => {
  const outage = outageAfter(before.outage, event.attempt);
  const slowUntil = slowUntilAfter(before, event.attempt);
  if (outage.failures < OPENS_AFTER_FAILURES && outage.rejections < OPENS_AFTER_REJECTIONS) {
    return { ...before, outage, slowUntil };
  }
  const lastReleasedId = before.state === 'draining' ? before.lastReleasedId : null;
  const opened = {
    ...common(before),
    outage,
    slowUntil,
    state: 'open',
    probes: 1,
    lastReleasedId,
    emptyPolls: 0,
  } as const;
  return { ...opened, ...canaryAfter(event) };
};

const countProbe: Transition<Open, 'attempt_failed'> = (before, event) => {
  const outage = outageAfter(before.outage, event.attempt);
  const counted = { ...before, outage, slowUntil: slowUntilAfter(before, event.attempt) };
  if (before.canary !== event.attempt.eventId) return counted;
  return { ...counted, probes: before.probes + 1, emptyPolls: 0, ...canaryAfter(event) };
};

/** Writes nothing for a healthy endpoint, whose successes are most of all attempts. */
const endOutage: Transition<Closed | Draining, 'attempt_succeeded'> = (before, { attempt }) => {
  const slowUntil = slowUntilAfter(before, attempt);
  return before.outage === null && slowUntil === before.slowUntil ? undefined : { ...before, outage: null, slowUntil };
};

/** Continues after the last event that was released: what the endpoint always refuses would be released again and again. */
const drainAfterProbe: Transition<Open, 'attempt_succeeded'> = (before, { attempt }) => ({
  ...startDrain(before, attempt.endedAt, before.lastReleasedId),
  // A delivery that was sent by hand may have succeeded while the canary waits.
  canary: before.canary === attempt.eventId ? null : before.canary,
  slowUntil: slowUntilAfter(before, attempt),
});

/** Of several consumers that elect at the same moment the first wins. */
const elect: Transition<Open, 'canary_elected'> = (before, { eventId, replaces, at }) =>
  before.canary === replaces ? { ...before, canary: eventId, emptyPolls: 0, dueAt: at + CANARY_GRACE } : undefined;

const watchCanary: Transition<Open, 'canary_found'> = (before, { eventId, nextAttemptAt }) =>
  before.canary === eventId ? { ...before, dueAt: nextAttemptAt + CANARY_GRACE } : undefined;

/** Of several sweepers that take the same step the first wins. */
const nextStep: Transition<Draining, 'batch_released'> = (before, { lastEventId, dueAt, now }) =>
  before.dueAt === dueAt
    ? {
        ...before,
        stepSize: Math.min(before.stepSize * 2, LAST_STEP_SIZE),
        canary: null,
        lastReleasedId: lastEventId,
        emptyPolls: 0,
        dueAt: now + RECHECK_DELAY,
      }
    : undefined;

/** The list of what is parked may lag, and a consumer may park by an older read of this breaker: one empty poll proves nothing. */
const pollAgain = <B extends Open | Draining>(before: B, now: Millis): B => ({
  ...before,
  canary: null,
  emptyPolls: 1,
  dueAt: now + RECHECK_DELAY,
});

const endDrain: Transition<Draining, 'nothing_parked'> = (before, { dueAt, now }) => {
  if (before.dueAt !== dueAt) return undefined;
  return before.emptyPolls === 0 ? pollAgain(before, now) : { ...common(before), state: 'closed' };
};

/** Without a parked delivery none can probe: the next one that comes is the canary. */
const stopProbing: Transition<Open, 'nothing_parked'> = (before, { dueAt, now }) => {
  if (before.dueAt !== dueAt) return undefined;
  return before.emptyPolls === 0
    ? pollAgain(before, now)
    : { ...before, canary: null, emptyPolls: 0, lastReleasedId: null, dueAt: null };
};

const drainNow: Transition<Closed, 'parked_delivery_due'> = (before, { now }) => startDrain(before, now, null);

/** A drain that was suspended, because its endpoint was off, starts again. */
const drainIfSuspended: Transition<Draining, 'parked_delivery_due'> = (before, { now }) =>
  before.dueAt === null ? startDrain(before, now, null) : undefined;

const drainForRecovery: Transition<Breaker, 'recovery_requested'> = (before, { from }) =>
  startDrain(before, from, null);

/** Version 0 has no item: there is nothing to forget. */
const forget: Transition<Closed, 'url_changed'> = (before) =>
  before.version === 0 ? undefined : { ...before, outage: null, slowUntil: 0, told: null };

const forgetAndProbe: Transition<Open, 'url_changed'> = (before, { now }) => ({
  ...before,
  outage: null,
  slowUntil: 0,
  told: null,
  probes: 0,
  dueAt: now,
});

/** It is probed at once. Its outage goes on: whoever repeats a URL, of which nobody is told, keeps no failure from its owners. */
const probeNow: Transition<Open, 'url_repeated'> = (before, { now }) => ({ ...before, probes: 0, dueAt: now });

const forgetAndDrain: Transition<Draining, 'url_changed'> = (before) => ({
  ...before,
  outage: null,
  slowUntil: 0,
  told: null,
});

/** Once the endpoint is on, a canary that waits leaves with a drain, as what is parked does. Who switched it on knows that it failed. */
const reset: Transition<Breaker, 'endpoint_enabled'> = (before, { from }) => {
  if (before.version === 0) return undefined;
  const isCanaryLeft = before.state !== 'closed' && before.canary !== null;
  const after: Breaker = isCanaryLeft ? startDrain(before, from, null) : { ...common(before), state: 'closed' };
  return { ...after, outage: null, told: null };
};

const suspendProbes: Transition<Open, 'endpoint_disabled'> = (before) =>
  before.dueAt === null ? undefined : { ...before, dueAt: null };

const suspendDrain: Transition<Draining, 'endpoint_disabled'> = (before) =>
  before.dueAt === null ? undefined : { ...before, dueAt: null };

/** What every event does in every state. */
const TRANSITIONS: {
  readonly [K in Kind]: {
    readonly closed: Transition<Closed, K>;
    readonly open: Transition<Open, K>;
    readonly draining: Transition<Draining, K>;
  };
} = {
  attempt_failed: { closed: countOrOpen, open: countProbe, draining: countOrOpen },
  attempt_succeeded: { closed: endOutage, open: drainAfterProbe, draining: endOutage },
  canary_elected: { closed: ignore, open: elect, draining: ignore },
  canary_found: { closed: ignore, open: watchCanary, draining: ignore },
  batch_released: { closed: ignore, open: ignore, draining: nextStep },
  nothing_parked: { closed: ignore, open: stopProbing, draining: endDrain },
  parked_delivery_due: { closed: drainNow, open: ignore, draining: drainIfSuspended },
  recovery_requested: { closed: drainForRecovery, open: drainForRecovery, draining: drainForRecovery },
  url_changed: { closed: forget, open: forgetAndProbe, draining: forgetAndDrain },
  url_repeated: { closed: ignore, open: probeNow, draining: ignore },
  endpoint_enabled: { closed: reset, open: reset, draining: reset },
  endpoint_disabled: { closed: ignore, open: suspendProbes, draining: suspendDrain },
};

const changed = <K extends Kind>(before: Breaker, event: BreakerEvent<K>): Breaker | undefined => {
  const transitions = TRANSITIONS[event.kind];
  switch (before.state) {
    case 'closed':
      return transitions.closed(before, event);
    case 'open':
      return transitions.open(before, event);
    case 'draining':
      return transitions.draining(before, event);
  }
};

/** The next version of a breaker after an event; undefined when the event changes nothing and there is nothing to write. */
export const nextBreaker = (before: Breaker, event: BreakerEvent): Breaker | undefined => {
  const after = changed(before, event);
  return after && { ...after, version: before.version + 1 };
};
