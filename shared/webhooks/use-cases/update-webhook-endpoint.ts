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
import { changeNamedEndpoint, endpointWrite, readBusiness } from './change-endpoint.ts';
import { ensureTarget } from './create-webhook-endpoint.ts';
import { announceDisabled, type DisableDeps } from './disable-endpoint.ts';
import { buildChangeRecord, type RecordDeps } from './record-endpoint-change.ts';

/** The drain begins this much later, because a consumer that read the endpoint earlier may still park a delivery. Milliseconds. */
const READS_LAG = 2 * SECOND;

export interface UpdateWebhookEndpointDeps
  extends Omit<DisableDeps, 'metrics'>,
    Omit<RecordDeps, 'usage'>,
    UsageLimitDeps {
  readonly breakers: BreakerStore;
  readonly deliveries: Pick<DeliveryStore, 'countParked'>;
  readonly checkTarget: CheckTarget;
}

/** The requested changes. A null field stays as it is. */
export interface WebhookEndpointUpdate {
  readonly url: string | null;
  readonly events: EndpointHead['events'] | null;
  readonly enabled: boolean | null;
}

/** Checks a new URL. The host is looked up last, because name servers that never answer delay the request. */
const ensureNewUrl = async (
  deps: UpdateWebhookEndpointDeps,
  tenant: Tenant,
  id: string,
  url: string,
  actor: Actor,
): Promise<void> => {
  const { endpoints } = await readBusiness(deps, tenant);
  if (!endpoints.some((head) => head.id === id && head.mode === tenant.mode)) {
    throw new ApiError('webhook_endpoint_not_found');
  }
  if (!isOperator(actor)) await chargeUsageLimit(deps, 'url', [tenant.businessId]);
  await ensureTarget(deps.checkTarget, url);
};

const describeDisabling = (actor: Actor): string =>
  isOperator(actor) ? 'Switched off by an operator.' : 'Switched off by the business.';

/** Returns the endpoint after an update. An endpoint that is already switched off keeps its reason. */
const applyUpdate = (
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

const describeUrlChange = (before: string, after: string): string =>
  parseHost(before) === parseHost(after)
    ? `posts to another URL at ${parseHost(after)}`
    : `posts to ${parseHost(after)} instead of ${parseHost(before)}`;

/** Describes the changes of an endpoint for the record. */
const describeChanges = (before: WebhookEndpoint, after: WebhookEndpoint): string =>
  [
    ...(after.url === before.url ? [] : [describeUrlChange(before.url, after.url)]),
    ...(String(after.events) === String(before.events)
      ? []
      : [`gets ${after.events.join(', ')} instead of ${before.events.join(', ')}`]),
    ...(after.enabled === before.enabled ? [] : [after.enabled ? 'is switched on' : 'is switched off']),
  ].join('; ');

/** Applies an event to the endpoint's breaker, if it has one. */
const changeKnownBreaker = async (deps: UpdateWebhookEndpointDeps, id: string, event: BreakerEvent): Promise<void> => {
  const breaker = await deps.breakers.find(id);
  if (breaker) await changeBreaker(deps, breaker, breaker, event);
};

/** Starts a drain of the parked deliveries of an endpoint that is on, as after an outage. Safe to repeat. */
const releaseParked = async (deps: UpdateWebhookEndpointDeps, { id, mode }: WebhookEndpoint): Promise<void> => {
  if ((await deps.deliveries.countParked(id, 1)) === 0) return;
  const event = { kind: 'parked_delivery_due', now: deps.now() + READS_LAG } as const;
  await changeBreaker(deps, { endpointId: id, mode }, await deps.breakers.find(id), event);
};

/**
 * Changes the URL or the subscription of an endpoint, or switches it on or off. The check of a new URL counts against the business's limit,
 * except for operators. Switching the endpoint on releases its parked deliveries, also if the request is repeated after a crash. Switching the
 * endpoint off is announced to the business's other endpoints.
 * @throws webhook_endpoint_not_found, rate_limited, or validation_failed for a URL that this stage does not deliver to.
 */
export const updateWebhookEndpoint = async (
  deps: UpdateWebhookEndpointDeps,
  tenant: Tenant,
  id: string,
  update: WebhookEndpointUpdate,
  actor: Actor,
): Promise<WebhookEndpoint> => {
  if (update.url !== null) await ensureNewUrl(deps, tenant, id, update.url, actor);
  const record = makeRecorder(deps, { ...tenant, actor, target: id });
  type Result = { readonly endpoint: WebhookEndpoint; readonly announced: readonly Delivery[] };
  let urlEvent: 'url_changed' | 'url_repeated' = 'url_repeated';
  const { endpoint, announced } = await changeNamedEndpoint<Result>(deps, tenant, id, async (before, business) => {
    const after = applyUpdate(before, update, describeDisabling(actor), deps.now());
    if (after.url !== before.url) urlEvent = 'url_changed';
    // All endpoints of a business share one version, so an update without effect must not write and delay others.
    if (isSame(before, after)) return { result: { endpoint: before, announced: [] } };
    const what = `changed the ${after.mode} webhook endpoint ${id}: it ${describeChanges(before, after)}`;
    const recorded = await buildChangeRecord(deps, business, after, record, what);
    if (after.enabled && !before.enabled) {
      const { change, ...rest } = recorded;
      // The breaker has a write of its own, so an operator's change is recorded before it.
      const isByOperator = change !== undefined && 'who' in change;
      if (isByOperator) await deps.businesses.recordChange(change);
      // The breaker is reset before the endpoint is on, or the next failure would switch it off again.
      await changeKnownBreaker(deps, id, { kind: 'endpoint_enabled', from: deps.now() + READS_LAG });
      const write = { ...endpointWrite(business, after), ...(isByOperator ? rest : recorded) };
      return { result: { endpoint: after, announced: [] }, write };
    }
    if (after.enabled === before.enabled) {
      return { result: { endpoint: after, announced: [] }, write: { ...endpointWrite(business, after), ...recorded } };
    }
    const announcement = announceDisabled(deps, business, after);
    return {
      result: { endpoint: after, announced: announcement.deliveries },
      write: { ...endpointWrite(business, after, announcement), ...recorded },
    };
  });
  // The breaker is also changed if the request repeats the URL. Perhaps the first request crashed after it wrote the new URL: then the repeated
  // one makes the breaker probe it.
  if (update.url !== null) await changeKnownBreaker(deps, id, { kind: urlEvent, now: deps.now() });
  if (update.enabled && endpoint.enabled) await releaseParked(deps, endpoint);
  await sendNow(deps, announced);
  return endpoint;
};
