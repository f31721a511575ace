import { chargeUsageLimit, type UsageLimitDeps } from '#shared/businesses/use-cases/charge-usage-limit.ts';
import { type Actor, isOperator, makeRecorder } from '#shared/businesses/use-cases/record-change.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import { type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import type { BreakerEvent } from '#shared/webhooks/domain/breaker-transitions.ts';
import type { Delivery } from '#shared/webhooks/domain/delivery.ts';
import { asDisabled, asEnabled, parseHost, type WebhookEndpoint } from '#shared/webhooks/domain/endpoint.ts';
import type { EndpointHead } from '#shared/webhooks/domain/endpoint-head.ts';
import type { BreakerStore, CheckTarget, DeliveryStore } from '#shared/webhooks/ports.ts';
import { sendNow } from './announce.ts';
import { changeBreaker } from './change-breaker.ts';
import { changeNamedEndpoint, endpointWrite, ownBusiness } from './change-endpoint.ts';
import { ensureTarget } from './create-webhook-endpoint.ts';
import { type DisableDeps, disabledAnnouncement } from './disable-endpoint.ts';
import { type RecordDeps, recordedChange } from './record-endpoint-change.ts';

/** The drain begins later by this, because consumers may still park by an older read of the endpoint. Milliseconds. */
const READS_LAG = 2 * SECOND;

export interface UpdateWebhookEndpointDeps
  extends Omit<DisableDeps, 'metrics'>,
    Omit<RecordDeps, 'usage'>,
    UsageLimitDeps {
  readonly breakers: BreakerStore;
  readonly deliveries: Pick<DeliveryStore, 'countParked'>;
  readonly checkTarget: CheckTarget;
}

/** Null leaves a part as it is. */
export interface WebhookEndpointUpdate {
  readonly url: string | null;
  readonly events: EndpointHead['events'] | null;
  readonly enabled: boolean | null;
}

/** Looks a URL up last, since name servers that never answer hold the request. */
const ensureNewUrl = async (
  deps: UpdateWebhookEndpointDeps,
  tenant: Tenant,
  id: string,
  url: string,
  actor: Actor,
): Promise<void> => {
  const { endpoints } = await ownBusiness(deps, tenant);
  if (!endpoints.some((head) => head.id === id && head.mode === tenant.mode)) {
    throw new ApiError('webhook_endpoint_not_found');
  }
  if (!isOperator(actor)) await chargeUsageLimit(deps, 'url', [tenant.businessId]);
  await ensureTarget(deps.checkTarget, url);
};

const disabledReason = (actor: Actor): string =>
  isOperator(actor) ? 'Switched off by an operator.' : 'Switched off by the business.';

/** The endpoint after an update. One that is switched off already keeps its reason. */
const updated = (
  before: WebhookEndpoint,
  { url, events, enabled }: WebhookEndpointUpdate,
  reason: string,
  now: Millis,
): WebhookEndpoint => {
  const after: WebhookEndpoint = { ...before, url: url ?? before.url, events: events ?? before.events };
  if (enabled === null || enabled === before.enabled) return after;
  return enabled ? asEnabled(after) : asDisabled(after, reason, now);
};

const isSame = (before: WebhookEndpoint, after: WebhookEndpoint): boolean =>
  before.url === after.url && before.enabled === after.enabled && String(before.events) === String(after.events);

const urlChange = (before: string, after: string): string =>
  parseHost(before) === parseHost(after)
    ? `posts to another URL at ${parseHost(after)}`
    : `posts to ${parseHost(after)}, before to ${parseHost(before)}`;

/** What a change did to an endpoint, for its record. */
const describeChanges = (before: WebhookEndpoint, after: WebhookEndpoint): string =>
  [
    ...(after.url === before.url ? [] : [urlChange(before.url, after.url)]),
    ...(String(after.events) === String(before.events)
      ? []
      : [`gets ${after.events.join(', ')}, before ${before.events.join(', ')}`]),
    ...(after.enabled === before.enabled ? [] : [after.enabled ? 'is switched on' : 'is switched off']),
  ].join('; ');

