import {
  behindTime,
  type ProviderPasses,
  planLists,
  type ReconciliationId,
} from '#shared/payments/domain/reconciliation.ts';
import type { ReconciliationStore } from '#shared/payments/ports.ts';
import type { Metrics } from '#shared/platform/observability/metrics.ts';
import type { Runtime } from '#shared/platform/ports.ts';

export interface PlanDeps extends Pick<Runtime, 'now'> {
  readonly reconciliations: Pick<ReconciliationStore, 'findLists' | 'save' | 'end'>;
  readonly reconciled: readonly ProviderPasses[];
  readonly metrics: Metrics;
}

/** Plans the lists of a pass, and returns by how many milliseconds the latest of them is behind its time. */
const planPass = async (
  { reconciliations, now }: PlanDeps,
  { provider, pass, lists }: Omit<ReconciliationId, 'list'>,
): Promise<number> => {
  const existing = await reconciliations.findLists(provider, pass);
  const { begun, ended } = planLists({ provider, pass, lists }, existing, now());
  await Promise.all(begun.map((list) => reconciliations.save(undefined, list)));
  // Only now, since the new ones begin where these have come to.
  await Promise.all(ended.map((list) => reconciliations.end(list)));
  return Math.max(0, ...existing.map((list) => behindTime(list, now())));
};

/**
 * Plans those lists of reconciliation that nothing plans, as on a new stage or where a setting asks for another number of them, and measures
 * by how many milliseconds the latest one is behind its time: an alarm watches it. Throws the first failure, after the others are planned.
 */
export const planReconciliations = async (deps: PlanDeps): Promise<void> => {
  const planning = deps.reconciled.flatMap(({ provider, passes, lists }) =>
    passes.map((pass) => planPass(deps, { provider, pass, lists })),
  );
  const outcomes = await Promise.allSettled(planning);
  const behind = outcomes.flatMap((pass) => (pass.status === 'fulfilled' ? [pass.value] : []));
  if (behind.length > 0) deps.metrics('reconciliation_behind', Math.max(...behind));
  const failed = outcomes.find((pass) => pass.status === 'rejected');
  if (failed) throw failed.reason;
};
