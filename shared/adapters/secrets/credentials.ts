import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { lean } from '#shared/adapters/lean-client.ts';
import type { ReadCredentials } from '#shared/adapters/providers/common/description.ts';
import type { Millis } from '#shared/domain/kernel/time.ts';
import { ProviderUnavailable } from '#shared/domain/providers/errors.ts';
import type { ProviderName } from '#shared/domain/providers/provider.ts';
import type { Log } from '#shared/observability/log.ts';
import type { Metrics } from '#shared/observability/metrics.ts';

/** Milliseconds. Read once per container, and again so often that a rotation is noticed. */
const CACHE_MS = 5 * 60_000;
/** Milliseconds. Whoever sends wrong signatures must not make us read secrets at that rate. */
const REFRESH_MS = 60_000;

/** The variable that holds a provider's credentials as JSON where there is no Secrets Manager. */
export const credentialsVariable = (name: ProviderName): string => `${name.toUpperCase()}_CREDENTIALS`;

/** Where a provider's credentials are, and what they must look like. */
export interface CredentialsPlace<S extends z.ZodMiniType> {
  readonly name: ProviderName;
  readonly schema: S;
  /** The secret's id in Secrets Manager; without one the environment is read. */
  readonly secretId: string | undefined;
}

export interface CredentialsOptions<S extends z.ZodMiniType> extends CredentialsPlace<S> {
  readonly now: () => Millis;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** A provider has no credentials that can be used: what is missing, and what to do next, without a part of what was read. */
export class NoCredentials extends Error {
  override readonly name = 'NoCredentials';
  readonly missing: string;
  readonly next: string;
  constructor(missing: string, next: string) {
    super(`${missing} ${next}`);
    this.missing = missing;
    this.next = next;
  }
}

let client: SecretsManagerClient | undefined;
const secretsManager = (): SecretsManagerClient => {
  client ??= lean(
    new SecretsManagerClient({ maxAttempts: 2, requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000 } }),
  );
  return client;
};

/** The fields that credentials must have. */
export const requiredFields = (schema: z.ZodMiniType): readonly string[] =>
  schema instanceof z.ZodMiniObject
    ? Object.keys(schema.shape).filter((field) => !z.safeParse(schema.shape[field] as z.ZodMiniType, undefined).success)
    : [];

const HOW = 'infra/docs/secrets.md shows how.';

const readSecret = async (secretId: string): Promise<string | undefined> => {
  try {
    return (await secretsManager().send(new GetSecretValueCommand({ SecretId: secretId }))).SecretString;
  } catch (error) {
    const { name } = error as Error;
    // The deployment makes the secret without a value: AWS says the same of that as of a secret that is not there.
    if (name === 'ResourceNotFoundException') return undefined;
    throw new NoCredentials(
      `The secret ${secretId} could not be read (${name}).`,
      name === 'AccessDeniedException'
        ? 'Let this role or user read it: secretsmanager:GetSecretValue.'
        : 'It is tried again by itself; if that goes on, see whether AWS is well.',
    );
  }
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The credentials that a text holds, which was found in their place. @throws NoCredentials */
export const credentialsIn = <S extends z.ZodMiniType>(
  { name, schema, secretId }: CredentialsPlace<S>,
  text: string | undefined,
): z.infer<S> => {
  const place = secretId === undefined ? `The variable ${credentialsVariable(name)}` : `The secret ${secretId}`;
  const next = `Put a JSON object with ${requiredFields(schema).join(' and ')} there. ${HOW}`;
  if (!text?.trim()) throw new NoCredentials(`${place} has no value.`, next);
  const json = jsonOf(text);
  if (json === undefined) throw new NoCredentials(`${place} holds no JSON.`, next);
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  // Names of fields, never what stands in them.
  const wrong = [...new Set(parsed.error.issues.map(({ path }) => path.join('.')))].filter(Boolean).join(' and ');
  throw new NoCredentials(wrong ? `${place} lacks ${wrong}.` : `${place} holds no JSON object.`, next);
};

/** Reads a provider's credentials now. @throws NoCredentials */
export const readCredentials = async <S extends z.ZodMiniType>(at: CredentialsPlace<S>): Promise<z.infer<S>> => {
  const { name, secretId } = at;
  const text = secretId === undefined ? process.env[credentialsVariable(name)] : await readSecret(secretId);
  return credentialsIn(at, text);
};

/**
 * Reads a provider's credentials: kept for five minutes, at most once a minute afresh, one read for all who ask at once.
 * What it gives throws ProviderUnavailable when there are none, or not in the right form: that provider is switched off, the log says
 * what is missing and what to do, and an alarm counts it.
 */
export const credentials = <S extends z.ZodMiniType>(options: CredentialsOptions<S>): ReadCredentials<z.infer<S>> => {
  const { name, now, log, metrics } = options;
  let kept: { readonly value: Promise<z.infer<S>>; readonly at: Millis } | undefined;
  const read = async (): Promise<z.infer<S>> => {
    try {
      return await readCredentials(options);
    } catch (error) {
      const { missing, next } =
        error instanceof NoCredentials ? error : { missing: 'Its credentials cannot be read.', next: HOW };
      log('provider_disabled', { provider: name, missing, next }, error);
      metrics('providers_without_credentials', 1);
      throw new ProviderUnavailable('Its credentials cannot be read.');
    }
  };
  return async ({ refresh = false } = {}) => {
    const age = kept ? now() - kept.at : Number.POSITIVE_INFINITY;
    if (!kept || age > (refresh ? REFRESH_MS : CACHE_MS)) {
      const value = read();
      kept = { value, at: now() };
      // A failed read is not kept: the next one who asks tries again.
      value.catch(() => {
        if (kept?.value === value) kept = undefined;
      });
    }
    return kept.value;
  };
};
