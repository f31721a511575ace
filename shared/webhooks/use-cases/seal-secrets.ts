import { allBusinesses } from '#shared/businesses/use-cases/find-business.ts';
import { makeRecorder } from '#shared/businesses/use-cases/record-change.ts';
import type { WriteBusinessDeps } from '#shared/businesses/use-cases/write-business.ts';
import type { RandomBytes } from '#shared/platform/kernel/ids.ts';
import type { Keys, Runtime } from '#shared/platform/ports.ts';
import type { WebhookEndpoint } from '#shared/webhooks/domain/endpoint.ts';
import { isSealedUnder, openSecret, sealSecret } from '#shared/webhooks/domain/sealed-secret.ts';
import { changeEndpoint, endpointWrite } from './change-endpoint.ts';
import type { SealDeps } from './open-secrets.ts';

export interface SealSecretsDeps extends WriteBusinessDeps, SealDeps, Pick<Runtime, 'now' | 'newId' | 'randomBytes'> {}

/** The result for the endpoints of a stage. */
export interface SealedSecrets {
  /** The number of endpoints that were checked. */
  readonly endpoints: number;
  /** The number of endpoints whose secrets were sealed again. */
  readonly sealed: number;
  /** The ids of endpoints with a secret that cannot be opened. Nothing is delivered to them. */
  readonly unreadable: readonly string[];
}

/** Returns an endpoint with its secrets sealed with the current key; undefined if a secret cannot be opened. */
const reseal = (keys: Keys, endpoint: WebhookEndpoint, random: RandomBytes): WebhookEndpoint | undefined => {
  const [current] = keys;
  const secrets = endpoint.secrets.flatMap(({ secret, until }) => {
    if (isSealedUnder(current, secret)) return [{ secret, until }];
    const opened = openSecret(keys, endpoint.id, secret);
    return opened === undefined ? [] : [{ secret: sealSecret(current, endpoint.id, opened, random), until }];
  });
  return secrets.length === endpoint.secrets.length ? { ...endpoint, secrets } : undefined;
};

const isSealedWithCurrentKey = ([current]: Keys, { secrets }: WebhookEndpoint): boolean =>
  secrets.every(({ secret }) => isSealedUnder(current, secret));

const sealEndpoint = async (
  deps: SealSecretsDeps,
  keys: Keys,
  { id, businessId, mode }: WebhookEndpoint,
  operator: string,
): Promise<'sealed' | 'unreadable' | 'gone'> => {
  const record = makeRecorder(deps, { businessId, actor: operator });
  const tenant = { businessId, mode };
  const outcome = await changeEndpoint<'sealed' | 'unreadable'>(deps, tenant, id, (endpoint, business) => {
    const after = reseal(keys, endpoint, deps.randomBytes);
    if (!after) return { result: 'unreadable' };
    const change = record?.(`sealed the secrets of the ${mode} webhook endpoint ${id} with the stage's current key`);
    return { result: 'sealed', write: { ...endpointWrite(business, after), ...(change && { change }) } };
  });
  return outcome ?? 'gone';
};

/**
 * Seals every webhook secret of a stage with its current key. Each endpoint is changed and recorded separately. Secrets that are sealed
 * with the current key stay as they are, so the command can be repeated.
 */
export const sealSecrets = async (deps: SealSecretsDeps, operator: string): Promise<SealedSecrets> => {
  const keys = await deps.webhookKeys();
  const unreadable: string[] = [];
  let [endpoints, sealed] = [0, 0];
  for (const business of await allBusinesses(deps)) {
    for (const endpoint of await deps.businesses.endpoints(business)) {
      endpoints += 1;
      if (isSealedWithCurrentKey(keys, endpoint)) continue;
      const outcome = await sealEndpoint(deps, keys, endpoint, operator);
      if (outcome === 'sealed') sealed += 1;
      if (outcome === 'unreadable') unreadable.push(endpoint.id);
    }
  }
  return { endpoints, sealed, unreadable };
};
