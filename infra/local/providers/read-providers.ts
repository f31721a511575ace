import * as z from 'zod';
import { CannotStart } from '#infra/local/errors.ts';
import { PROVIDERS_EXAMPLE } from '#infra/local/settings.ts';
import { credentialsVariable, NoCredentials, parseCredentials } from '#shared/providers/credentials.ts';
import { type ProviderName, providerName } from '#shared/providers/domain/provider.ts';
import { REGISTRY } from '#shared/providers/registry.ts';
import { strictProviderSettings } from '#shared/providers/settings.ts';
import type { LocalProviders } from './live-simulator.ts';

const parseProvidersJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new CannotStart(`PROVIDERS must be JSON, e.g. PROVIDERS='${PROVIDERS_EXAMPLE}'.`);
  }
};

const parse = (text: string) => {
  // The schema uses zod/mini, which has no error messages of its own.
  const parsed = strictProviderSettings().safeParse(parseProvidersJson(text), { error: z.locales.en().localeError });
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '));
  throw new CannotStart(
    `Correct PROVIDERS: ${wrong.join('; ')}. The settings of each provider are in shared/providers/<provider>/description.ts.`,
  );
};

/** Says why a provider cannot be used, and what to do; undefined if it can be used. */
const findObstacle = (name: ProviderName, env: Record<string, string | undefined>): string | undefined => {
  try {
    parseCredentials({ name, schema: REGISTRY[name].credentials, secretId: undefined }, env[credentialsVariable(name)]);
    return undefined;
  } catch (error) {
    if (error instanceof NoCredentials) return error.message;
    throw error;
  }
};

/**
 * Reads the live providers from the environment: their settings from `PROVIDERS`, and credentials from `<NAME>_CREDENTIALS`. A provider
 * without usable credentials is left out, and `say` gets a line about it.
 * @throws CannotStart if PROVIDERS is invalid.
 */
export const readProviders = (env: Record<string, string | undefined>, say: (line: string) => void): LocalProviders => {
  const settings = parse(env.PROVIDERS?.trim() || '{}');
  const configured = providerName.options.filter((name) => settings[name] !== undefined);
  const usable = configured.filter((name) => {
    const obstacle = findObstacle(name, env);
    if (obstacle !== undefined) say(`${name} is off. ${obstacle}`);
    return obstacle === undefined;
  });
  const usableSettings = Object.fromEntries(usable.map((name) => [name, settings[name]]));
  return {
    payUrl: undefined,
    defaultProvider: providerName.parse(usable[0] ?? providerName.options[0]),
    settings: JSON.stringify(usableSettings),
    credentials: {},
  };
};
