import { addEndpoint, ensureRoomForEndpoint } from '#shared/businesses/domain/business.ts';
import { chargeUsageLimit, type UsageLimitDeps } from '#shared/businesses/use-cases/charge-usage-limit.ts';
import { type Actor, isOperator, makeRecorder } from '#shared/businesses/use-cases/record-change.ts';
import { type WriteBusinessDeps, writeBusiness } from '#shared/businesses/use-cases/write-business.ts';
import { invalid } from '#shared/platform/kernel/errors.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { parseHost, toEndpointHead, type WebhookEndpoint } from '#shared/webhooks/domain/endpoint.ts';
import type { EndpointHead } from '#shared/webhooks/domain/endpoint-head.ts';
import { sealSecret } from '#shared/webhooks/domain/sealed-secret.ts';
import { newWebhookSecret } from '#shared/webhooks/domain/signature.ts';
import type { CheckTarget } from '#shared/webhooks/ports.ts';
import { readBusiness } from './change-endpoint.ts';
import type { SealDeps } from './open-secrets.ts';
import { buildChangeRecord, type RecordDeps } from './record-endpoint-change.ts';

export interface CreateWebhookEndpointDeps
  extends WriteBusinessDeps,
    Omit<RecordDeps, 'usage'>,
    UsageLimitDeps,
    SealDeps,
    Pick<Runtime, 'randomBytes'> {
  readonly checkTarget: CheckTarget;
}

export interface CreateWebhookEndpointInput {
  readonly url: string;
  /** Event types, or `*` alone for all of them. */
  readonly events: EndpointHead['events'];
}

/** An endpoint with its new secret in clear text. The clear text is never shown again. */
export interface EndpointWithSecret {
  readonly endpoint: WebhookEndpoint;
  readonly secret: string;
}

/** Returns the URL if this stage delivers to it. @throws validation_failed with the reason if it does not. */
export const ensureTarget = async (checkTarget: CheckTarget, url: string): Promise<string> => {
  const problem = await checkTarget(url);
  if (problem === undefined) return url;
  throw invalid({ field: 'url', message: `url ${problem}` });
};

/**
 * Creates a webhook endpoint, which is enabled at once. Only this answer contains the secret. Name servers that never answer delay the request.
 * So the host of the URL is looked up only after two checks: the business has room for the endpoint, and its limit of such look-ups is not used
 * up. That limit does not bind operators.
 * @throws endpoint_limit_reached, rate_limited, or validation_failed for a URL that this stage does not deliver to.
 */
export const createWebhookEndpoint = async (
  deps: CreateWebhookEndpointDeps,
  tenant: Tenant,
  input: CreateWebhookEndpointInput,
  actor: Actor,
): Promise<EndpointWithSecret> => {
  const { businessId, mode } = tenant;
  const record = makeRecorder(deps, { businessId, actor });
  ensureRoomForEndpoint(await readBusiness(deps, tenant), mode);
  if (!isOperator(actor)) await chargeUsageLimit(deps, 'url', [businessId]);
  const url = await ensureTarget(deps.checkTarget, input.url);
  const [key] = await deps.webhookKeys();
  const [id, secret] = [deps.newId('whe'), newWebhookSecret(deps.randomBytes)];
  const endpoint: WebhookEndpoint = {
    id,
    businessId,
    mode,
    url,
    events: input.events,
    enabled: true,
    secrets: [{ secret: sealSecret(key, id, secret, deps.randomBytes), until: null }],
    disabledReason: null,
    disabledAt: null,
    createdAt: deps.now(),
  };
  return writeBusiness(
    deps,
    () => readBusiness(deps, endpoint),
    async (business) => ({
      result: { endpoint, secret },
      write: {
        after: addEndpoint(business, toEndpointHead(endpoint)),
        newEndpoint: endpoint,
        ...(await buildChangeRecord(
          deps,
          business,
          { mode },
          record,
          `created the ${mode} webhook endpoint ${endpoint.id} at ${parseHost(endpoint.url)}`,
        )),
      },
    }),
  );
};
