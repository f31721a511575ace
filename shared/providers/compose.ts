import { log, writeLine } from '#shared/platform/observability/log.ts';
import { metricsTo } from '#shared/platform/observability/metrics.ts';
import { runtime } from '#shared/platform/runtime.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { ProviderQuota } from '#shared/providers/domain/quota.ts';
import type { SandboxFaults } from '#shared/providers/domain/sandbox-fault.ts';
import { openingCounter } from '#shared/providers/store/opening-counter.ts';
import { providerBreakerStore } from '#shared/providers/store/provider-breaker-store.ts';
import { quotaMeter } from '#shared/providers/store/quota-meter.ts';
import { liveProviders, providers } from './live-providers.ts';
import type { Paces, ProviderSettings } from './settings.ts';

interface Env {
  readonly STAGE: string;
  readonly PROVIDERS: ProviderSettings;
  readonly STAGE_URL: string;
  readonly PROVIDER_PACES?: Paces | undefined;
  readonly SANDBOX?: SandboxFaults;
}

/** Composes the stage's live providers behind their breakers, and the metrics that count their failures. */
export const liveProviderDeps = (table: Table, env: Env) => {
  const { now, wait } = runtime;
  const metrics = metricsTo(env.STAGE, writeLine, now);
  const breakers = providerBreakerStore(table);
  const deps = { now, wait, log, metrics, breakers, stageUrl: env.STAGE_URL, paces: env.PROVIDER_PACES };
  return { metrics, liveProviders: liveProviders(env.PROVIDERS, deps) };
};

/** Composes the live providers, the account issuers of both modes (test mode has sandboxes), and the counter of opened accounts. */
export const issuerDeps = (table: Table, env: Env) => {
  const live = liveProviderDeps(table, env);
  return {
    ...live,
    providers: providers(runtime.randomBytes, runtime.wait, live.liveProviders, env.SANDBOX),
    openings: openingCounter(table, { now: runtime.now, log }),
  };
};

/** Composes the meter that charges a business's provider quota. */
export const quotaDeps = (table: Table, env: { readonly PROVIDER_QUOTA: ProviderQuota }) => ({
  quotaMeter: quotaMeter(table, env.PROVIDER_QUOTA, { now: runtime.now, log }),
});
