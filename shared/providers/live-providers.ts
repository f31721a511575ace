import { isDeepStrictEqual } from 'node:util';
import type { RandomBytes } from '#shared/platform/kernel/ids.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import type { Log } from '#shared/platform/observability/log.ts';
import type { Metrics } from '#shared/platform/observability/metrics.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import type { ProviderCalls, ProviderName } from '#shared/providers/domain/provider.ts';
import { sharedBreaker } from './common/breaker.ts';
import { guardHttp } from './common/guard.ts';
import { type ProviderHttpOptions, providerHttp } from './common/http.ts';
import { paceHttp } from './common/pace.ts';
import { credentials } from './credentials.ts';
import type { SandboxFaults } from './domain/sandbox-fault.ts';
import type { LiveProvider, LiveProviders, ProviderBreakerStore, Providers } from './ports.ts';
import { byProvider, type RegisteredProvider } from './registry.ts';
import { sandboxProvider } from './sandbox/sandbox.ts';
import type { Paces, ProviderSettings } from './settings.ts';

interface ProviderDeps {
  readonly now: () => Millis;
  /** Resolves after `milliseconds`. */
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly breakers: ProviderBreakerStore;
  /** The stage's own public address; undefined if it is not known. */
  readonly stageUrl: string | undefined;
  /** Minimum time between two calls of this process to a provider, in milliseconds. Absent means no minimum. */
  readonly paces?: Paces | undefined;
  /** Time limits in milliseconds, for tests that need other values than the defaults. */
  readonly timeouts?: Pick<ProviderHttpOptions, 'connectMs' | 'answerMs'>;
}

/** Builds the stage's address for a provider's notifications. The route is in infra/functions.ts. */
const buildNotificationUrl = (stageUrl: string, name: ProviderName): string =>
  `${stageUrl.replace(/\/+$/, '')}/providers/${name}/notifications`;

/**
 * Creates a live provider from its settings: the credentials, and for each kind of calls an adapter on a guarded HTTP client of its own. So
 * the purpose of a call, and not its path, decides which guard applies.
 */
const liveProvider = (
  name: ProviderName,
  {
    connect,
    credentials: schema,
    amountLimits,
    returnsSilently = false,
    listShowsLateMoney = false,
    listedAhead = 0,
  }: RegisteredProvider,
  settings: NonNullable<ProviderSettings[ProviderName]>,
  { now, wait, log, metrics, breakers, stageUrl, paces = {}, timeouts }: ProviderDeps,
): LiveProvider => {
  const { baseUrl, secretId } = settings;
  const read = credentials({ name, schema, secretId, now, log, metrics });
  // Read when the container starts: missing credentials are logged then, and the first request does not wait.
  read().catch(() => {});
  const notificationUrl = stageUrl === undefined ? null : buildNotificationUrl(stageUrl, name);
  const call = providerHttp({ baseUrl, now, ...timeouts });
  const pace = paces[name];
  const pacedHttp = pace === undefined ? call : paceHttp(call, pace, { now, wait });
  const connectGuarded = (calls: ProviderCalls) => {
    const breaker = sharedBreaker({ provider: name, calls, store: breakers, now, log, metrics });
    const http = guardHttp(pacedHttp, breaker, { now, wait });
    return { breaker, provider: connect({ settings, notificationUrl, credentials: read, http, now }) };
  };
  const kinds = {
    creations: connectGuarded('creations'),
    look_ups: connectGuarded('look_ups'),
    requeries: connectGuarded('requeries'),
    reviews: connectGuarded('reviews'),
  };
  const { creations, look_ups, requeries, reviews } = kinds;
  const { createAccount, createPaymentAccount, closeAccount } = creations.provider;
  // A signature that does not match may be the first one under a new secret. So the credentials are read again before the notification is rejected.
  const authenticateWithRefresh: LiveProvider['authenticate'] = async (...notification) => {
    const knownCredentials = await read();
    if (await look_ups.provider.authenticate(...notification)) return true;
    // The same secret would give the same result.
    const isNew = !isDeepStrictEqual(await read({ refresh: true }), knownCredentials);
    return isNew && look_ups.provider.authenticate(...notification);
  };
  return {
    ...look_ups.provider,
    createAccount,
    createPaymentAccount,
    closeAccount,
    amountLimits,
    returnsSilently,
    listShowsLateMoney,
    listedAhead,
    requery: requeries.provider.lookUp,
    review: reviews.provider.lookUp,
    authenticate: authenticateWithRefresh,
    prefetchHealth: (calls) => kinds[calls].breaker.prefetchHealth(),
    isBreakerOpen: (calls) => kinds[calls].breaker.isOpen(),
  };
};

/** Creates the live providers that a stage has enabled, each once. The result finds a provider by name; undefined if it is not enabled. */
export const liveProviders = (settings: ProviderSettings, deps: ProviderDeps): LiveProviders => {
  const instances = byProvider((name, registered) => {
    const enabled = settings[name];
    return enabled && liveProvider(name, registered, enabled, deps);
  });
  return (name) => instances[name];
};

/** Finds the issuer of accounts by mode and name: the sandbox in test mode, an enabled live provider in live mode. */
export const providers =
  (random: RandomBytes, wait: Runtime['wait'], enabled: LiveProviders, faults: SandboxFaults = {}): Providers =>
  (mode, name) =>
    mode === 'test' ? sandboxProvider(name, random, wait, faults[name]) : enabled(name);
