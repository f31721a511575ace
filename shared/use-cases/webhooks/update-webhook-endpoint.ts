import type { Tenant } from '#shared/domain/kernel/tenant.ts';
import type { Millis } from '#shared/domain/kernel/time.ts';
import { resetBreaker, withNewUrl } from '#shared/domain/webhooks/breaker.ts';
import type { Delivery } from '#shared/domain/webhooks/delivery.ts';
import { disabled, enabled as enable, type WebhookEndpoint } from '#shared/domain/webhooks/endpoint.ts';
import type { EndpointHead } from '#shared/domain/webhooks/endpoint-head.ts';
import type { BreakerStore, CheckTarget } from '#shared/ports/webhooks.ts';
import { sendNow } from './announce.ts';
import { changeBreaker } from './change-breaker.ts';
import { changeNamedEndpoint, endpointWrite } from './change-endpoint.ts';
import { ensureTarget } from './create-webhook-endpoint.ts';
import { type DisableDeps, disabledAnnouncement } from './disable-endpoint.ts';

export interface UpdateWebhookEndpointDeps extends Omit<DisableDeps, 'metrics'> {
  readonly breakers: BreakerStore;
  readonly checkTarget: CheckTarget;
}

/** Null leaves a part as it is. */
export interface WebhookEndpointUpdate {
  readonly url: string | null;
  readonly events: EndpointHead['events'] | null;
  readonly enabled: boolean | null;
}

const BY_HAND = 'Switched off by the business.';

/** The endpoint after an update. One that is off already keeps the reason it was switched off for. */
const updated = (before: WebhookEndpoint, { url, events, enabled }: WebhookEndpointUpdate, now: Millis) => {
  const told: WebhookEndpoint = { ...before, url: url ?? before.url, events: events ?? before.events };
  if (enabled === null || enabled === before.enabled) return told;
  return enabled ? enable(told) : disabled(told, BY_HAND, now);
};

/** Forgets why it was switched off, or its next failure would switch it off again. Before it is on: nobody posts to it yet. */
const forgetFailures = async (deps: UpdateWebhookEndpointDeps, id: string): Promise<void> => {
  const breaker = await deps.breakers.find(id);
  if (breaker)
    await changeBreaker(deps, id, breaker, (before) => (before.version === 0 ? undefined : resetBreaker(before)));
};

/**
 * What waits behind the old URL need not wait for the new one, which is not switched off for what the old one did. The same URL again
 * counts as new: a request that is repeated after a crash ends what the first began.
 */
const forgetOldUrl = async (deps: UpdateWebhookEndpointDeps, id: string): Promise<void> => {
  const breaker = await deps.breakers.find(id);
  if (breaker) await changeBreaker(deps, id, breaker, (before) => withNewUrl(before, deps.now()));
};

/**
 * Changes the URL or the subscription of an endpoint, or switches it on or off. What was parked while it was off waits for
 * `recover`. Switching it off is announced to the business's other endpoints.
 * @throws the refusals webhook_endpoint_not_found, validation_failed for a URL that this stage does not deliver to.
 */
export const updateWebhookEndpoint = async (
  deps: UpdateWebhookEndpointDeps,
  tenant: Tenant,
  id: string,
  update: WebhookEndpointUpdate,
): Promise<WebhookEndpoint> => {
  if (update.url !== null) await ensureTarget(deps.checkTarget, update.url);
  type Result = { readonly endpoint: WebhookEndpoint; readonly told: readonly Delivery[] };
  const { endpoint, told } = await changeNamedEndpoint<Result>(deps, tenant, id, async (before, business) => {
    const after = updated(before, update, deps.now());
    if (after.enabled && !before.enabled) await forgetFailures(deps, id);
    if (after.enabled || !before.enabled) {
      return { result: { endpoint: after, told: [] }, write: endpointWrite(business, after) };
    }
    const announced = disabledAnnouncement(deps, business, after);
    return {
      result: { endpoint: after, told: announced.deliveries },
      write: endpointWrite(business, after, announced),
    };
  });
  if (update.url !== null) await forgetOldUrl(deps, id);
  await sendNow(deps, told);
  return endpoint;
};
