import type { Millis } from '#shared/platform/kernel/time.ts';
import type { ReadKeys } from '#shared/platform/ports.ts';
import { storedSigningSecrets, type WebhookEndpoint } from '#shared/webhooks/domain/endpoint.ts';
import { openSecret } from '#shared/webhooks/domain/sealed-secret.ts';

/** The dependencies for opening and sealing the secrets of endpoints. */
export interface SealDeps {
  readonly webhookKeys: ReadKeys;
}

const openAll = (keys: readonly string[], id: string, stored: readonly string[]): string[] | undefined => {
  const secrets = stored.flatMap((sealed) => openSecret(keys, id, sealed) ?? []);
  return secrets.length === stored.length ? secrets : undefined;
};

/**
 * Decrypts the secrets of an endpoint that sign at a moment. The clear text is never stored.
 * @throws Error if a secret cannot be opened with the keys of the stage; DependencyUnavailable if the keys cannot be read now.
 */
export const openSigningSecrets = async (
  { webhookKeys }: SealDeps,
  endpoint: WebhookEndpoint,
  now: Millis,
): Promise<string[]> => {
  const [id, stored] = [endpoint.id, storedSigningSecrets(endpoint, now)];
  const secrets =
    openAll(await webhookKeys(), id, stored) ??
    // The secret may be sealed with a newer key than this container has read.
    openAll(await webhookKeys({ refresh: true }), id, stored);
  if (!secrets) throw new Error(`A secret of the webhook endpoint ${id} cannot be opened.`);
  return secrets;
};
