import { invalid, Refusal } from '#shared/domain/kernel/errors.ts';
import type { Tenant } from '#shared/domain/kernel/tenant.ts';
import { type Delivery, lateDelivery } from '#shared/domain/webhooks/delivery.ts';
import { redeliver } from '#shared/domain/webhooks/delivery-transitions.ts';
import { ensureEnabled } from '#shared/domain/webhooks/endpoint.ts';
import type { Event } from '#shared/domain/webhooks/event.ts';
import type { Log } from '#shared/observability/log.ts';
import type { BusinessStore } from '#shared/ports/businesses.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { DeliveryQueue, DeliveryStore, EventHistory, EventReader } from '#shared/ports/webhooks.ts';
import { sendNow } from './announce.ts';
import { ownBusiness } from './change-endpoint.ts';
import { type AllowanceDeps, takeAllowance } from './take-allowance.ts';

export interface RedeliverDeps extends AllowanceDeps, Pick<Runtime, 'newId'> {
  readonly events: EventReader;
  readonly businesses: BusinessStore;
  readonly deliveries: DeliveryStore;
  readonly queue: DeliveryQueue<'first'>;
  readonly log: Log;
}

/** A delivery may change between its read and its write. Every try but the first reads it again. */
const MAX_TRIES = 5;

const find = async (deps: RedeliverDeps, tenant: Tenant, eventId: string): Promise<EventHistory> => {
  const found = await deps.events.find(tenant, eventId);
  if (!found) throw new Refusal('event_not_found');
  return found;
};

/** The endpoints to send to: the named one, or all enabled ones that the event was sent to before. */
const targetsOf = async (deps: RedeliverDeps, tenant: Tenant, { deliveries }: EventHistory, named: string | null) => {
  const { endpoints } = await ownBusiness(deps, tenant);
  const heads = endpoints.filter(({ mode }) => mode === tenant.mode);
  if (named !== null) {
    const head = heads.find(({ id }) => id === named);
    if (!head) throw new Refusal('webhook_endpoint_not_found');
    return [ensureEnabled(head, 'endpoint_id').id];
  }
  const reached = new Set(deliveries.map(({ delivery }) => delivery.endpointId));
  const targets = heads.filter(({ id, enabled }) => enabled && reached.has(id)).map(({ id }) => id);
  if (targets.length > 0) return targets;
  const message = 'endpoint_id must be named: no endpoint that this event went to is switched on.';
  throw invalid({ field: 'endpoint_id', message });
};

/** @throws the refusal delivery_in_progress, which names these endpoints, if there are any. */
const ensureIdle = (busy: readonly string[]): void => {
  if (busy.length === 0) return;
  throw new Refusal('delivery_in_progress', {
    errors: busy.map((id) => ({ field: 'endpoint_id', message: `The delivery to ${id} is in progress.` })),
  });
};

/** Renews the delivery to one endpoint, or creates it. Undefined while it is being delivered. */
const renewDelivery = async (
  deps: RedeliverDeps,
  event: Event,
  endpointId: string,
  seen: Delivery | undefined,
): Promise<Delivery | undefined> => {
  let before = seen;
  for (let attempt = 1; attempt <= MAX_TRIES && before?.state !== 'delivering'; attempt++) {
    if (!before) {
      const late = lateDelivery(deps.newId('dlv'), endpointId, event, deps.now());
      if (await deps.deliveries.create(late)) return late;
    } else {
      // A successful attempt is stored in its delivery only, where the next one will replace it.
      if (before.state === 'succeeded' && before.lastAttempt) {
        await deps.deliveries.saveAttempt(before, before.lastAttempt);
      }
      const pending = await deps.deliveries.apply(before, redeliver(before, deps.now()));
      if (pending) return pending;
    }
    const current = await deps.deliveries.find({ eventId: event.id, endpointId });
    // A concurrent request has just done the same: once is enough.
    if (current && (!before || current.generation > before.generation)) return current;
    before = current;
  }
  return undefined;
};

/**
 * Sends an event again, by hand: to one endpoint, or to all that it was sent to before. Replaces a waiting retry, and is attempted even
 * while the endpoint is failing. Nothing is sent if one of the deliveries is in progress. If one starts in this very moment, the others
 * are sent and the error names that one.
 * @throws the refusals event_not_found, webhook_endpoint_not_found, validation_failed, delivery_in_progress, rate_limited.
 */
export const redeliverEvent = async (
  deps: RedeliverDeps,
  tenant: Tenant,
  { eventId, endpointId }: { readonly eventId: string; readonly endpointId: string | null },
): Promise<EventHistory> => {
  const found = await find(deps, tenant, eventId);
  const targets = await targetsOf(deps, tenant, found, endpointId);
  const seen = new Map(found.deliveries.map(({ delivery }) => [delivery.endpointId, delivery]));
  ensureIdle(targets.filter((id) => seen.get(id)?.state === 'delivering'));
  await takeAllowance(deps, 'send', targets);

  const outcomes = await Promise.all(targets.map((id) => renewDelivery(deps, found.event, id, seen.get(id))));
  const renewed = outcomes.filter((delivery) => delivery !== undefined);
  await sendNow(deps, renewed, { byHand: true });
  ensureIdle(targets.filter((_, i) => outcomes[i] === undefined));
  return find(deps, tenant, eventId);
};
