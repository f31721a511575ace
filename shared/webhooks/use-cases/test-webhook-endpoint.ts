import { chargeUsageLimit, type UsageLimitDeps } from '#shared/businesses/use-cases/charge-usage-limit.ts';
import type { Ledger } from '#shared/payments/ports.ts';
import type { Decision } from '#shared/platform/commit.ts';
import { ApiError, invalid } from '#shared/platform/kernel/errors.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import type { Log } from '#shared/platform/observability/log.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { newDelivery } from '#shared/webhooks/domain/delivery.ts';
import { ensureEnabled } from '#shared/webhooks/domain/endpoint.ts';
import { type Event, type EventType, newEvent, testableTypes } from '#shared/webhooks/domain/event.ts';
import type { DeliveryQueue, EndpointReader } from '#shared/webhooks/ports.ts';
import { sendNow } from './announce.ts';
import { exampleData } from './example-data.ts';

export interface TestEndpointDeps extends UsageLimitDeps, Pick<Runtime, 'newId'> {
  readonly endpoints: EndpointReader;
  readonly ledger: Ledger;
  readonly queue: DeliveryQueue<'first'>;
  readonly log: Log;
}

export const TEST = 'endpoint.test' satisfies EventType;

/**
 * A live receiver may ship goods for what it takes for a payment, so it gets no examples.
 * @throws the refusal validation_failed.
 */
export const ensureExampleAllowed = (mode: Mode, type: EventType): void => {
  if (mode === 'test' || type === TEST) return;
  throw invalid({ field: 'type', message: `type must be ${testableTypes}.` });
};

/**
 * Decides to send a test event, or the example of another type, to one endpoint, whatever it is subscribed to, by the way of every other event. An
 * example changes nothing, and its body says that it is one. An endpoint that is switched off is refused, because the test would be parked; one that is failing gets it at once.
 * @throws the refusals webhook_endpoint_not_found, validation_failed, rate_limited.
 */
export const testWebhookEndpoint = async (
  deps: TestEndpointDeps,
  tenant: Tenant,
  { id, type: named }: { readonly id: string; readonly type: EventType | null },
): Promise<Decision<Event>> => {
  const type = named ?? TEST;
  const endpoint = await deps.endpoints.find(tenant, id);
  if (!endpoint) throw new ApiError('webhook_endpoint_not_found');
  ensureExampleAllowed(tenant.mode, type);
  const { businessId, mode } = ensureEnabled(endpoint, 'id');
  await chargeUsageLimit(deps, 'send', [id]);
  const now = deps.now();
  const data = exampleData(type, { endpoint, now, newId: deps.newId });
  const about = { id: deps.newId('evt'), type, businessId, mode, createdAt: now };
  const event = newEvent(about, data, { isExample: named !== null });
  const deliveries = [newDelivery(deps.newId('dlv'), id, event)];
  return {
    result: event,
    writes: deps.ledger.writes({ announced: [{ event, deliveries }] }),
    afterwards: () => sendNow(deps, deliveries, { byHand: true }),
  };
};
