import { isDeepStrictEqual } from 'node:util';
import { HOUR } from '#shared/platform/kernel/time.ts';
import type { Log } from '#shared/platform/observability/log.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { judgeAll, type ProviderHealth, unknownHealth } from '#shared/providers/domain/health/health.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { HealthStore } from '#shared/providers/health-ports.ts';

export interface JudgeDeps extends Pick<Runtime, 'now'> {
  readonly healthStore: HealthStore;
  /** The providers that the stage has enabled. */
  readonly judgedProviders: readonly ProviderName[];
  readonly log: Log;
}

/** Logs a change of a provider's state with its reasons, for operators who ask about routing. */
const logChange = (
  { log }: Pick<JudgeDeps, 'log'>,
  was: ProviderHealth['state'],
  { provider, state, cause, creations, sent, landing }: ProviderHealth,
): void => {
  log('provider_health', {
    ...{ provider, was, state, cause },
    opened: creations.good,
    failed: creations.bad,
    sent_landed: sent.good,
    sent_not_landed: sent.bad,
    landing_p50_seconds: landing?.p50,
    landing_p95_seconds: landing?.p95,
  });
};

/**
 * Judges the enabled providers by their counts, and saves each health that has changed. A provider that never had a count gets no stored health.
 * Concurrent runs come to the same result, and the first one saves it.
 */
export const judgeProviders = async (deps: JudgeDeps): Promise<void> => {
  const now = deps.now();
  const inputs = await Promise.all(
    deps.judgedProviders.map(async (provider) => {
      const { minutes, judged } = await deps.healthStore.readCounts(provider, now - HOUR);
      return { before: judged ?? unknownHealth(provider, now), minutes };
    }),
  );
  const saves = judgeAll(inputs, now).map(async (after, i) => {
    const before = inputs[i]?.before;
    if (!before || isDeepStrictEqual(after, before)) return;
    const isSaved = await deps.healthStore.save({ ...after, version: after.version + 1 });
    if (isSaved && after.state !== before.state) logChange(deps, before.state, after);
  });
  await Promise.all(saves);
};
