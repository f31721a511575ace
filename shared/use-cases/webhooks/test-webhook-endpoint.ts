import { Refusal } from '#shared/domain/kernel/errors.ts';
import type { Tenant } from '#shared/domain/kernel/tenant.ts';
import type { SealedAnswer } from '#shared/domain/requests/idempotency.ts';
import { newDelivery } from '#shared/domain/webhooks/delivery.ts';
import { ensureEnabled } from '#shared/domain/webhooks/endpoint.ts';
import { type Event, newEvent } from '#shared/domain/webhooks/event.ts';
import type { Log } from '#shared/observability/log.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { Ledger } from '#shared/ports/money.ts';
import type { DeliveryQueue, EndpointReader } from '#shared/ports/webhooks.ts';
import { sendNow } from './announce.ts';
import { type AllowanceDeps, takeAllowance } from './take-allowance.ts';

export interface TestEndpointDeps extends AllowanceDeps, Pick<Runtime, 'newId'> {
  readonly endpoints: EndpointReader;
  readonly ledger: Ledger;
  readonly queue: DeliveryQueue<'first'>;
  readonly log: Log;
}

const MESSAGE = 'This is a test. Nothing happened, and nothing needs to be done.';

/**
 * Sends a test event to one endpoint, whatever it is subscribed to, by the way of every other event. An endpoint that is switched off
 * is refused, because the test would be parked; one that is failing gets it at once.
 * @throws the refusals webhook_endpoint_not_found, validation_failed, rate_limited; AnsweredBefore for a used Idempotency-Key.
 */
export const testWebhookEndpoint = async (
  deps: TestEndpointDeps,
  tenant: Tenant,
  id: string,
  answer: (event: Event) => SealedAnswer | undefined,
): Promise<Event> => {
  const endpoint = await deps.endpoints.find(tenant, id);
  if (!endpoint) throw new Refusal('webhook_endpoint_not_found');
  const { businessId, mode } = ensureEnabled(endpoint, 'id');
  await takeAllowance(deps, 'send', [id]);
  const about = { id: deps.newId('evt'), type: 'endpoint.test', businessId, mode, createdAt: deps.now() } as const;
  const event = newEvent(about, { message: MESSAGE });
  const deliveries = [newDelivery(deps.newId('dlv'), id, event)];
  await deps.ledger.record({ event, deliveries, answer: answer(event) });
  await sendNow(deps, deliveries, { byHand: true });
  return event;
};
