import type { MoneyQueue } from '#shared/payments/ports.ts';
import type { DueTicket } from '#shared/platform/due-ticket.ts';
import type { Log } from '#shared/platform/observability/log.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';

/** What sends money work to its consumer. */
export interface QueueMoneyDeps {
  readonly moneyQueue: MoneyQueue;
  readonly log: Log;
}

/** Sends due work to the queue of its provider. False where the queue did not take it: it is still due, and the sweeper sends it. */
export const queueMoneyWork = async (
  { moneyQueue, log }: QueueMoneyDeps,
  provider: ProviderName,
  tickets: readonly DueTicket[],
): Promise<boolean> => {
  try {
    await moneyQueue.send(provider, tickets);
    return true;
  } catch (error) {
    log('work_not_queued', { provider, count: tickets.length }, error);
    return false;
  }
};
