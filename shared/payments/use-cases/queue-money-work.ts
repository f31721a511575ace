import type { MoneyQueue } from '#shared/payments/ports.ts';
import type { Log } from '#shared/platform/observability/log.ts';

/** Dependencies for queueing money work. */
export interface QueueMoneyDeps {
  readonly moneyQueue: MoneyQueue;
  readonly log: Log;
}

/** Sends due work to a queue. Returns false if the queue did not take the work. Then the work stays due, and the sweeper sends it. */
export const queueMoneyWork = async (
  { moneyQueue, log }: QueueMoneyDeps,
  ...[lane, works]: Parameters<MoneyQueue['send']>
): Promise<boolean> => {
  try {
    await moneyQueue.send(lane, works);
    return true;
  } catch (error) {
    log('work_not_queued', { lane, count: works.length }, error);
    return false;
  }
};
