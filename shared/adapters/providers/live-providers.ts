import { credentials } from '#shared/adapters/secrets/credentials.ts';
import type { RandomBytes } from '#shared/domain/kernel/ids.ts';
import type { Millis } from '#shared/domain/kernel/time.ts';
import type { ProviderName } from '#shared/domain/providers/provider.ts';
import type { Log } from '#shared/observability/log.ts';
import type { Metrics } from '#shared/observability/metrics.ts';
import type { LiveProvider, LiveProviders, ProviderBreakerStore, Providers } from '#shared/ports/providers.ts';
import { sharedBreaker } from './common/breaker.ts';
import { guarded } from './common/guard.ts';
import { type ProviderHttpOptions, providerHttp } from './common/http.ts';
import { byProvider, type Registered } from './registry.ts';
import { sandboxProvider } from './sandbox/sandbox.ts';
import type { ProviderSettings } from './settings.ts';

interface Around {
  readonly now: () => Millis;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly breakers: ProviderBreakerStore;
  /** Other time-outs than a stage's. */
  readonly patience?: Pick<ProviderHttpOptions, 'connectMs' | 'answerMs'>;
}

/** Makes a provider of its settings: the guarded HTTP client, its credentials, its adapter. */
const connected = (
  name: ProviderName,
  { connect, credentials: schema, takes }: Registered,
  settings: NonNullable<ProviderSettings[ProviderName]>,
  { now, log, metrics, breakers, patience }: Around,
): LiveProvider => {
  const { baseUrl, secretId } = settings;
  const breaker = sharedBreaker({ provider: name, store: breakers, now, log });
  const http = guarded(providerHttp({ baseUrl, ...patience }), breaker);
  const read = credentials({ name, schema, secretId, now, log, metrics });
  // At the start of a container: what is missing is said then, and the first request does not wait for it.
  read().catch(() => {});
  const provider = connect({ settings, credentials: read, http, now });
  // A signature that does not fit may be the first one under a new secret.
  const authenticateAfresh: LiveProvider['authenticate'] = async (...notification) => {
    if (await provider.authenticate(...notification)) return true;
    await read({ refresh: true });
    return provider.authenticate(...notification);
  };
  return { ...provider, takes, authenticate: authenticateAfresh, prefetchHealth: breaker.prefetchHealth };
};

/** The live providers that a stage has enabled, each made once. */
export const liveProviders = (settings: ProviderSettings, around: Around): LiveProviders => {
  const made = byProvider((name, registered) => {
    const its = settings[name];
    return its && connected(name, registered, its, around);
  });
  return (name) => made[name];
};

/** Who issues accounts in a mode: test mode has the sandbox under every name, live mode those that the stage has enabled. */
export const providers =
  (random: RandomBytes, enabled: LiveProviders): Providers =>
  (mode, name) =>
    mode === 'test' ? sandboxProvider(name, random) : enabled(name);
