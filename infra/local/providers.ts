import { credentialsVariable } from '#shared/adapters/secrets/credentials.ts';
import { providerName } from '#shared/domain/provider.ts';
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

/**
 * The live providers that the environment names: `PROVIDERS` with their settings, `PAYSTACK_CREDENTIALS` and so on with what
 * proves who we are. One without credentials is left out, and `say` is told.
 * @throws CannotStart when PROVIDERS makes no sense.
 */
export const providersOf = (env: Record<string, string | undefined>, say: (line: string) => void): LocalProviders => {
  const settings = parse(env.PROVIDERS?.trim() || '{}');
  const named = providerName.options.filter((name) => settings[name] !== undefined);
  const missing = named.filter((name) => !env[credentialsVariable(name)]?.trim());
  for (const name of missing) {
    say(`${name} is switched off: ${credentialsVariable(name)} is not set. See npm start -- --help`);
  }
  const left = Object.fromEntries(Object.entries(settings).filter(([name]) => !missing.some((gone) => gone === name)));
  const defaultProvider = providerName.options.find((name) => name in left) ?? 'paystack';
  return { payUrl: undefined, defaultProvider, settings: JSON.stringify(left), credentials: {} };
};
