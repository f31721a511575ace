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

/**
 * A breaker opens after this many failures without a success in between. A failed attempt does not count if the failed attempt before it was of
 * the same delivery.
 */
export const OPENS_AFTER_FAILURES = 5;
/**
 * A breaker also opens after this many first attempts that get a 4xx, without a success in between. 408, 410, 425 and 429 do not count here: they
 * are failures. Such a 4xx may be about one event only, so the limit is high: if an endpoint accepts one event in ten, the probability that it
 * rejects a hundred in a row is 1 in 38,000.
 */
export const OPENS_AFTER_REJECTIONS = 100;
/** The interval of the sweeper. Each run takes one step of a drain, and the released deliveries are spread over the interval. */
export const DRAIN_STEP_EVERY = MINUTE;
/**
 * The breaker is due again this long after a step of a drain, and after the sweeper first found nothing parked. It is half the sweeper's
 * interval: even if a sweep works on the breaker late, the next sweep finds it due.
 */
const RECHECK_DELAY = 30 * SECOND;
/** The sweeper checks on a canary this long after its planned attempt. */
const CANARY_GRACE = 5 * MINUTE;
/** The number of deliveries in a drain's first step. Each further step releases twice as many, up to `LAST_STEP_SIZE`. */
const FIRST_STEP_SIZE = 60;
export const LAST_STEP_SIZE = 6_000;

/** The events of a breaker and their data. Times in milliseconds since the epoch. */
interface EventData {
  /** An attempt failed. `nextAttemptAt`: the time of the next attempt; null if the delivery is exhausted. */
  attempt_failed: { readonly attempt: BreakerAttempt; readonly nextAttemptAt: Millis | null };
  attempt_succeeded: { readonly attempt: BreakerAttempt };
  /** A delivery becomes the canary and probes at `at`. `replaces`: the canary that the electing process read; null if it read none. */
  canary_elected: { readonly eventId: string; readonly replaces: string | null; readonly at: Millis };
  /** The sweeper found the canary's delivery waiting or in progress. */
  canary_found: { readonly eventId: string; readonly nextAttemptAt: Millis };
  /** A drain step is about to release deliveries up to the delivery of `lastEventId`. `dueAt`: the due time that the sweeper read in the breaker. */
  batch_released: { readonly lastEventId: string; readonly dueAt: Millis; readonly now: Millis };
  /** The sweeper found nothing parked. `dueAt`: the due time that the sweeper read in the breaker. */
  nothing_parked: { readonly dueAt: Millis; readonly now: Millis };
  /** A parked delivery became due before a drain released it, or its endpoint was switched on. */
  parked_delivery_due: { readonly now: Millis };
  /** The merchant recovers parked and exhausted deliveries. `from`: the start of the drain. */
  recovery_requested: { readonly from: Millis };
  url_changed: { readonly now: Millis };
  /** A request set the URL that the endpoint has already. */
  url_repeated: { readonly now: Millis };
  /** The endpoint is about to be switched on. `from`: the start of the drain. */
  endpoint_enabled: { readonly from: Millis };
  /** A consumer found the endpoint of a delivery switched off. */
  endpoint_disabled: object;
}
type Kind = keyof EventData;
export type BreakerEvent<K extends Kind = Kind> = { readonly [P in K]: { readonly kind: P } & EventData[P] }[K];

/** Returns the changed breaker; undefined if nothing changes. `nextBreaker` sets the version. */
type Transition<B extends Breaker, K extends Kind> = (before: B, event: BreakerEvent<K>) => Breaker | undefined;

const ignore = (): undefined => undefined;

const commonFields = ({ endpointId, mode, outage, slowUntil, told, version }: Breaker) => ({
  endpointId,
  mode,
  outage,
  slowUntil,
  told,
  version,
});

const startDrain = (before: Breaker, dueAt: Millis, lastReleasedId: string | null): Draining => ({
  ...commonFields(before),
  state: 'draining',
  outage: null,
  canary: before.state === 'closed' ? null : before.canary,
  stepSize: FIRST_STEP_SIZE,
  lastReleasedId,
  emptyPolls: 0,
  dueAt,
});

/**
 * Makes the failed delivery the canary until another takes its turn. If the failed delivery is exhausted, there is no canary, and the breaker is
 * due at once, so that the sweeper elects one.
 */
const chooseCanary = ({ attempt, nextAttemptAt }: BreakerEvent<'attempt_failed'>) =>
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
  const openBreaker = {
    ...commonFields(before),
    outage,
    slowUntil,
    state: 'open',
    probes: 1,
    lastReleasedId,
    emptyPolls: 0,
  } as const;
  return { ...openBreaker, ...chooseCanary(event) };
};

const countProbe: Transition<Open, 'attempt_failed'> = (before, event) => {
  const outage = outageAfter(before.outage, event.attempt);
  const after = { ...before, outage, slowUntil: slowUntilAfter(before, event.attempt) };
  if (before.canary !== event.attempt.eventId) return after;
  return { ...after, probes: before.probes + 1, emptyPolls: 0, ...chooseCanary(event) };
};

/** Ends the outage. Changes nothing for a healthy endpoint: most attempts succeed, and they should cost no write. */
const endOutage: Transition<Closed | Draining, 'attempt_succeeded'> = (before, { attempt }) => {
  const slowUntil = slowUntilAfter(before, attempt);
  return before.outage === null && slowUntil === before.slowUntil ? undefined : { ...before, outage: null, slowUntil };
};

