import * as z from 'zod/mini';
import { parseJson } from '#shared/platform/json.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import type { Log } from '#shared/platform/observability/log.ts';
import type { Metrics } from '#shared/platform/observability/metrics.ts';
import { cached } from '#shared/platform/secrets/cached.ts';
import { nameOfFailure, readSecret } from '#shared/platform/secrets/secret-value.ts';
import type { ReadCredentials } from '#shared/providers/common/description.ts';
import { ProviderUnavailable } from '#shared/providers/domain/errors.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';

/** The variable that holds a provider's credentials as JSON where there is no Secrets Manager. */
export const credentialsVariable = (name: ProviderName): string => `${name.toUpperCase()}_CREDENTIALS`;

/** Where a provider's credentials are stored, and their schema. */
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

/** A provider has no usable credentials. Says what is missing and what to do next, without quoting what was read. */
export class NoCredentials extends Error {
  override readonly name = 'NoCredentials';
  readonly missing: string;
  readonly next: string;
  constructor(missing: string, next: string, cause?: unknown) {
    super(`${missing} ${next}`, { cause });
    this.missing = missing;
    this.next = next;
  }
}

/** The fields that credentials must have. The cast: a shape's fields are core types, all of which zod/mini made here. */
export const requiredFields = (schema: z.ZodMiniType): readonly string[] =>
  schema instanceof z.ZodMiniObject
    ? Object.keys(schema.shape).filter((field) => !z.safeParse(schema.shape[field] as z.ZodMiniType, undefined).success)
    : [];

const HOW = 'docs/operating/secrets.md shows how.';

const readSecretText = async (secretId: string): Promise<string | undefined> => {
  try {
    return await readSecret(secretId);
  } catch (error) {
    const name = nameOfFailure(error);
    throw new NoCredentials(
      `The secret ${secretId} could not be read (${name}).`,
      name === 'AccessDeniedException'
        ? 'Let this role or user read it: secretsmanager:GetSecretValue.'
        : 'It is retried. If this persists, check the status of Secrets Manager.',
      error,
    );
  }
};

/** Parses credentials from the text of a secret or variable. @throws NoCredentials */
export const parseCredentials = <S extends z.ZodMiniType>(
  { name, schema, secretId }: CredentialsPlace<S>,
  text: string | undefined,
): z.infer<S> => {
  const place = secretId === undefined ? `The variable ${credentialsVariable(name)}` : `The secret ${secretId}`;
  const next = `Put a JSON object with ${requiredFields(schema).join(' and ')} there. ${HOW}`;
  if (!text?.trim()) throw new NoCredentials(`${place} has no value.`, next);
  const json = parseJson(text);
  if (json === undefined) throw new NoCredentials(`${place} does not hold JSON.`, next);
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  // Names of fields, never their values.
  const wrong = [...new Set(parsed.error.issues.map(({ path }) => path.join('.')))].filter(Boolean).join(' and ');
  throw new NoCredentials(wrong ? `${place} lacks ${wrong}.` : `${place} does not hold a JSON object.`, next);
};

/** Reads a provider's credentials now. @throws NoCredentials */
export const readCredentials = async <S extends z.ZodMiniType>(at: CredentialsPlace<S>): Promise<z.infer<S>> => {
  const { name, secretId } = at;
  const text = secretId === undefined ? process.env[credentialsVariable(name)] : await readSecretText(secretId);
  return parseCredentials(at, text);
};

/**
 * Reads a provider's credentials: cached for an hour, re-read on request at most once a minute, one read for concurrent callers.
 * The reader throws ProviderUnavailable when there are none, or when they are malformed: then the provider is off, the log says
 * what is missing and what to do, and an alarm counts it.
 */
export const credentials = <S extends z.ZodMiniType>(options: CredentialsOptions<S>): ReadCredentials<z.infer<S>> => {
  const { name, now, log, metrics } = options;
  const read = async (): Promise<z.infer<S>> => {
    try {
      return await readCredentials(options);
    } catch (error) {
      const { missing, next } =
        error instanceof NoCredentials ? error : { missing: 'Its credentials cannot be read.', next: HOW };
      log('provider_disabled', { provider: name, missing, next }, error);
      metrics('providers_without_credentials', 1);
      // Why: a request is answered in another way when Secrets Manager is busy than when credentials are missing.
      const cause = error instanceof Error ? error.cause : undefined;
      throw new ProviderUnavailable('Its credentials cannot be read.', { cause });
    }
  };
  return cached(read, now);
};
