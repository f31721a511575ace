import { type ApiKey, hashKey, keyPrefix, newApiKey } from '#shared/businesses/domain/api-key.ts';
import type { Business } from '#shared/businesses/domain/business.ts';
import { defaultProfile } from '#shared/businesses/domain/profile.ts';
import { apiKeyKey, businessKey } from '#shared/businesses/store/keys.ts';
import type { KeyKind } from '#shared/platform/kernel/key-kind.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import type { Item, Table } from '#shared/platform/table/table.ts';
import type { WebhookEndpoint } from '#shared/webhooks/domain/endpoint.ts';
import { sealSecret } from '#shared/webhooks/domain/sealed-secret.ts';
import { newWebhookSecret } from '#shared/webhooks/domain/signature.ts';
import { endpointKey } from '#shared/webhooks/store/keys.ts';
import { inNoRole } from '#test/support/permissions/roles.ts';
import { WEBHOOK_KEY } from './keys.ts';
import { putAll } from './table.ts';

const NAME = 'Ada Stores Limited';

/** Writes a business with its four keys, and an endpoint of the mode for each URL. `secrets`: the endpoints' secrets in plain text. */
export const addBusiness = async (
  { table, now, newId, randomBytes }: Pick<Runtime, 'now' | 'newId' | 'randomBytes'> & { readonly table: Table },
  urls: readonly string[],
  mode: Mode,
  isRouted = false,
) => {
  const id = newId('biz');
  const items: Item[] = [];
  const keys: Record<`${KeyKind}_${Mode}`, string> = {} as never;
  for (const kind of ['secret', 'public'] as const) {
    for (const mode of ['live', 'test'] as const) {
      const key = newApiKey(kind, mode, randomBytes);
      keys[`${kind}_${mode}`] = key;
      const stored: ApiKey = {
        id: newId('key'),
        hash: hashKey(key),
        businessId: id,
        businessSuspended: false,
        businessDisplayName: NAME,
        businessIsRouted: isRouted,
        mode,
        kind,
        prefix: keyPrefix(kind, mode),
        last4: key.slice(-4),
        ipWhitelist: [],
        createdBy: 'operations',
        createdAt: now(),
        revokedAt: null,
        expiresAt: null,
      };
      items.push({ ...stored, ...apiKeyKey(stored.hash) });
    }
  }
  const secrets = urls.map(() => newWebhookSecret(randomBytes));
  const endpoints = urls.map((url, i): WebhookEndpoint => {
    const endpointId = newId('whe');
    return {
      id: endpointId,
      businessId: id,
      mode,
      events: ['*'],
      enabled: true,
      url,
      secrets: [{ secret: sealSecret(WEBHOOK_KEY, endpointId, secrets[i] ?? '', randomBytes), until: null }],
      disabledReason: null,
      disabledAt: null,
      createdAt: now(),
    };
  });
  items.push(...endpoints.map((endpoint) => ({ ...endpoint, ...endpointKey(endpoint.id) })));
  const business: Business = {
    id,
    name: NAME,
    suspended: false,
    endpoints: endpoints.map(({ id: head, mode, events, enabled }) => ({ id: head, mode, events, enabled })),
    keys: [],
    members: [],
    createdAt: now(),
    version: 1,
    profile: { ...defaultProfile(NAME), isRouted },
  };
  items.push({ ...business, ...businessKey(id) });
  await inNoRole(() => putAll(table, items));
  return { id, keys, endpoints, secrets, tenant: { businessId: id, mode } };
};
