import { type Business, dropHead } from '#shared/domain/business.ts';
import type { Delivery } from '#shared/domain/delivery.ts';
import type { Event } from '#shared/domain/event.ts';
import { disabled, type WebhookEndpoint, webhookEndpointView } from '#shared/domain/webhook-endpoint.ts';
import type { BusinessStore, DeliveryQueue, Log, Metrics, Nature } from '#shared/ports.ts';
import { announcement, sendNow } from './announce.ts';
import { changeEndpoint, endpointWrite } from './change-endpoint.ts';

export interface DisableDeps extends Pick<Nature, 'now' | 'newId'> {
  readonly businesses: BusinessStore;
  readonly queue: DeliveryQueue<'first'>;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** What tells the business's other endpoints that one of them is off from now on. */
export const disabledAnnouncement = (
  deps: Pick<Nature, 'now' | 'newId'>,
  business: Business,
  off: WebhookEndpoint,
): { event: Event; deliveries: Delivery[] } => {
  const { after } = endpointWrite(business, off);
  return announcement(deps, dropHead(after, off.id), off.mode, 'endpoint.disabled', webhookEndpointView(off));
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
