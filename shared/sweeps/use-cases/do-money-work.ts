import { type CheckSentReportDeps, checkSentReport } from '#shared/checkouts/use-cases/check-sent-report.ts';
import { type LookUpCheckoutDeps, lookUpCheckout } from '#shared/checkouts/use-cases/look-up-checkout.ts';
import { type SettleOpeningDeps, settleOpeningCheckout } from '#shared/checkouts/use-cases/settle-opening-checkout.ts';
import { isLastTry, restartMatching, type UnmatchedPayment } from '#shared/payments/domain/unmatched-payment.ts';
import type { NotificationStore, ReconciliationStore } from '#shared/payments/ports.ts';
import { matchAgain } from '#shared/payments/use-cases/match-again.ts';
import { type ReconcileDeps, reconcilePage } from '#shared/payments/use-cases/reconcile-page.ts';
import { type ReviewDeps, reviewPayment } from '#shared/payments/use-cases/review-payment.ts';
import { settleNotification } from '#shared/payments/use-cases/settle-notification.ts';
import type { DueTicket } from '#shared/platform/due-ticket.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';
import { toCheckoutReference } from '#shared/providers/domain/attempt-reference.ts';
import { didNothing, isProviderError, isProviderFailure, ProviderError } from '#shared/providers/domain/errors.ts';
import { isReturned } from '#shared/providers/domain/report.ts';
import type { DueTickets, DueWork } from '#shared/sweeps/ports.ts';
import { type SettleDeps, settleVirtualAccount } from '#shared/virtual-accounts/use-cases/settle-virtual-account.ts';

export interface DoMoneyWorkDeps
  extends LookUpCheckoutDeps,
    SettleDeps,
    ReviewDeps,
    SettleOpeningDeps,
    ReconcileDeps,
    CheckSentReportDeps {
  readonly dueTickets: Pick<DueTickets, 'take'>;
  readonly notifications: NotificationStore;
  readonly reconciliations: ReconciliationStore;
}

/**
 * The lease of money work. It is longer than the consumer may run (infra/functions.ts), so that no other consumer begins the same work meanwhile.
 * Milliseconds.
 */
export const MONEY_LEASE = 55 * SECOND;

type Work<K extends DueWork['kind']> = Extract<DueWork, { kind: K }>;

const doCheckoutWork = async (deps: DoMoneyWorkDeps, { reference }: Work<'checkout'>): Promise<void> => {
  const tenant = await deps.ledger.findTenant({ kind: 'checkout', reference });
  if (!tenant) return;
  if (!(await settleOpeningCheckout(deps, reference))) await lookUpCheckout(deps, tenant, reference);
};

const doAccountWork = async (deps: DoMoneyWorkDeps, { id }: Work<'virtual_account'>): Promise<void> => {
  const tenant = await deps.ledger.findTenant({ kind: 'virtual_account', id });
  if (tenant) await settleVirtualAccount(deps, tenant, id);
};

const doNotificationWork = async (deps: DoMoneyWorkDeps, work: Work<'notification'>): Promise<void> => {
  const notification = await deps.notifications.find(work);
  if (notification?.dueAt != null) await settleNotification(deps, notification);
};

/**
 * Whether returned money is for a checkout that is still being opened, and so may have an owner soon. Other money need not wait. If the provider
 * keeps it, it stays on the operators' list. If it is a cumulative report, the look-up of the checkout reports it again.
 */
const isAwaited = async ({ checkoutIntents }: DoMoneyWorkDeps, { money }: UnmatchedPayment): Promise<boolean> => {
  if (money.kind === 'cumulative_report' || !isReturned(money) || money.payee.by !== 'our_reference') return false;
  return (await checkoutIntents.find(toCheckoutReference(money.payee.reference)))?.kind === 'opening';
};

/**
 * Matches money again, and counts the try. After the last try the money waits for an operator, or for its account to be opened. But if the money
 * was still awaited right before the last try (isAwaited), matching starts again. No try is counted in each of these cases:
 * - The look-up failed because the provider was unavailable or busy.
 * - The provider's answer may be stale.
 * - The failure is ours.
 * @throws any error of the look-up.
 */
const doUnmatchedWork = async (deps: DoMoneyWorkDeps, { at }: Work<'unmatched'>): Promise<void> => {
  const payment = await deps.unmatched.findDue(at);
  if (!payment) return;
  // This is read before the match. If the checkout opens in between, the match may miss it. Then matching starts again, and the next try finds it.
  const isStillAwaited = isLastTry(payment) && (await isAwaited(deps, payment));
  const [outcome] = await Promise.allSettled([matchAgain(deps, payment)]);
  const isTried = outcome.status === 'fulfilled' || (isProviderError(outcome.reason) && !didNothing(outcome.reason));
  if (!isTried) throw outcome.reason;
  if (outcome.status === 'fulfilled' && outcome.value === 'stale') return;
  const current = await deps.unmatched.findDue(at);
  if (current && isStillAwaited) await deps.unmatched.save(restartMatching(current, deps.now()), current);
  else if (current && (await deps.unmatched.countTry(current))) {
    if (isLastTry(current) && !isReturned(current.money)) deps.metrics('payments_unmatched', 1);
  }
  if (outcome.status === 'rejected') throw outcome.reason;
};

const doWork = async (deps: DoMoneyWorkDeps, work: DueWork): Promise<void> => {
  if (work.kind === 'checkout') return doCheckoutWork(deps, work);
  if (work.kind === 'virtual_account') return doAccountWork(deps, work);
  if (work.kind === 'notification') return doNotificationWork(deps, work);
  if (work.kind === 'unmatched') return doUnmatchedWork(deps, work);
  if (work.kind === 'reconciliation') return reconcilePage(deps, work);
  if (work.kind === 'sent_report') return checkSentReport(deps, work);
  if (work.kind === 'review') return reviewPayment(deps, work.at);
};

/**
 * Does the due work that a ticket names, unless it is done, or another consumer has it. If the provider does not answer, or rejects the
 * call, the work stays due and comes back by the due-work index: a queue would give it up after a few receives, but a provider may be away
 * for hours.
 * @throws a failure of ours, so that the queue delivers the ticket again. A ticket that fails each time becomes a dead letter, and an alarm
 * calls people.
 */
export const doMoneyWork = async (deps: DoMoneyWorkDeps, ticket: DueTicket): Promise<void> => {
  const work = await deps.dueTickets.take(ticket, deps.now(), deps.now() + MONEY_LEASE);
  if (!work) return;
  try {
    await doWork(deps, work);
  } catch (error) {
    if (isProviderFailure(error) || error instanceof ProviderError) deps.metrics('provider_failures', 1);
    deps.log('work_failed', { kind: work.kind }, error);
    if (!isProviderError(error)) throw error;
  }
};
