import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { clientSettings, reportUnavailable } from '#shared/platform/aws-client.ts';
import { DependencyUnavailable } from '#shared/platform/kernel/errors.ts';

export const SECRET_LIMITS = { answerMs: 2_000, maxAttempts: 2 };

let client: SecretsManagerClient | undefined;
const secretsManager = (): SecretsManagerClient => {
  client ??= reportUnavailable(new SecretsManagerClient(clientSettings(SECRET_LIMITS)));
  return client;
};

/** Returns the name that AWS gave an error of a read. The name quotes no data. */
export const nameOfFailure = (error: unknown): string => {
  const cause = error instanceof DependencyUnavailable ? error.cause : error;
  return cause instanceof Error ? cause.name : 'unknown error';
};

/** Reads the text of a secret; undefined if it has no value. @throws DependencyUnavailable, and any rejection by AWS. */
export const readSecret = async (secretId: string): Promise<string | undefined> => {
  try {
    return (await secretsManager().send(new GetSecretValueCommand({ SecretId: secretId }))).SecretString;
  } catch (error) {
    // AWS answers this also for a secret that has no value yet, as the deployment creates it.
    if (nameOfFailure(error) === 'ResourceNotFoundException') return undefined;
    throw error;
  }
};
