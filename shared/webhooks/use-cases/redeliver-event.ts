import type { BusinessStore } from '#shared/businesses/ports.ts';
import { chargeUsageLimit, type UsageLimitDeps } from '#shared/businesses/use-cases/charge-usage-limit.ts';
import type { Decision } from '#shared/platform/commit.ts';
import { ApiError, invalid } from '#shared/platform/kernel/errors.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import type { Log } from '#shared/platform/observability/log.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { type Delivery, lateDelivery } from '#shared/webhooks/domain/delivery.ts';
import { redeliver } from '#shared/webhooks/domain/delivery-transitions.ts';
import { ensureEnabled } from '#shared/webhooks/domain/endpoint.ts';
import type { EndpointHead } from '#shared/webhooks/domain/endpoint-head.ts';
import { oldestEndpointFirst } from '#shared/webhooks/domain/history.ts';
import type { DeliveryQueue, DeliveryStore, EventReader, EventWithDeliveries } from '#shared/webhooks/ports.ts';
import { sendNow } from './announce.ts';
import { readBusiness } from './change-endpoint.ts';

export interface RedeliverDeps extends UsageLimitDeps, Pick<Runtime, 'newId'> {
  readonly events: EventReader;
  readonly businesses: BusinessStore;
  readonly deliveries: DeliveryStore;
  readonly queue: DeliveryQueue<'first'>;
  readonly log: Log;
}

/** Chooses the endpoints to send to: the named one, or all enabled ones that the event was sent to before. */
const chooseTargets = (
  heads: readonly EndpointHead[],
  { deliveries }: EventWithDeliveries,
  endpointId: string | null,
): string[] => {
  if (endpointId !== null) {
    const head = heads.find(({ id }) => id === endpointId);
    if (!head) throw new ApiError('webhook_endpoint_not_found');
    return [ensureEnabled(head, 'endpoint_id').id];
  }
  const reachedIds = new Set(deliveries.map((delivery) => delivery.endpointId));
  const targets = heads.filter(({ id, enabled }) => enabled && reachedIds.has(id)).map(({ id }) => id);
  if (targets.length > 0) return targets;
  const message = 'endpoint_id is required: every endpoint that this event was sent to is switched off or deleted.';
  throw invalid({ field: 'endpoint_id', message });
};

const findDeliveryTo = ({ deliveries }: EventWithDeliveries, endpointId: string): Delivery | undefined =>
  deliveries.find((delivery) => delivery.endpointId === endpointId);

/** Checks that no delivery to these endpoints is in progress. @throws delivery_in_progress with the busy endpoints. */
const ensureIdle = (current: EventWithDeliveries, endpointIds: readonly string[]): void => {
  const busy = endpointIds.filter((id) => findDeliveryTo(current, id)?.state === 'delivering');
  if (busy.length === 0) return;
  throw new ApiError('delivery_in_progress', {
    errors: busy.map((id) => ({ field: 'endpoint_id', message: `The delivery to ${id} is in progress.` })),
  });
};

/** Whether a concurrent request has sent the event to an endpoint since the first read. Then this request does not send it again. */
const isSentSince = (first: EventWithDeliveries, latest: EventWithDeliveries, endpointId: string): boolean => {
  const [before, after] = [findDeliveryTo(first, endpointId), findDeliveryTo(latest, endpointId)];
  return after !== undefined && (before === undefined || after.redeliveries > before.redeliveries);
};

/** Plans a redelivery: the deliveries to send again, the new ones, and the event with all its deliveries afterwards. */
const planRedelivery = (
  { now, newId }: RedeliverDeps,
  current: EventWithDeliveries,
  endpointIds: readonly string[],
) => {
  const at = now();
  const renewed = current.deliveries
    .filter(({ endpointId }) => endpointIds.includes(endpointId))
    .map((before) => ({ before, transition: redeliver(before, at) }));
  const created = endpointIds
    .filter((id) => !findDeliveryTo(current, id))
    .map((id) => lateDelivery(newId('dlv'), id, current.event, at));
  const sent = [...renewed.map(({ before, transition }) => ({ ...before, ...transition.set })), ...created];
  const others = current.deliveries.filter(({ endpointId }) => !endpointIds.includes(endpointId));
  return {
    renewed,
    created,
    sent,
    after: { event: current.event, deliveries: [...others, ...sent].sort(oldestEndpointFirst) },
  };
};

/**
 * Decides to redeliver an event: to one endpoint, or, if `endpointId` is null, to all enabled ones that it was sent to before. A redelivery
 * replaces a waiting retry and is attempted even while the endpoint is failing. One transaction writes all deliveries, so nothing is sent if one
 * is in progress. If a concurrent change makes the request decide again, it still counts only once against the send limit. The result is the
 * event with its deliveries to the business's present endpoints.
 * @throws event_not_found, webhook_endpoint_not_found, validation_failed, delivery_in_progress or rate_limited.
 */
export const redeliverEvent = async (
  deps: RedeliverDeps,
  tenant: Tenant,
  { eventId, endpointId }: { readonly eventId: string; readonly endpointId: string | null },
): Promise<Decision<EventWithDeliveries>> => {
  const { endpoints } = await readBusiness(deps, tenant);
  const heads = endpoints.filter(({ mode }) => mode === tenant.mode);
  const read = async (): Promise<EventWithDeliveries> => {
    const ids = heads.map(({ id }) => id);
    const current = await deps.events.findForEndpoints(tenant, eventId, ids);
    if (!current) throw new ApiError('event_not_found');
    return current;
  };
  const first = await read();
  const targets = chooseTargets(heads, first, endpointId);
  ensureIdle(first, targets);
  await chargeUsageLimit(deps, 'send', targets);

  const decide = (current: EventWithDeliveries): Decision<EventWithDeliveries> => {
    const unsent = targets.filter((id) => !isSentSince(first, current, id));
    ensureIdle(current, unsent);
    const { renewed, created, sent, after } = planRedelivery(deps, current, unsent);
    return {
      result: after,
      writes: deps.deliveries.redeliveryWrites({ created, renewed }),
      again: async () => decide(await read()),
      afterwards: () => sendNow(deps, sent, { byHand: true }),
    };
  };
  return decide(first);
};
