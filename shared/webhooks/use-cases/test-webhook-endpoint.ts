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
import { type Event, type EventType, newEvent, testableTypesText } from '#shared/webhooks/domain/event.ts';
import type { DeliveryQueue, EndpointReader } from '#shared/webhooks/ports.ts';
import { sendNow } from './announce.ts';
import { buildExampleData } from './example-data.ts';

export interface TestEndpointDeps extends UsageLimitDeps, Pick<Runtime, 'newId'> {
  readonly endpoints: EndpointReader;
  readonly ledger: Ledger;
  readonly queue: DeliveryQueue<'first'>;
  readonly log: Log;
}

export const TEST = 'endpoint.test' satisfies EventType;

/**
 * Checks that the mode allows an example of this type. Live mode sends no examples, because a live receiver may take an example for a payment
 * and ship goods.
 * @throws validation_failed if it does not.
 */
export const ensureExampleAllowed = (mode: Mode, type: EventType): void => {
  if (mode === 'test' || type === TEST) return;
  throw invalid({ field: 'type', message: `type must be ${testableTypesText}.` });
};

/**
 * Decides to send a test event, or an example of another type, to one endpoint, whatever its subscription. It is delivered like every other
 * event, but at once even if the endpoint is failing. An example changes nothing, and its body says that it is an example.
 * @throws webhook_endpoint_not_found, rate_limited, or validation_failed: for a type that the mode does not allow, and for an endpoint that is
 * switched off, because the delivery would be parked.
 */
export const testWebhookEndpoint = async (
  deps: TestEndpointDeps,
  tenant: Tenant,
  { id, type: exampleType }: { readonly id: string; readonly type: EventType | null },
): Promise<Decision<Event>> => {
  const type = exampleType ?? TEST;
  const endpoint = await deps.endpoints.find(tenant, id);
  if (!endpoint) throw new ApiError('webhook_endpoint_not_found');
  ensureExampleAllowed(tenant.mode, type);
  const { businessId, mode } = ensureEnabled(endpoint, 'id');
  await chargeUsageLimit(deps, 'send', [id]);
  const now = deps.now();
  const data = buildExampleData(type, { endpoint, now, newId: deps.newId });
  const about = { id: deps.newId('evt'), type, businessId, mode, createdAt: now };
  const event = newEvent(about, data, { isExample: exampleType !== null });
  const deliveries = [newDelivery(deps.newId('dlv'), id, event)];
  return {
    result: event,
    writes: deps.ledger.buildWrites({ announced: [{ event, deliveries }] }),
    afterwards: () => sendNow(deps, deliveries, { byHand: true }),
  };
};
