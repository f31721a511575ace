import type { DueFamily, HighPriorityFamily, LowPriorityFamily } from '#shared/platform/due-family.ts';
import { inBatches } from '#shared/platform/kernel/batches.ts';
import { type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import type { Log } from '#shared/platform/observability/log.ts';
import type { Metrics } from '#shared/platform/observability/metrics.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { listShards, type Share, WHOLE } from '#shared/sweeps/domain/share.ts';
import type { DueIndex, DueWork } from '#shared/sweeps/ports.ts';

export interface SweepDeps extends Pick<Runtime, 'now'> {
  readonly dueIndex: DueIndex;
  /** The share of this run; absent for the whole. */
  readonly share?: Share;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Does the work of a page. Work that it does not do stays due. */
type WorkOnPage = (page: readonly DueWork[]) => Promise<unknown>;

const PAGE_SIZE = 100;
/** The metrics of the families of high priority, which alarms watch. The age of other families is logged. */
const AGE_METRICS = { deliveries: 'oldest_due', payments: 'oldest_due_payment' } as const;

/** Does works one after the other, and begins none after `end` (milliseconds since the epoch). */
export const forEachUntil = async <T>(
  { now }: Pick<Runtime, 'now'>,
  end: Millis,
  works: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> => {
  for (const item of works) {
    if (now() >= end) return;
    await work(item);
  }
};

type Page = Awaited<ReturnType<DueIndex['due']>>;

/** Does works one after the other. A failure does not stop the others. */
const settleInTurn = async <T>(works: readonly (() => Promise<T>)[]): Promise<PromiseSettledResult<T>[]> => {
  const outcomes: PromiseSettledResult<T>[] = [];
  for (const work of works) outcomes.push(...(await Promise.allSettled([work()])));
  return outcomes;
};

/** Reads the oldest due work of all shards of a family concurrently. Works on the shards concurrently, or one after the other (`inTurn`). */
const sweepShards = async (
  deps: SweepDeps,
  family: DueFamily,
  deadline: Millis,
  { work, inTurn }: { work: WorkOnPage; inTurn: boolean },
) => {
  const startedAt = deps.now();
  let swept = 0;
  let oldest = startedAt;
  const read = (shard: number, after: string | null): Promise<Page> =>
    deps.dueIndex.due(family, shard, startedAt, PAGE_SIZE, after);
  const sweepShard = async (shard: number, first: Page): Promise<void> => {
    let page = first;
    for (;;) {
      if (page.works.length > 0) await work(page.works);
      swept += page.works.length;
      oldest = Math.min(oldest, ...page.works.map(({ dueAt }) => dueAt));
      if (page.next === null || deps.now() >= deadline) return;
      page = await read(shard, page.next);
    }
  };
  const shards = listShards(deps.share ?? WHOLE, deps.dueIndex.shards);
  const firstPages = shards.map((shard) => read(shard, null));
  const sweeps = shards.map((shard, i) => async (): Promise<void> => {
    const page = await firstPages[i];
    if (page && (!inTurn || deps.now() < deadline)) await sweepShard(shard, page);
  });
  // If shards are swept in turn, the error of an unreadable shard is handled only later. Until then it must not become an unhandled
  // rejection.
  if (inTurn) await Promise.allSettled(firstPages);
  const outcomes = inTurn ? await settleInTurn(sweeps) : await Promise.allSettled(sweeps.map((begin) => begin()));
  const age = startedAt - oldest;
  if (swept > 0) deps.log('swept', { family, count: swept, milliseconds: deps.now() - startedAt, oldest: age });
  return { age, failed: outcomes.find((shard) => shard.status === 'rejected') };
};

/**
 * Sweeps due work of high priority once: works on everything that was due when it began, all shards at once, oldest first, until `deadline`
 * (milliseconds since the epoch). Work that it does not reach stays due for the next sweep.
 * @throws the error of the first shard that failed, after the others have finished, because Lambda freezes work that still runs then.
 */
export const sweep = async (
  deps: SweepDeps,
  family: HighPriorityFamily,
  deadline: Millis,
  work: WorkOnPage,
): Promise<void> => {
  const { age, failed } = await sweepShards(deps, family, deadline, { work, inTurn: false });
  deps.metrics(AGE_METRICS[family], age);
  if (failed) throw failed.reason;
};

/** Concurrent works of test mode: as many as the queue takes in one call. */
export const TEST_AT_ONCE = 10;
/** The longest time of one sweep for one family of low priority. Milliseconds. */
export const LOW_PRIORITY_SHARE = 10 * SECOND;

/**
 * Sweeps due work of low priority once, in batches of `atOnce`, within a share of the run's time. Work of high priority never waits for this sweep:
 * the run has done its own high-priority work before, and it ends before the next run begins, a minute later (its timeout is in
 * infra/functions.ts).
 * @throws the error of the first shard that failed, after the others have been swept.
 */
export const sweepLowPriority = async (
  deps: SweepDeps,
  family: LowPriorityFamily,
  deadline: Millis,
  {
    atOnce,
    share = LOW_PRIORITY_SHARE,
    work,
  }: {
    atOnce: number;
    share?: Millis;
    work: (batch: readonly DueWork[], shareEnds: Millis) => Promise<unknown>;
  },
): Promise<void> => {
  const shareEnds = Math.min(deadline, deps.now() + share);
  const { failed } = await sweepShards(deps, family, shareEnds, {
    // Batches are small, because landings and deliveries use the same table meanwhile.
    work: (page) => forEachUntil(deps, shareEnds, inBatches(page, atOnce), (batch) => work(batch, shareEnds)),
    inTurn: true,
  });
  if (failed) throw failed.reason;
};

/** Does the parts of a sweep one after the other, even after a failure. @throws the first error. */
export const runSequentially = async (...parts: readonly (() => Promise<unknown>)[]): Promise<void> => {
  const failed = (await settleInTurn(parts)).find((part) => part.status === 'rejected');
  if (failed) throw failed.reason;
};