/** Applies an event to the endpoint's breaker, if it has one. */
const changeKnownBreaker = async (deps: UpdateWebhookEndpointDeps, id: string, event: BreakerEvent): Promise<void> => {
  const breaker = await deps.breakers.find(id);
  if (breaker) await changeBreaker(deps, breaker, breaker, event);
};

/** Has what waits for an endpoint that is on released at a rising rate, as after an outage. Harmless to repeat. */
const releaseParked = async (deps: UpdateWebhookEndpointDeps, { id, mode }: WebhookEndpoint): Promise<void> => {
  if ((await deps.deliveries.countParked(id, 1)) === 0) return;
  const event = { kind: 'parked_delivery_due', now: deps.now() + READS_LAG } as const;
  await changeBreaker(deps, { endpointId: id, mode }, await deps.breakers.find(id), event);
};

/**
 * Changes the URL or the subscription of an endpoint, or switches it on or off. A new URL comes out of the business's limit, except by
 * an operator. What was parked while it was off follows when it is on, also if a request is repeated after a crash. The business's other
 * endpoints are told that it is off.
 * @throws the refusals webhook_endpoint_not_found, rate_limited, validation_failed for a URL that this stage does not deliver to.
 */
export const updateWebhookEndpoint = async (
  deps: UpdateWebhookEndpointDeps,
  tenant: Tenant,
  id: string,
  update: WebhookEndpointUpdate,
  actor: Actor,
): Promise<WebhookEndpoint> => {
  if (update.url !== null) await ensureNewUrl(deps, tenant, id, update.url, actor);
  const record = makeRecorder(deps, { ...tenant, who: actor, target: id });
  type Result = { readonly endpoint: WebhookEndpoint; readonly announced: readonly Delivery[] };
  let kind: 'url_changed' | 'url_repeated' = 'url_repeated';
  const { endpoint, announced } = await changeNamedEndpoint<Result>(deps, tenant, id, async (before, business) => {
    const after = updated(before, update, disabledReason(actor), deps.now());
    if (after.url !== before.url) kind = 'url_changed';
    // All endpoints of a business are written under one version: a repeated update must not hold up others.
    if (isSame(before, after)) return { result: { endpoint: before, announced: [] } };
    const what = `changed the ${after.mode} webhook endpoint ${id}: it ${describeChanges(before, after)}`;
    const recorded = await recordedChange(deps, business, after, record, what);
    if (after.enabled && !before.enabled) {
      const { change, ...rest } = recorded;
      // The breaker is written on its own, so what an operator does is on record before it.
      const isFirst = change !== undefined && 'who' in change;
      if (isFirst) await deps.businesses.recordChange(change);
      // Before the endpoint is on, or its next failure would switch it off again.
      await changeKnownBreaker(deps, id, { kind: 'endpoint_enabled', from: deps.now() + READS_LAG });
      const write = { ...endpointWrite(business, after), ...(isFirst ? rest : recorded) };
      return { result: { endpoint: after, announced: [] }, write };
    }
    if (after.enabled === before.enabled) {
      return { result: { endpoint: after, announced: [] }, write: { ...endpointWrite(business, after), ...recorded } };
    }
    const announcement = disabledAnnouncement(deps, business, after);
    return {
      result: { endpoint: after, announced: announcement.deliveries },
      write: { ...endpointWrite(business, after, announcement), ...recorded },
    };
  });
  // Also for the same URL: a request that is repeated after a crash has the new one probed.
  if (update.url !== null) await changeKnownBreaker(deps, id, { kind, now: deps.now() });
  if (update.enabled && endpoint.enabled) await releaseParked(deps, endpoint);
  await sendNow(deps, announced);
  return endpoint;
};
