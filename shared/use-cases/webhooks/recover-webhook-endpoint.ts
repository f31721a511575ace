import { inBatches } from '#shared/domain/kernel/batches.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import { timeOfId } from '#shared/domain/kernel/ids.ts';
import type { Tenant } from '#shared/domain/kernel/tenant.ts';
import { type Millis, SECOND } from '#shared/domain/kernel/time.ts';
import { drainNow } from '#shared/domain/webhooks/breaker.ts';
import { type Delivery, hasten, recover } from '#shared/domain/webhooks/delivery.ts';
import { ensureEnabled } from '#shared/domain/webhooks/endpoint.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { BreakerStore, DeliveryStore, EndpointReader } from '#shared/ports/webhooks.ts';
import { changeBreaker } from './change-breaker.ts';

export interface RecoverDeps extends Pick<Runtime, 'now'> {
  readonly endpoints: EndpointReader;
  readonly deliveries: DeliveryStore;
  readonly breakers: BreakerStore;
}

/** What one call recovered, and from which moment on another one goes on; null when nothing is left. */
export interface Recovery {
  readonly recovered: number;
  readonly nextSince: Millis | null;
}

/** Deliveries a call. */
const MOST = 10_000;
/** Writes under way at once. */
const ABREAST = 50;
/** A call ends its work after so long, however little it did: well before its caller stops waiting. */
const LONGEST = 20 * SECOND;
/** The first step of the drain follows the lists' index, which may be this far behind. */
const INDEX_LAG = 2 * SECOND;

/** What waits or was given up since a moment, oldest event first: one more than a call takes tells that there is more. */
const undelivered = async (deps: RecoverDeps, id: string, since: Millis): Promise<readonly Delivery[]> => {
  const states = ['exhausted', 'parked'] as const;
  const lists = await Promise.all(states.map((state) => deps.deliveries.waiting(id, state, MOST + 1, since)));
  return lists.flat().sort((a, b) => (a.eventId < b.eventId ? -1 : 1));
};

/**
 * Parks deliveries anew until `deadline` or a write fails; tells how many it took up, and how many of them nobody else was faster
 * with. @throws what the table says, when nothing could be written.
 */
const parkAnew = async (deps: RecoverDeps, found: readonly Delivery[], deadline: Millis) => {
  let [taken, recovered] = [0, 0];
  for (const batch of inBatches(found.slice(0, MOST), ABREAST)) {
    const now = deps.now();
    if (now >= deadline) break;
    const parked = await Promise.allSettled(
      batch.map((delivery) => deps.deliveries.apply(delivery, recover(delivery, now))),
    );
    recovered += parked.filter((one) => one.status === 'fulfilled' && one.value !== undefined).length;
    const failed = parked.find((one) => one.status === 'rejected');
    // What was written is to be drained: the next call goes on where this one stopped.
    if (failed && recovered > 0) return { taken: taken + parked.indexOf(failed), recovered };
    if (failed) throw failed.reason;
    taken += batch.length;
  }
  return { taken, recovered };
};

const startDraining = async (deps: RecoverDeps, id: string): Promise<void> => {
  const seen = await deps.breakers.find(id);
  const draining = await changeBreaker(deps, id, seen, (before) => drainNow(before, deps.now() + INDEX_LAG));
  if (!draining) throw new Error('A breaker kept changing while its endpoint was being recovered.');
  // The canary waits in no list, and for hours perhaps.
  const canary = seen?.canary && (await deps.deliveries.find({ endpointId: id, eventId: seen.canary }));
  if (canary) await deps.deliveries.apply(canary, hasten(canary, deps.now()));
};

/**
 * Sends again what was not delivered to an endpoint since a moment: each delivery that is exhausted or parked gets a whole
 * new schedule and waits in the parking lot, which the sweeper then empties at its rising rate. At most 10,000 a call.
 * @throws the refusals webhook_endpoint_not_found, validation_failed for an endpoint that is switched off.
 */
export const recoverWebhookEndpoint = async (
  deps: RecoverDeps,
  tenant: Tenant,
  { id, since }: { readonly id: string; readonly since: Millis },
): Promise<Recovery> => {
  const deadline = deps.now() + LONGEST;
  const endpoint = await deps.endpoints.find(tenant, id);
  if (!endpoint) throw new Refusal('webhook_endpoint_not_found');
  ensureEnabled(endpoint, 'id');
  const found = await undelivered(deps, id, since);
  const { taken, recovered } = await parkAnew(deps, found, deadline);
  if (recovered > 0 || taken > 0) await startDraining(deps, id);
  const next = found[taken];
  return { recovered, nextSince: next ? timeOfId(next.eventId) : null };
};
