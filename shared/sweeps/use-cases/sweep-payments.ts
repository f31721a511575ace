import { lookUpCheckout } from '#shared/checkouts/use-cases/look-up-checkout.ts';
import { type SettleOpeningDeps, settleOpeningCheckout } from '#shared/checkouts/use-cases/settle-opening-checkout.ts';
import { reconciliationPass } from '#shared/payments/domain/reconciliation.ts';
import { isLastTry, restartMatching, type UnmatchedPayment } from '#shared/payments/domain/unmatched-payment.ts';
import { matchAgain } from '#shared/payments/use-cases/match-waiting.ts';
import { type QueueMoneyDeps, queueMoneyWork } from '#shared/payments/use-cases/queue-money-work.ts';
import { type ReconcileDeps, reconcileProvider } from '#shared/payments/use-cases/reconcile-provider.ts';
import { type ReviewDeps, reviewPayment } from '#shared/payments/use-cases/review-payment.ts';
import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { referenceOfAttempt } from '#shared/providers/domain/attempt-reference.ts';
import { didNothing, isProviderFailure, ProviderRefusal } from '#shared/providers/domain/errors.ts';
import { providerName } from '#shared/providers/domain/provider.ts';
import { isReturned } from '#shared/providers/domain/report.ts';
import type { DueTickets, DueWork } from '#shared/sweeps/ports.ts';
import { type SettleDeps, settleVirtualAccount } from '#shared/virtual-accounts/use-cases/settle-virtual-account.ts';
import { oneAfterAnother, type SweepDeps, sweep, sweepLowPriority, TEST_AT_ONCE } from './sweep.ts';

export interface SweepPaymentsDeps
  extends SweepDeps,
    QueueMoneyDeps,
    ReconcileDeps,
    SettleDeps,
    ReviewDeps,
    SettleOpeningDeps {
  readonly dueTickets: Pick<DueTickets, 'postpone' | 'giveBack'>;
}

type Work<K extends DueWork['kind']> = Extract<DueWork, { kind: K }>;

const isNotification = (work: DueWork): work is Work<'notification'> => work.kind === 'notification';

const checkoutDue = async (deps: SweepPaymentsDeps, { reference }: Work<'checkout'>): Promise<void> => {
  const tenant = await deps.ledger.tenantOf({ kind: 'checkout', reference });
  if (!tenant) return;
  if (!(await settleOpeningCheckout(deps, reference))) await lookUpCheckout(deps, tenant, reference);
};

const accountDue = async (deps: SweepPaymentsDeps, { id }: Work<'virtual_account'>): Promise<void> => {
  const tenant = await deps.ledger.tenantOf({ kind: 'virtual_account', id });
  if (tenant) await settleVirtualAccount(deps, tenant, id);
};

/** Longer than a message waits in a queue, except in a backlog. Work that was sent and is not done by then is sent once more. Milliseconds. */
const SENT_FOR = 5 * MINUTE;

/** Sends due notifications to the queues of their providers. Those that a queue does not take are overdue still, so that alarms see them. */
const queueDue = async (deps: SweepPaymentsDeps, works: readonly Work<'notification'>[]): Promise<void> => {
  const until = deps.now() + SENT_FOR;
  const postponing = works.map(async ({ provider, ticket }) => {
    const sent = await deps.dueTickets.postpone(ticket, until).catch((error: unknown) => {
      deps.log('work_failed', { kind: 'notification' }, error);
      return undefined;
    });
    return sent ? [{ provider, ticket, sent }] : [];
  });
  const byProvider = Map.groupBy((await Promise.all(postponing)).flat(), ({ provider }) => provider);
  await Promise.all(
    [...byProvider].map(async ([provider, postponed]) => {
      const tickets = postponed.map(({ sent }) => sent);
      if (await queueMoneyWork(deps, provider, tickets)) return;
      await attempt(
        deps,
        'notification',
        Promise.all(postponed.map(({ ticket }) => deps.dueTickets.giveBack(ticket, until))),
      );
    }),
  );
};

/**
 * Whether returned money is for a checkout that is still being opened, and so may have an owner soon. Other money needs no waiting: what
 * the provider keeps stays on the operators' list, and a running total is reported again by the checkout's own look-up.
 */
