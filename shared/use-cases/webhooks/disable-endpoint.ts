import { endpointView } from '#shared/contract/webhooks/endpoint-view.ts';
import { type Business, dropHead } from '#shared/domain/businesses/business.ts';
import type { Delivery } from '#shared/domain/webhooks/delivery.ts';
import { disabled, type WebhookEndpoint } from '#shared/domain/webhooks/endpoint.ts';
import type { Event } from '#shared/domain/webhooks/event.ts';
import type { Log } from '#shared/observability/log.ts';
import type { Metrics } from '#shared/observability/metrics.ts';
import type { BusinessStore } from '#shared/ports/businesses.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { DeliveryQueue } from '#shared/ports/webhooks.ts';
import { announcement, sendNow } from './announce.ts';
import { changeEndpoint, endpointWrite } from './change-endpoint.ts';

export interface DisableDeps extends Pick<Runtime, 'now' | 'newId'> {
  readonly businesses: BusinessStore;
  readonly queue: DeliveryQueue<'first'>;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** What tells the business's other endpoints that one of them is off from now on. */
export const disabledAnnouncement = (
  deps: Pick<Runtime, 'now' | 'newId'>,
  business: Business,
  off: WebhookEndpoint,
): { event: Event; deliveries: Delivery[] } => {
  const { after } = endpointWrite(business, off);
  return announcement(deps, dropHead(after, off.id), off.mode, 'endpoint.disabled', endpointView(off));
};

/**
 * Switches an endpoint off because it does not take its webhooks, and announces it to the business's others. What is on its
 * way to it is parked as it comes up. Does nothing when it is off or gone already, or has another URL by now.
 */
export const disableEndpoint = async (deps: DisableDeps, { id, url, ...tenant }: WebhookEndpoint, reason: string) => {
  const told = await changeEndpoint<readonly Delivery[] | undefined>(deps, tenant, id, (endpoint, business) => {
    if (!endpoint.enabled || endpoint.url !== url) return { result: undefined };
    const off = disabled(endpoint, reason, deps.now());
    const announced = disabledAnnouncement(deps, business, off);
    return { result: announced.deliveries, write: endpointWrite(business, off, announced) };
  });
  if (!told) return;
  deps.log('endpoint_disabled', { endpoint_id: id, business_id: tenant.businessId, reason });
  deps.metrics('endpoints_disabled', 1);
  await sendNow(deps, told);
};
