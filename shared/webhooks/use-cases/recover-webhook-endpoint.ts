import { RECOVERY_LEASE, recoveryUnderWay, USAGE_LIMITS } from '#shared/businesses/domain/usage-limits.ts';
import { chargeUsageLimit, type UsageLimitDeps } from '#shared/businesses/use-cases/charge-usage-limit.ts';
import { inBatches } from '#shared/platform/kernel/batches.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import { timeOfId } from '#shared/platform/kernel/ids.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import { type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import type { Leases } from '#shared/platform/ports.ts';
import type { Delivery } from '#shared/webhooks/domain/delivery.ts';
import { isRecovered, recover } from '#shared/webhooks/domain/delivery-transitions.ts';
import { ensureEnabled } from '#shared/webhooks/domain/endpoint.ts';
import type { BreakerStore, DeliveryKey, DeliveryStore, EndpointReader } from '#shared/webhooks/ports.ts';
import { changeBreaker } from './change-breaker.ts';

export interface RecoverDeps extends UsageLimitDeps {
  readonly endpoints: EndpointReader;
  readonly deliveries: DeliveryStore;
  readonly breakers: BreakerStore;
  readonly recoveryLeases: Leases;
}

/** The result of one call. `nextSince`: the time from which the next call continues; null if nothing is left. */
export interface Recovery {
  readonly recovered: number;
  readonly nextSince: Millis | null;
}

/** A call recovers at most this many deliveries. It must not exceed the limit of a minute, or a full call would always be rejected. */
const MAX_DELIVERIES = USAGE_LIMITS.recovered_delivery;
/** The number of deliveries that one round trip reads. */
const READ_TOGETHER = 100;
/** The number of writes that run at once. */
const MAX_CONCURRENT = 20;
/** A call stops after this time, long before the timeout of its caller. Milliseconds. */
const TIME_LIMIT = 20 * SECOND;
/** The drain begins this much later, because the index that lists parked deliveries may lag. Milliseconds. */
const INDEX_LAG = 2 * SECOND;

const compareByEvent = (a: DeliveryKey, b: DeliveryKey): number => (a.eventId < b.eventId ? -1 : 1);

/**
 * Lists parked and exhausted deliveries since a moment, oldest event first. It reads one more of each state than a call recovers, to know whether
 * more exist.
 */
const listUndelivered = async (deps: RecoverDeps, id: string, since: Millis): Promise<readonly DeliveryKey[]> => {
  const states = ['exhausted', 'parked'] as const;
  const lists = await Promise.all(
    states.map((state) => deps.deliveries.listUndeliveredKeys(id, state, MAX_DELIVERIES + 1, since)),
  );
  // A delivery that has just changed its state may be on both lists.
  return [...new Map(lists.flat().map((key) => [key.eventId, key])).values()].sort(compareByEvent);
};

/** The progress of a call: how many deliveries wait for the drain, and the event of the first delivery that it did not reach, if any. */
interface RecoveryProgress {
  readonly recovered: number;
  readonly next: string | undefined;
}

/** Recovers deliveries at the same time. Returns how many, and the event and the error of the first delivery whose write failed. */
const parkTogether = async (deps: RecoverDeps, deliveries: readonly Delivery[], now: Millis) => {
  const parked = await Promise.allSettled(
    deliveries.map((delivery) => deps.deliveries.apply(delivery, recover(delivery, now))),
  );
  const failed = parked.findIndex(({ status }) => status === 'rejected');
  const failure = parked[failed];
  return {
    count: parked.filter((outcome) => outcome.status === 'fulfilled' && outcome.value !== undefined).length,
    next: deliveries[failed]?.eventId,
    reason: failure?.status === 'rejected' ? failure.reason : undefined,
  };
};

/**
 * Recovers listed deliveries until `deadline` or a failed write. A delivery that is parked with an unused retry schedule counts, but is not
 * written. A delivery that has changed since it was listed stays as it is.
 * @throws the error of the table if a write failed before any delivery was recovered.
 */
