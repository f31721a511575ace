import { type Business, removeEndpointHead } from '#shared/businesses/domain/business.ts';
import type { Notice } from '#shared/businesses/domain/notice.ts';
import type { WriteBusinessDeps } from '#shared/businesses/use-cases/write-business.ts';
import type { Log } from '#shared/platform/observability/log.ts';
import type { Metrics } from '#shared/platform/observability/metrics.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { endpointView } from '#shared/webhooks/contract/endpoint-view.ts';
import { DISABLE_REASONS, type DisableCause } from '#shared/webhooks/domain/breaker.ts';
import type { Delivery } from '#shared/webhooks/domain/delivery.ts';
import { asDisabled, parseHost, type WebhookEndpoint } from '#shared/webhooks/domain/endpoint.ts';
import type { Event } from '#shared/webhooks/domain/event.ts';
import type { LastAnswer } from '#shared/webhooks/domain/told-health.ts';
import type { DeliveryQueue } from '#shared/webhooks/ports.ts';
import { announcement, sendNow } from './announce.ts';
import { changeEndpoint, endpointWrite } from './change-endpoint.ts';
import { createHealthNotice } from './tell-health.ts';

export interface DisableDeps extends WriteBusinessDeps, Pick<Runtime, 'now' | 'newId'> {
  readonly queue: DeliveryQueue<'first'>;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Creates the event `endpoint.disabled` and its deliveries to the business's other endpoints. */
export const announceDisabled = (
  deps: Pick<Runtime, 'now' | 'newId'>,
  business: Business,
  disabled: WebhookEndpoint,
): { event: Event; deliveries: Delivery[] } => {
  const { after } = endpointWrite(business, disabled);
  const withoutDisabled = removeEndpointHead(after, disabled.id);
  return announcement(deps, withoutDisabled, disabled.mode, 'endpoint.disabled', endpointView(disabled));
};

/**
 * Creates the mail to owners about a live endpoint that was switched off for its failures; undefined in test mode, and if the business has no
 * owner.
 */
const createDisabledNotice = (
  deps: Pick<Runtime, 'newId'>,
  { id: businessId, members }: Business,
  { id: endpointId, mode, url, disabledAt, disabledReason: reason }: WebhookEndpoint,
  answer: LastAnswer,
): Notice | undefined => {
  if (mode !== 'live' || disabledAt === null || !members.some(({ role }) => role === 'owner')) return undefined;
  const about = { news: 'disabled', host: parseHost(url), answer, at: disabledAt, since: null, reason } as const;
  return createHealthNotice(deps, { businessId, endpointId, ...about });
};

/**
 * Switches an endpoint off because its deliveries fail, announces that to the business's other endpoints, and mails the owners. A consumer
 * parks the endpoint's deliveries when it next processes them. Does nothing if the endpoint is off or deleted, or has another URL by now.
 */
export const disableEndpoint = async (
  deps: DisableDeps,
  { id, url, ...tenant }: WebhookEndpoint,
  cause: DisableCause,
  answer: LastAnswer,
): Promise<void> => {
  const reason = DISABLE_REASONS[cause];
  const announced = await changeEndpoint<readonly Delivery[] | undefined>(deps, tenant, id, (endpoint, business) => {
    if (!endpoint.enabled || endpoint.url !== url) return { result: undefined };
    const disabled = asDisabled(endpoint, reason, deps.now());
    const announcement = announceDisabled(deps, business, disabled);
    const notice = createDisabledNotice(deps, business, disabled, answer);
    const write = { ...endpointWrite(business, disabled, announcement), notice };
    return { result: announcement.deliveries, write };
  });
  if (!announced) return;
  const { businessId, mode } = tenant;
  deps.log('endpoint_disabled', { endpoint_id: id, business_id: businessId, mode, reason });
  // An endpoint that answers 410 asks to be switched off, and a merchant can make it do so every hour. So the metric counts only endpoints that
  // fail.
  if (mode === 'live' && cause === 'failing') deps.metrics('endpoints_disabled', 1);
  await sendNow(deps, announced);
};
