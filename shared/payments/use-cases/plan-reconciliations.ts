import {
  behindTime,
  firstReconciliation,
  reconciliationPass,
  takenOver,
} from '#shared/payments/domain/reconciliation.ts';
import type { ReconciliationStore } from '#shared/payments/ports.ts';
import type { Metrics } from '#shared/platform/observability/metrics.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';

export interface PlanDeps extends Pick<Runtime, 'now'> {
  readonly reconciliations: Pick<ReconciliationStore, 'find' | 'save'>;
  /** The providers that the stage has enabled. */
  readonly reconciledProviders: readonly ProviderName[];
  readonly metrics: Metrics;
}

/**
 * Plans those passes of reconciliation that nothing plans, as on a new stage or after a roll-back, and measures by how many milliseconds the
 * latest one is behind its time: an alarm watches it. Throws the first failure, after the others are planned.
 */
export const planReconciliations = async ({
  reconciliations,
  reconciledProviders,
  metrics,
  now,
}: PlanDeps): Promise<void> => {
  const passes = reconciledProviders.flatMap((name) => reconciliationPass.options.map((pass) => ({ name, pass })));
  const planning = passes.map(async ({ name, pass }) => {
    const found = await reconciliations.find(name, pass);
    const planned = found ? takenOver(found) : firstReconciliation(name, pass, now());
    if (planned) await reconciliations.save(found, planned);
    return found ? behindTime(planned ?? found, now()) : 0;
  });
  const outcomes = await Promise.allSettled(planning);
  const behind = outcomes.flatMap((pass) => (pass.status === 'fulfilled' ? [pass.value] : []));
  if (behind.length > 0) metrics('reconciliation_behind', Math.max(...behind));
  const failed = outcomes.find((pass) => pass.status === 'rejected');
  if (failed) throw failed.reason;
};
