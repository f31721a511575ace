import { MAX_ENDPOINTS_PER_MODE } from '#shared/domain/businesses/business.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import type { Mode } from '#shared/domain/kernel/mode.ts';
import { OperatorError } from '#shared/domain/kernel/operator-error.ts';
import { findBusiness } from '#shared/use-cases/kernel/find-business.ts';
import { recorderOf } from '#shared/use-cases/kernel/record-change.ts';
import { type AddWebhookEndpointDeps, addWebhookEndpoint, type CreatedEndpoint } from './create-webhook-endpoint.ts';
import { asOperatorError, parseSubscription } from './operator-input.ts';

export interface CreateEndpointByOperatorInput {
  readonly businessId: string;
  readonly mode: Mode;
  readonly url: string;
  /** Event types, or `*` alone for all of them. */
  readonly events: readonly string[];
  readonly who: string;
}

/** A refusal as an error for the operator; any other error unchanged. */
const failureOf = (error: unknown, { businessId, mode }: CreateEndpointByOperatorInput): unknown =>
  error instanceof Refusal && error.code === 'endpoint_limit_reached'
    ? new OperatorError(
        `Business ${businessId} has ${MAX_ENDPOINTS_PER_MODE} webhook endpoints in ${mode} mode, which is the most.`,
      )
    : asOperatorError(error);

/**
 * An operator creates a webhook endpoint for a business, with a record of who did. It does not come out of the business's allowance. The secret is returned here only.
 * @throws OperatorError for a bad URL or event type, an unknown business, or a sixth endpoint in the mode.
 */
export const createEndpointByOperator = async (
  deps: AddWebhookEndpointDeps,
  input: CreateEndpointByOperatorInput,
): Promise<CreatedEndpoint> => {
  const { businessId, mode, who } = input;
  const events = parseSubscription(input.events);
  await findBusiness(deps, businessId);
  const record = recorderOf(deps, { businessId, who });
  try {
    return await addWebhookEndpoint(deps, { businessId, mode }, { url: input.url.trim(), events }, record);
  } catch (error) {
    throw failureOf(error, input);
  }
};
