import {
  computeDelay,
  type ProviderPasses,
  planLists,
  type ReconciliationId,
} from '#shared/payments/domain/reconciliation.ts';
import type { ReconciliationStore } from '#shared/payments/ports.ts';
import type { Metrics } from '#shared/platform/observability/metrics.ts';
import type { Runtime } from '#shared/platform/ports.ts';

export interface PlanDeps extends Pick<Runtime, 'now'> {
  readonly reconciliations: Pick<ReconciliationStore, 'findLists' | 'save' | 'remove'>;
  readonly reconciled: readonly ProviderPasses[];
  readonly metrics: Metrics;
}

/** Plans the lists of a pass. Returns by how many milliseconds the slowest of them is late. */
const planPass = async (
  { reconciliations, now }: PlanDeps,
  { provider, pass, lists }: Omit<ReconciliationId, 'list'>,
): Promise<number> => {
  const existing = await reconciliations.findLists(provider, pass);
  const { missing, obsolete } = planLists({ provider, pass, lists }, existing, now());
  await Promise.all(missing.map((list) => reconciliations.save(undefined, list)));
  // Old lists are removed last. If the process dies before, the new lists are planned again, and begin where the old ones stopped.
  await Promise.all(obsolete.map((list) => reconciliations.remove(list)));
  return Math.max(0, ...existing.map((list) => computeDelay(list, now())));
};

/**
 * Plans the reconciliation lists that are missing: on a new stage, or after the setting for the number of lists changed. Measures by how many
 * milliseconds the slowest list is late, for an alarm.
 * @throws the first failure, after all other passes are planned.
 */
export const planReconciliations = async (deps: PlanDeps): Promise<void> => {
  const planning = deps.reconciled.flatMap(({ provider, passes, lists }) =>
    passes.map((pass) => planPass(deps, { provider, pass, lists })),
  );
  const outcomes = await Promise.allSettled(planning);
  const delays = outcomes.flatMap((pass) => (pass.status === 'fulfilled' ? [pass.value] : []));
  if (delays.length > 0) deps.metrics('reconciliation_behind', Math.max(...delays));
  const failed = outcomes.find((pass) => pass.status === 'rejected');
  if (failed) throw failed.reason;
};
