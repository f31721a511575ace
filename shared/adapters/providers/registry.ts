import { credentials } from '#shared/adapters/secrets/credentials.ts';
import type { RandomBytes } from '#shared/domain/ids.ts';
import { type ProviderName, providerName } from '#shared/domain/provider.ts';
import type { ProviderSettings } from '#shared/domain/provider-settings.ts';
import type { Millis } from '#shared/domain/time.ts';
import type { LiveProvider, LiveProviders, Log, Metrics, ProviderBreakerStore, Providers } from '#shared/ports.ts';
import { sharedBreaker } from './common/breaker.ts';
import { guarded } from './common/guard.ts';
import { type ProviderHttpOptions, providerHttp } from './common/http.ts';
import { CREDENTIALS } from './common/settings.ts';
import { korapay } from './korapay/korapay.ts';
import { monnify } from './monnify/monnify.ts';
import { paystack } from './paystack/paystack.ts';
import { sandboxProvider } from './sandbox/sandbox.ts';

interface Around {
  readonly now: () => Millis;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly breakers: ProviderBreakerStore;
  /** Other time-outs than a stage's. */
  readonly patience?: Pick<ProviderHttpOptions, 'connectMs' | 'answerMs'>;
}

/** Makes a provider of its settings: the guarded HTTP client, its credentials, its adapter. */
const live =
  <P extends ProviderName, S extends Parameters<typeof credentials>[0]['schema']>(
    name: P,
    schema: S,
    adapter: (deps: {
      settings: NonNullable<ProviderSettings[P]>;
      credentials: ReturnType<typeof credentials<S>>;
      http: ReturnType<typeof providerHttp>;
      now: () => Millis;
    }) => LiveProvider,
  ) =>
  (all: ProviderSettings, { now, log, metrics, breakers, patience }: Around): LiveProvider | undefined => {
    const settings = all[name];
    if (!settings) return undefined;
    const { baseUrl, secretId } = settings;
    const breaker = sharedBreaker({ provider: name, store: breakers, now, log });
    const http = guarded(providerHttp({ baseUrl, ...patience }), breaker);
    const read = credentials({ name, schema, secretId, now, log, metrics });
    // At the start of a container: what is missing is said then, and the first request does not wait for it.
    read().catch(() => {});
    const provider = adapter({ settings, credentials: read, http, now });
    // A signature that does not fit may be the first one under a new secret.
    const authenticateAfresh: LiveProvider['authenticate'] = async (...notification) => {
      if (await provider.authenticate(...notification)) return true;
      await read({ afresh: true });
      return provider.authenticate(...notification);
    };
    return { ...provider, authenticate: authenticateAfresh, foresee: breaker.foresee };
  };

/** Every live provider there is: one more is one more folder, and one line here. */
const LIVE = {
  paystack: live('paystack', CREDENTIALS.paystack, paystack),
  monnify: live('monnify', CREDENTIALS.monnify, monnify),
  korapay: live('korapay', CREDENTIALS.korapay, korapay),
} satisfies Record<ProviderName, unknown>;

/** The live providers that a stage has enabled, each made once. */
export const liveProviders = (settings: ProviderSettings, around: Around): LiveProviders => {
  const made = new Map(providerName.options.map((name) => [name, LIVE[name](settings, around)]));
  return (name) => made.get(name);
};

/** Who issues accounts in a mode: test mode has the sandbox under every name, live mode those that the stage has enabled. */
export const providers =
  (random: RandomBytes, enabled: LiveProviders): Providers =>
  (mode, name) =>
    mode === 'test' ? sandboxProvider(name, random) : enabled(name);
