import { type SettleNotificationDeps, settleNotification } from '#shared/payments/use-cases/settle-notification.ts';
import type { DueTicket } from '#shared/platform/due-ticket.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';
import type { DueTickets, DueWork } from '#shared/sweeps/ports.ts';

export interface DoMoneyWorkDeps extends SettleNotificationDeps {
  readonly dueTickets: DueTickets;
}

/** Longer than the consumer may take (infra/functions.ts), so that nobody else begins before it has ended. Milliseconds. */
export const MONEY_LEASE = 40 * SECOND;

const notificationDue = async (
  deps: SettleNotificationDeps,
  work: Extract<DueWork, { kind: 'notification' }>,
): Promise<void> => {
  const found = await deps.notifications.find(work);
  if (found?.dueAt != null) await settleNotification(deps, found);
};

/**
 * Does the due work that a ticket names, unless it is done, or somebody else is at it. Throws nothing: what fails stays due, and comes back
 * by the due-work index. The queue would give it up after a few receives, as while a provider is away.
 */
export const doMoneyWork = async (deps: DoMoneyWorkDeps, ticket: DueTicket): Promise<void> => {
  try {
    const work = await deps.dueTickets.take(ticket, deps.now(), deps.now() + MONEY_LEASE);
    if (work?.kind === 'notification') await notificationDue(deps, work);
  } catch (error) {
    deps.log('work_failed', { kind: ticket.sk }, error);
  }
};
