import type { NotificationStore } from '#shared/payments/ports.ts';
import { type PlanDeps, planReconciliations } from '#shared/payments/use-cases/plan-reconciliations.ts';
import { type QueueMoneyDeps, queueMoneyWork } from '#shared/payments/use-cases/queue-money-work.ts';
import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { type JudgeDeps, judgeProviders } from '#shared/providers/use-cases/judge-providers.ts';
import { WHOLE } from '#shared/sweeps/domain/share.ts';
import type { DueTickets, DueWork } from '#shared/sweeps/ports.ts';
import { runSequentially, type SweepDeps, sweep, sweepLowPriority } from './sweep.ts';

export interface SweepPaymentsDeps extends SweepDeps, QueueMoneyDeps, PlanDeps, JudgeDeps {
  readonly notifications: Pick<NotificationStore, 'countStuck'>;
  readonly dueTickets: Pick<DueTickets, 'address' | 'postpone' | 'giveBack'>;
}

/** Awaits work. A failure is logged, and the work stays due. */
const logFailure = async ({ log }: SweepPaymentsDeps, kind: string, work: Promise<unknown>): Promise<void> => {
  try {
    await work;
  } catch (error) {
    log('work_failed', { kind }, error);
  }
};

/**
 * Milliseconds for which work is not due after its ticket was sent. A ticket waits less in its queue, except in a backlog. In a backlog the
 * work may be sent again.
 */
const SENT_FOR = 5 * MINUTE;

/**
 * Sends due work to the queues of its providers. If a queue does not take the work, the work gets its old due time back. Then alarms see that it is
 * overdue.
 */
const queueDue = async (deps: SweepPaymentsDeps, works: readonly DueWork[]): Promise<void> => {
  const until = deps.now() + SENT_FOR;
  const postponing = (await deps.dueTickets.address(works)).map(async (due) => {
    const ticket = await deps.dueTickets.postpone(due.ticket, until).catch((error: unknown) => {
      deps.log('work_failed', { kind: due.kind }, error);
      return undefined;
    });
    return ticket ? [{ ...due, ticket, before: due.ticket }] : [];
  });
  const byLane = Map.groupBy((await Promise.all(postponing)).flat(), ({ lane }) => lane);
  await Promise.all(
    [...byLane].map(async ([lane, postponed]) => {
      if (await queueMoneyWork(deps, lane, postponed)) return;
      const givingBack = postponed.map(({ before }) => deps.dueTickets.giveBack(before, until));
      await logFailure(deps, 'ticket', Promise.all(givingBack));
    }),
  );
};

/** Maximum number of stuck notifications that are counted. Long before, an alarm calls people. */
const MAX_STUCK = 1_000;

/** Measures how many notifications are stuck, if any are. An alarm watches the number. */
const measureStuck = async ({ notifications, metrics }: SweepPaymentsDeps): Promise<void> => {
  const stuck = await notifications.countStuck(MAX_STUCK);
  if (stuck > 0) metrics('notifications_stuck', stuck);
};

/**
 * Judges the health of the providers. Several runs may begin together, each for its share of the shards; only the run with the first share
 * judges.
 */
const judgeOnce = async (deps: SweepPaymentsDeps): Promise<void> => {
  if ((deps.share ?? WHOLE).part === 0) await logFailure(deps, 'health', judgeProviders(deps));
};

/** Number of works of low priority that are sent at the same time. */
const AT_ONCE = 25;

/**
 * Sends due money work until `deadline` (milliseconds since the epoch): live work to its provider's queue, work of test mode to the queue of
 * test mode. Live money comes first, then reviews, then test mode.
 */
export const sweepPayments = async (deps: SweepPaymentsDeps, deadline: Millis): Promise<void> => {
  const work = (works: readonly DueWork[]) => queueDue(deps, works);
  await runSequentially(
    () => logFailure(deps, 'reconciliation', planReconciliations(deps)),
    () => sweep(deps, 'payments', deadline, work),
    () => logFailure(deps, 'notification', measureStuck(deps)),
    () => judgeOnce(deps),
    () => sweepLowPriority(deps, 'reviews', deadline, { atOnce: AT_ONCE, work }),
    () => sweepLowPriority(deps, 'test_payments', deadline, { atOnce: AT_ONCE, work }),
  );
};