const isAwaited = async ({ checkoutIntents }: SweepPaymentsDeps, { money }: UnmatchedPayment): Promise<boolean> => {
  if (money.kind === 'running_total' || !isReturned(money) || money.payee.by !== 'our_reference') return false;
  return (await checkoutIntents.find(referenceOfAttempt(money.payee.reference)))?.kind === 'opening';
};

/**
 * Matches money again. After the last try it waits for an operator, or for its account to be opened. A provider that was not asked, or
 * whose answer may be stale, does not count as a try. Throws what the look-up throws.
 */
const unmatchedDue = async (deps: SweepPaymentsDeps, { at }: Work<'unmatched'>): Promise<void> => {
  const found = await deps.unmatched.findDue(at);
  if (!found) return;
  // Read before matching: a checkout that opens in between is found by the next try.
  const isStillAwaited = isLastTry(found) && (await isAwaited(deps, found));
  const [outcome] = await Promise.allSettled([matchAgain(deps, found)]);
  if (outcome.status === 'rejected' && didNothing(outcome.reason)) throw outcome.reason;
  if (outcome.status === 'fulfilled' && outcome.value === 'stale') return;
  const still = await deps.unmatched.findDue(at);
  if (still && isStillAwaited) await deps.unmatched.save(restartMatching(still, deps.now()), still);
  else if (still && (await deps.unmatched.countTry(still))) {
    if (isLastTry(still) && !isReturned(still.money)) deps.metrics('payments_unmatched', 1);
  }
  if (outcome.status === 'rejected') throw outcome.reason;
};

const doDue = async (deps: SweepPaymentsDeps, work: DueWork): Promise<void> => {
  if (work.kind === 'checkout') return checkoutDue(deps, work);
  if (work.kind === 'virtual_account') return accountDue(deps, work);
  if (work.kind === 'unmatched') return unmatchedDue(deps, work);
  if (work.kind === 'review') return reviewPayment(deps, work.at);
};

/** Awaits work. A failure is logged and leaves it due; where the provider did not answer or refused, it is counted as the provider's. */
const attempt = async (deps: SweepPaymentsDeps, kind: string, work: Promise<unknown>): Promise<void> => {
  try {
    await work;
  } catch (error) {
    if (isProviderFailure(error) || error instanceof ProviderRefusal) deps.metrics('provider_failures', 1);
    deps.log('work_failed', { kind }, error);
  }
};

/** More than this are no fewer: an alarm has gone off. */
const MOST_STUCK = 1_000;

/** Measures how many notifications are stuck, while there are any: an alarm watches it. */
const measureStuck = async ({ notifications, metrics }: SweepPaymentsDeps): Promise<void> => {
  const stuck = await notifications.countStuck(MOST_STUCK);
  if (stuck > 0) metrics('notifications_stuck', stuck);
};

/** Concurrent look-ups of reviews: few, so that the provider still answers those that land money. */
const REVIEWS_AT_ONCE = 2;

/**
 * Does what is due for money until `deadline` (milliseconds since the epoch): expiries, look-ups, unknown outcomes, unmatched money and
 * reconciliations; then reviews; then what is due in test mode.
 */
export const sweepPayments = async (deps: SweepPaymentsDeps, deadline: Millis): Promise<void> => {
  const doAll = (works: readonly DueWork[]) =>
    Promise.all([
      queueDue(deps, works.filter(isNotification)),
      ...works.map((work) => attempt(deps, work.kind, doDue(deps, work))),
    ]);
  const reconciliations = () =>
    providerName.options.flatMap((name) =>
      reconciliationPass.options.map((pass) =>
        attempt(deps, 'reconciliation', reconcileProvider(deps, name, pass, deadline)),
      ),
    );
  await oneAfterAnother(
    () => Promise.all([sweep(deps, 'payments', deadline, doAll), ...reconciliations()]),
    () => attempt(deps, 'notification', measureStuck(deps)),
    () => sweepLowPriority(deps, 'reviews', deadline, { atOnce: REVIEWS_AT_ONCE, work: doAll }),
    () => sweepLowPriority(deps, 'test_payments', deadline, { atOnce: TEST_AT_ONCE, work: doAll }),
  );
};
