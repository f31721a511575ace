import { type Actor, makeRecorder } from '#shared/businesses/use-cases/record-change.ts';
import type { WriteBusinessDeps } from '#shared/businesses/use-cases/write-business.ts';
import { ensureGrace } from '#shared/platform/kernel/ensure-grace.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { withNewSecret } from '#shared/webhooks/domain/endpoint.ts';
import { sealSecret } from '#shared/webhooks/domain/sealed-secret.ts';
import { newWebhookSecret } from '#shared/webhooks/domain/signature.ts';
import { changeNamedEndpoint, endpointWrite } from './change-endpoint.ts';
import type { EndpointWithSecret } from './create-webhook-endpoint.ts';
import type { SealDeps } from './open-secrets.ts';
import { buildChangeRecord, type RecordDeps } from './record-endpoint-change.ts';

export interface RotateDeps extends WriteBusinessDeps, RecordDeps, SealDeps, Pick<Runtime, 'randomBytes'> {}

/**
 * Gives an endpoint a new secret, which signs from the next attempt on. The replaced secret also signs for `graceSeconds`, at most seven
 * days; 0 ends it at once, for example after a leak. Only this answer contains the secret.
 * @throws webhook_endpoint_not_found, rate_limited, or not_possible for a grace period out of range.
 */
export const rotateWebhookSecret = async (
  deps: RotateDeps,
  tenant: Tenant,
  { id, graceSeconds }: { readonly id: string; readonly graceSeconds: number },
  actor: Actor,
): Promise<EndpointWithSecret> => {
  ensureGrace(graceSeconds * SECOND, 'a replaced secret');
  const record = makeRecorder(deps, { ...tenant, actor, target: id });
  const [key] = await deps.webhookKeys();
  const secret = newWebhookSecret(deps.randomBytes);
  const sealed = sealSecret(key, id, secret, deps.randomBytes);
  return changeNamedEndpoint<EndpointWithSecret>(deps, tenant, id, async (before, business) => {
    const endpoint = withNewSecret(before, sealed, graceSeconds, deps.now());
    const old = graceSeconds === 0 ? 'ended at once' : `signs for another ${graceSeconds} s`;
    const what = `rotated the secret of the ${endpoint.mode} webhook endpoint ${id}; the old one ${old}`;
    const recorded = await buildChangeRecord(deps, business, endpoint, record, what);
    return { result: { endpoint, secret }, write: { ...endpointWrite(business, endpoint), ...recorded } };
  });
};
