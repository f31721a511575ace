import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type * as z from 'zod';
import { lean } from '#shared/adapters/lean-client.ts';
import type { ReadCredentials } from '#shared/adapters/providers/common/settings.ts';
import type { ProviderName } from '#shared/domain/provider.ts';
import { ProviderUnavailable } from '#shared/domain/provider-errors.ts';
import type { Millis } from '#shared/domain/time.ts';
import type { Log } from '#shared/ports.ts';

/** Milliseconds. Read once per container, and again so often that a rotation is noticed. */
const KEPT_MS = 5 * 60_000;
/** Milliseconds. Whoever sends wrong signatures must not make us read secrets at that rate. */
const AFRESH_MS = 60_000;

/** The variable that holds a provider's credentials as JSON where there is no Secrets Manager. */
export const credentialsVariable = (name: ProviderName): string => `${name.toUpperCase()}_CREDENTIALS`;

export interface CredentialsOptions<S extends z.ZodType> {
  readonly name: ProviderName;
  readonly schema: S;
  /** The secret's id in Secrets Manager; without one the environment is read. */
  readonly secretId: string | undefined;
  readonly now: () => Millis;
  readonly log: Log;
}

let client: SecretsManagerClient | undefined;
const secretsManager = (): SecretsManagerClient => {
  client ??= lean(
    new SecretsManagerClient({ maxAttempts: 2, requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000 } }),
  );
  return client;
};

const readText = async ({ name, secretId }: Pick<CredentialsOptions<z.ZodType>, 'name' | 'secretId'>) => {
  if (secretId === undefined) return process.env[credentialsVariable(name)];
  const { SecretString } = await secretsManager().send(new GetSecretValueCommand({ SecretId: secretId }));
  return SecretString;
};

/**
 * Reads a provider's credentials: kept for five minutes, at most once a minute afresh, one read for all who ask at once.
 * What it gives throws ProviderUnavailable when there are none, or not in the right form: that provider is switched off, and the log says so.
 */
export const credentials = <S extends z.ZodType>(options: CredentialsOptions<S>): ReadCredentials<z.infer<S>> => {
  let kept: { readonly value: Promise<z.infer<S>>; readonly at: Millis } | undefined;
  const read = async (): Promise<z.infer<S>> => {
    try {
      return options.schema.parse(JSON.parse((await readText(options)) ?? ''));
    } catch (error) {
      options.log('provider_disabled', { provider: options.name, reason: 'Its credentials cannot be read.' }, error);
      throw new ProviderUnavailable('Its credentials cannot be read.');
    }
  };
  return async ({ afresh = false } = {}) => {
    const age = kept ? options.now() - kept.at : Number.POSITIVE_INFINITY;
    if (!kept || age > (afresh ? AFRESH_MS : KEPT_MS)) {
      const value = read();
      kept = { value, at: options.now() };
      // A failed read is not kept: the next one who asks tries again.
      value.catch(() => {
        if (kept?.value === value) kept = undefined;
      });
    }
    return kept.value;
  };
};
