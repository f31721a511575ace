import { CREDENTIALS } from '#shared/adapters/providers/common/settings.ts';
import { credentialsIn, credentialsVariable, NoCredentials } from '#shared/adapters/secrets/credentials.ts';
import { type ProviderName, providerName } from '#shared/domain/provider.ts';
import { providerSettings } from '#shared/domain/provider-settings.ts';
import { CannotStart } from './errors.ts';
import type { LocalProviders } from './live-twin.ts';

const parse = (text: string) => {
  try {
    return providerSettings.parse(JSON.parse(text));
  } catch {
    throw new CannotStart(
      'PROVIDERS must be JSON with the settings of shared/domain/provider-settings.ts, e.g. PROVIDERS=\'{"korapay": {"bank": "000"}}\'.',
    );
  }
};

/** What keeps a provider off, and what to do: a sentence each. Undefined when nothing does. */
const lackOf = (name: ProviderName, env: Record<string, string | undefined>): string | undefined => {
  try {
    credentialsIn({ name, schema: CREDENTIALS[name], secretId: undefined }, env[credentialsVariable(name)]);
    return undefined;
  } catch (error) {
    if (error instanceof NoCredentials) return error.message;
    throw error;
  }
};

/**
 * The live providers that the environment names: `PROVIDERS` with their settings, `PAYSTACK_CREDENTIALS` and so on with what
 * proves who we are. One without credentials that can be used is left out, and `say` is told.
 * @throws CannotStart when PROVIDERS makes no sense.
 */
export const providersOf = (env: Record<string, string | undefined>, say: (line: string) => void): LocalProviders => {
  const settings = parse(env.PROVIDERS?.trim() || '{}');
  const named = providerName.options.filter((name) => settings[name] !== undefined);
  const ready = named.filter((name) => {
    const lack = lackOf(name, env);
    if (lack !== undefined) say(`${name} is switched off. ${lack}`);
    return lack === undefined;
  });
  const left = Object.fromEntries(ready.map((name) => [name, settings[name]]));
  return {
    payUrl: undefined,
    defaultProvider: ready[0] ?? 'paystack',
    settings: JSON.stringify(left),
    credentials: {},
  };
};
