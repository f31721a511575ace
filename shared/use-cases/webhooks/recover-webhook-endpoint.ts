import { inBatches } from '#shared/domain/kernel/batches.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import { timeOfId } from '#shared/domain/kernel/ids.ts';
import type { Tenant } from '#shared/domain/kernel/tenant.ts';
import { type Millis, SECOND } from '#shared/domain/kernel/time.ts';
import type { Delivery } from '#shared/domain/webhooks/delivery.ts';
import { recover, retryNow } from '#shared/domain/webhooks/delivery-transitions.ts';
import { ensureEnabled } from '#shared/domain/webhooks/endpoint.ts';
import type { BreakerStore, DeliveryStore, EndpointReader } from '#shared/ports/webhooks.ts';
import { changeBreaker } from './change-breaker.ts';
import { type AllowanceDeps, takeAllowance } from './take-allowance.ts';

export interface RecoverDeps extends AllowanceDeps {
  readonly endpoints: EndpointReader;
  readonly deliveries: DeliveryStore;
  readonly breakers: BreakerStore;
}

/** What one call recovered. `nextSince`: where the next call continues; null when nothing is left. */
export interface Recovery {
  readonly recovered: number;
  readonly nextSince: Millis | null;
}

/** Deliveries a call. */
const MAX_DELIVERIES = 10_000;
/** Writes under way at once. */
const MAX_CONCURRENT = 50;
/** A call stops after this, long before its caller stops waiting. Milliseconds. */
const TIME_LIMIT = 20 * SECOND;
/** The drain begins later by this, because the index that lists parked deliveries may lag. Milliseconds. */
const INDEX_LAG = 2 * SECOND;

/** What is parked or exhausted since a moment, oldest event first; one more than a call takes shows that there is more. */
const undelivered = async (deps: RecoverDeps, id: string, since: Millis): Promise<readonly Delivery[]> => {
  const states = ['exhausted', 'parked'] as const;
  const lists = await Promise.all(states.map((state) => deps.deliveries.waiting(id, state, MAX_DELIVERIES + 1, since)));
  return lists.flat().sort((a, b) => (a.eventId < b.eventId ? -1 : 1));
};

/**
 * Parks deliveries with a new generation until `deadline` or a failed write. Returns how many it processed, and how many of them it
 * recovered; the others changed meanwhile. @throws the error of the table when nothing could be written.
 */
const parkAgain = async (deps: RecoverDeps, found: readonly Delivery[], deadline: Millis) => {
  let [processed, recovered] = [0, 0];
  for (const batch of inBatches(found.slice(0, MAX_DELIVERIES), MAX_CONCURRENT)) {
    const now = deps.now();
    if (now >= deadline) break;
    const parked = await Promise.allSettled(
      batch.map((delivery) => deps.deliveries.apply(delivery, recover(delivery, now))),
    );
    recovered += parked.filter((one) => one.status === 'fulfilled' && one.value !== undefined).length;
    const failed = parked.find((one) => one.status === 'rejected');
    // What was written has to be drained. The next call continues here.
    if (failed && recovered > 0) return { processed: processed + parked.indexOf(failed), recovered };
    if (failed) throw failed.reason;
    processed += batch.length;
  }
  return { processed, recovered };
};

const startDrain = async (deps: RecoverDeps, id: string): Promise<void> => {
  const seen = await deps.breakers.find(id);
  const request = { kind: 'recovery_requested', from: deps.now() + INDEX_LAG } as const;
  const draining = await changeBreaker(deps, id, seen, request);
  if (!draining) throw new Error('The breaker changed at every try to start its drain.');
  if (seen?.state !== 'open' || seen.canary === null) return;
  // The canary is not parked, so no drain releases it; its next probe may be hours away.
  const canary = await deps.deliveries.find({ endpointId: id, eventId: seen.canary });
  if (canary) await deps.deliveries.apply(canary, retryNow(canary, deps.now()));
};

/**
 * Sends again what was not delivered to an endpoint since a moment: every exhausted or parked delivery is parked with a new retry
 * schedule, and the sweeper releases them at a rising rate. At most 10,000 a call.
 * @throws the refusals webhook_endpoint_not_found, validation_failed for an endpoint that is switched off, rate_limited.
 */
export const recoverWebhookEndpoint = async (
  deps: RecoverDeps,
  tenant: Tenant,
  { id, since }: { readonly id: string; readonly since: Millis },
): Promise<Recovery> => {
  const deadline = deps.now() + TIME_LIMIT;
  const endpoint = await deps.endpoints.find(tenant, id);
  if (!endpoint) throw new Refusal('webhook_endpoint_not_found');
  ensureEnabled(endpoint, 'id');
  await takeAllowance(deps, 'recovery', [id]);
  const found = await undelivered(deps, id, since);
  const { processed, recovered } = await parkAgain(deps, found, deadline);
  if (processed > 0 || recovered > 0) await startDrain(deps, id);
  const next = found[processed];
  return { recovered, nextSince: next ? timeOfId(next.eventId) : null };
};