/**
 * Starts a drain that continues after the last released event. If the endpoint fails again, the drain is cut short. If each drain began with the
 * oldest event, and the endpoint rejected the oldest events, only these would ever be released.
 */
const drainAfterProbe: Transition<Open, 'attempt_succeeded'> = (before, { attempt }) => ({
  ...startDrain(before, attempt.endedAt, before.lastReleasedId),
  // If another delivery succeeded, such as one that was sent by hand, the canary still waits. The first step of the drain retries it.
  canary: before.canary === attempt.eventId ? null : before.canary,
  slowUntil: slowUntilAfter(before, attempt),
});

/** Makes a delivery the canary. If several consumers elect a canary at the same time, the first wins. */
const elect: Transition<Open, 'canary_elected'> = (before, { eventId, replaces, at }) =>
  before.canary === replaces ? { ...before, canary: eventId, emptyPolls: 0, dueAt: at + CANARY_GRACE } : undefined;

const watchCanary: Transition<Open, 'canary_found'> = (before, { eventId, nextAttemptAt }) =>
  before.canary === eventId ? { ...before, dueAt: nextAttemptAt + CANARY_GRACE } : undefined;

/** Takes the next step of a drain. If several sweepers take the same step, the first wins. */
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

/**
 * Plans that the sweeper looks a second time, after it found nothing parked. The first look proves nothing: the list of parked deliveries may
 * lag, and a consumer that read the breaker earlier may still park a delivery.
 */
const pollAgain = <B extends Open | Draining>(before: B, now: Millis): B => ({
  ...before,
  canary: null,
  emptyPolls: 1,
  dueAt: now + RECHECK_DELAY,
});

const endDrain: Transition<Draining, 'nothing_parked'> = (before, { dueAt, now }) => {
  if (before.dueAt !== dueAt) return undefined;
  return before.emptyPolls === 0 ? pollAgain(before, now) : { ...commonFields(before), state: 'closed' };
};

/**
 * Stops probing if the sweeper found nothing parked for the second time in a row. The next delivery that a consumer takes then becomes the canary
 * (`planDelivery`).
 */
const stopProbing: Transition<Open, 'nothing_parked'> = (before, { dueAt, now }) => {
  if (before.dueAt !== dueAt) return undefined;
  return before.emptyPolls === 0
    ? pollAgain(before, now)
    : { ...before, canary: null, emptyPolls: 0, lastReleasedId: null, dueAt: null };
};

const drainNow: Transition<Closed, 'parked_delivery_due'> = (before, { now }) => startDrain(before, now, null);

/** Restarts a drain that was suspended because its endpoint was off. */
const drainIfHalted: Transition<Draining, 'parked_delivery_due'> = (before, { now }) =>
  before.dueAt === null ? startDrain(before, now, null) : undefined;

const drainForRecovery: Transition<Breaker, 'recovery_requested'> = (before, { from }) =>
  startDrain(before, from, null);

/** Forgets the failures of the old URL. Version 0 has no item, so it has nothing to forget. */
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

/**
 * Probes at once, but keeps the outage and the record of its mails. Owners get a mail if the URL changes, but none if a request repeats the URL.
 * So such a request must not prevent the mails about the outage.
 */
const probeNow: Transition<Open, 'url_repeated'> = (before, { now }) => ({ ...before, probes: 0, dueAt: now });

const forgetAndDrain: Transition<Draining, 'url_changed'> = (before) => ({
  ...before,
  outage: null,
  slowUntil: 0,
  told: null,
});

/**
 * Closes the breaker of an endpoint that is switched on. If the breaker has a canary, a drain starts, which retries the canary and releases the
 * parked deliveries. The record of earlier mails is deleted: the member who switches the endpoint on knows that it failed.
 */
const reset: Transition<Breaker, 'endpoint_enabled'> = (before, { from }) => {
  if (before.version === 0) return undefined;
  const isCanaryLeft = before.state !== 'closed' && before.canary !== null;
  const after: Breaker = isCanaryLeft ? startDrain(before, from, null) : { ...commonFields(before), state: 'closed' };
  return { ...after, outage: null, told: null };
};

const haltProbes: Transition<Open, 'endpoint_disabled'> = (before) =>
  before.dueAt === null ? undefined : { ...before, dueAt: null };

const haltDrain: Transition<Draining, 'endpoint_disabled'> = (before) =>
  before.dueAt === null ? undefined : { ...before, dueAt: null };

/** The transition for every event in every state. */
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
  parked_delivery_due: { closed: drainNow, open: ignore, draining: drainIfHalted },
  recovery_requested: { closed: drainForRecovery, open: drainForRecovery, draining: drainForRecovery },
  url_changed: { closed: forget, open: forgetAndProbe, draining: forgetAndDrain },
  url_repeated: { closed: ignore, open: probeNow, draining: ignore },
  endpoint_enabled: { closed: reset, open: reset, draining: reset },
  endpoint_disabled: { closed: ignore, open: haltProbes, draining: haltDrain },
};

const applyEvent = <K extends Kind>(before: Breaker, event: BreakerEvent<K>): Breaker | undefined => {
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

/** Returns the next version of a breaker after an event; undefined if the event changes nothing, so that nothing has to be written. */
export const nextBreaker = (before: Breaker, event: BreakerEvent): Breaker | undefined => {
  const after = applyEvent(before, event);
  return after && { ...after, version: before.version + 1 };
};
