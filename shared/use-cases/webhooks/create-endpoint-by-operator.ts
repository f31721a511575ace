import { MAX_ENDPOINTS_PER_MODE } from '#shared/domain/businesses/business.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import type { Mode } from '#shared/domain/kernel/mode.ts';
import { OperatorError } from '#shared/domain/kernel/operator-error.ts';
import { type WebhookEndpoint, webhookEndpoint } from '#shared/domain/webhooks/endpoint.ts';
import type { EndpointHead } from '#shared/domain/webhooks/endpoint-head.ts';
import { eventType } from '#shared/domain/webhooks/event.ts';
import { findBusiness } from '#shared/use-cases/kernel/find-business.ts';
import { type AddWebhookEndpointDeps, addWebhookEndpoint, type CreatedEndpoint } from './create-webhook-endpoint.ts';

export interface CreateEndpointByOperatorInput {
  readonly businessId: string;
  readonly mode: Mode;
  readonly url: string;
  /** Event types, or `*` alone for all of them. */
  readonly events: readonly string[];
  readonly who: string;
}

type Events = EndpointHead['events'];

const parseEvents = (given: readonly string[]): Events => {
  const known = [...eventType.options, '*'];
  const unknown = given.filter((type) => !known.includes(type));
  if (unknown.length > 0 || given.length === 0) {
    const fault = unknown.length > 0 ? `Unknown event types: ${unknown.join(', ')}.` : 'No event type is given.';
    throw new OperatorError(`${fault} Choose from ${eventType.options.join(', ')}, or * for all of them.`);
  }
  const events = webhookEndpoint.shape.events.parse([...new Set(given)]);
  if (events.includes('*') && events.length > 1) {
    throw new OperatorError('* stands for all event types. Give it alone, or name the types.');
  }
  return events;
};

/** A refusal as an error for the operator; any other error unchanged. */
const asOperatorError = (error: unknown, { businessId, mode }: CreateEndpointByOperatorInput): unknown => {
  if (!(error instanceof Refusal)) return error;
  if (error.code === 'endpoint_limit_reached') {
    return new OperatorError(
      `Business ${businessId} has ${MAX_ENDPOINTS_PER_MODE} webhook endpoints in ${mode} mode, which is the most.`,
    );
  }
  return new OperatorError(error.details.errors?.map(({ message }) => message).join(' ') ?? error.message);
};

/**
 * An operator creates a webhook endpoint for a business, with a record of who did. It does not come out of the business's allowance. The secret is returned here only.
 * @throws OperatorError for a bad URL or event type, an unknown business, or a sixth endpoint in the mode.
 */
export const createEndpointByOperator = async (
  deps: AddWebhookEndpointDeps,
  input: CreateEndpointByOperatorInput,
): Promise<CreatedEndpoint> => {
  const { businessId, mode, who } = input;
  const events = parseEvents(input.events);
  await findBusiness(deps, businessId);
  const record = ({ id, url }: WebhookEndpoint) => ({
    id: deps.newId('log'),
    businessId,
    at: deps.now(),
    who,
    // The host only: paths and queries of webhook URLs often hold tokens.
    what: `created the ${mode} webhook endpoint ${id} at ${new URL(url).host}`,
  });
  try {
    return await addWebhookEndpoint(deps, { businessId, mode }, { url: input.url.trim(), events }, record);
  } catch (error) {
    throw asOperatorError(error, input);
  }
};