const parkAgain = async (
  deps: RecoverDeps,
  listed: readonly DeliveryKey[],
  deadline: Millis,
): Promise<RecoveryProgress> => {
  let recovered = 0;
  for (const keys of inBatches(listed.slice(0, MAX_DELIVERIES), READ_TOGETHER)) {
    const readAt = deps.now();
    if (readAt >= deadline) return { recovered, next: keys[0]?.eventId };
    const deliveries = await deps.deliveries.findAll(keys);
    const undelivered = deliveries.filter(({ state }) => state === 'parked' || state === 'exhausted');
    const unrecovered = undelivered.filter((delivery) => !isRecovered(delivery, readAt));
    recovered += undelivered.length - unrecovered.length;
    for (const batch of inBatches(unrecovered, MAX_CONCURRENT)) {
      const now = deps.now();
      if (now >= deadline) return { recovered, next: batch[0]?.eventId };
      const { count, next, reason } = await parkTogether(deps, batch, now);
      recovered += count;
      // The recovered deliveries must be drained, so this is no error. The next call continues here.
      if (next !== undefined && recovered > 0) return { recovered, next };
      if (next !== undefined) throw reason;
    }
  }
  return { recovered, next: listed[MAX_DELIVERIES]?.eventId };
};

const startDrain = async (deps: RecoverDeps, { mode }: Tenant, id: string): Promise<void> => {
  const seen = await deps.breakers.find(id);
  const request = { kind: 'recovery_requested', from: deps.now() + INDEX_LAG } as const;
  const draining = await changeBreaker(deps, { endpointId: id, mode }, seen, request);
  if (!draining) throw new ApiError('service_unavailable', { retryAfterSeconds: 1 });
};

/**
 * Recovers the listed deliveries within the endpoint's limit, under a lease: only one recovery of an endpoint runs at a time.
 * @throws rate_limited if the limit is used up or another recovery runs.
 */
const recoverListed = async (
  deps: RecoverDeps,
  tenant: Tenant,
  id: string,
  listed: readonly DeliveryKey[],
): Promise<RecoveryProgress> => {
  const startedAt = deps.now();
  const until = startedAt + RECOVERY_LEASE;
  if (!(await deps.recoveryLeases.begin(id, until, startedAt))) throw recoveryUnderWay(id);
  try {
    await chargeUsageLimit(deps, 'recovered_delivery', [id], Math.min(listed.length, MAX_DELIVERIES));
    const progress = await parkAgain(deps, listed, startedAt + TIME_LIMIT);
    if (progress.recovered > 0) await startDrain(deps, tenant, id);
    return progress;
  } finally {
    // If this fails, the lease expires by itself.
    await deps.recoveryLeases.end(id, until).catch(() => {});
  }
};

/**
 * Recovers everything that was not delivered to an endpoint since a moment: every exhausted or parked delivery is parked with a new retry
 * schedule, and the sweeper releases them at a rising rate. At most 10,000 deliveries are recovered in one call, and in one minute. Only one
 * call runs at a time. A call that crashed can be repeated.
 * @throws webhook_endpoint_not_found, rate_limited, or validation_failed for an endpoint that is switched off.
 */
export const recoverWebhookEndpoint = async (
  deps: RecoverDeps,
  tenant: Tenant,
  { id, since }: { readonly id: string; readonly since: Millis },
): Promise<Recovery> => {
  const endpoint = await deps.endpoints.find(tenant, id);
  if (!endpoint) throw new ApiError('webhook_endpoint_not_found');
  ensureEnabled(endpoint, 'id');
  await chargeUsageLimit(deps, 'recovery', [id]);
  const listed = await listUndelivered(deps, id, since);
  if (listed.length === 0) return { recovered: 0, nextSince: null };
  const { recovered, next } = await recoverListed(deps, tenant, id, listed);
  return { recovered, nextSince: next === undefined ? null : timeOfId(next) };
};
