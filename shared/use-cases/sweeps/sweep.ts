import type { Millis } from '#shared/domain/kernel/time.ts';
import type { Log } from '#shared/observability/log.ts';
import type { Metrics } from '#shared/observability/metrics.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { DueFamily, DueIndex, DueWork } from '#shared/ports/sweeps.ts';

export interface SweepDeps extends Pick<Runtime, 'now'> {
  readonly dueIndex: DueIndex;
  readonly log: Log;
  readonly metrics: Metrics;
}

const PAGE_SIZE = 100;

/**
 * One sweep of a family of the due-work index (architecture.md section 5): works on everything that was due when it began, all shards
 * at once, oldest first, until `deadline` (milliseconds since the epoch). What it does not reach stays due for the next sweep.
 * @throws the error of the first shard that failed, after the others have finished: Lambda freezes what still runs then.
 */
export const sweep = async (
  deps: SweepDeps,
  family: DueFamily,
  deadline: Millis,
  work: (page: readonly DueWork[]) => Promise<unknown>,
): Promise<void> => {
  const startedAt = deps.now();
  let swept = 0;
  let oldest = startedAt;
  const sweepShard = async (shard: number): Promise<void> => {
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<DueIndex['due']>> = await deps.dueIndex.due(
        family,
        shard,
        startedAt,
        PAGE_SIZE,
        after,
      );
      after = page.next;
      await work(page.works);
      swept += page.works.length;
      oldest = Math.min(oldest, ...page.works.map(({ dueAt }) => dueAt));
    } while (after !== null && deps.now() < deadline);
  };
  const shards = await Promise.allSettled(
    Array.from({ length: deps.dueIndex.shards }, (_, shard) => sweepShard(shard)),
  );
  deps.metrics(family === 'deliveries' ? 'oldest_due' : 'oldest_due_payment', startedAt - oldest);
  if (swept > 0) deps.log('swept', { family, count: swept, milliseconds: deps.now() - startedAt });
  const failed = shards.find((shard) => shard.status === 'rejected');
  if (failed) throw failed.reason;
};
