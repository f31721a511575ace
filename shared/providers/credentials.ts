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

/** Builds the name of the environment variable that has a provider's credentials as JSON, for a stage without Secrets Manager. */
export const credentialsVariable = (name: ProviderName): string => `${name.toUpperCase()}_CREDENTIALS`;

/** The place where a provider's credentials are stored, and their schema. */
export interface CredentialsPlace<S extends z.ZodMiniType> {
  readonly name: ProviderName;
  readonly schema: S;
  /** The secret's id in Secrets Manager. If it is undefined, the environment variable is read. */
  readonly secretId: string | undefined;
}

export interface CredentialsOptions<S extends z.ZodMiniType> extends CredentialsPlace<S> {
  readonly now: () => Millis;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** A provider has no usable credentials. The message says what is missing and what to do next, and never quotes the secret. */
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

/** Lists the fields that credentials must have. The cast is safe, because zod/mini made every field here. */
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
        : 'The read is retried. If this persists, check the status of Secrets Manager.',
      error,
    );
  }
};

/** Parses credentials from the text of a secret or variable. @throws NoCredentials if they are missing or malformed. */
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
  // The message lists names of fields and never their values.
  const wrong = [...new Set(parsed.error.issues.map(({ path }) => path.join('.')))].filter(Boolean).join(' and ');
  throw new NoCredentials(wrong ? `${place} lacks ${wrong}.` : `${place} does not hold a JSON object.`, next);
};

/** Reads a provider's credentials now, without a cache. @throws NoCredentials if they are missing or malformed. */
export const readCredentials = async <S extends z.ZodMiniType>(place: CredentialsPlace<S>): Promise<z.infer<S>> => {
  const { name, secretId } = place;
  const text = secretId === undefined ? process.env[credentialsVariable(name)] : await readSecretText(secretId);
  return parseCredentials(place, text);
};

/**
 * Creates the reader of a provider's credentials. It caches them for an hour, reads them again on request at most once a minute, and shares
 * one read among concurrent callers. Missing or malformed credentials switch the provider off: the log says what to do, and a metric raises
 * an alarm. The reader then throws ProviderUnavailable.
 */
export const credentials = <S extends z.ZodMiniType>(options: CredentialsOptions<S>): ReadCredentials<z.infer<S>> => {
  const { name, now, log, metrics } = options;
  const read = async (): Promise<z.infer<S>> => {
    try {
      return await readCredentials(options);
    } catch (error) {
      const { missing, next } =
        error instanceof NoCredentials ? error : { missing: 'The credentials cannot be read.', next: HOW };
      log('provider_disabled', { provider: name, missing, next }, error);
      metrics('providers_without_credentials', 1);
      // The cause selects the API error: `service_unavailable` if Secrets Manager did not answer, `provider_error` if credentials are missing.
      const cause = error instanceof Error ? error.cause : undefined;
      throw new ProviderUnavailable("The provider's credentials cannot be read.", { cause });
    }
  };
  return cached(read, now);
};
