import { createHash } from 'node:crypto';
import { newNotification, reasonOf, type UnsettledReason } from '#shared/payments/domain/notification.ts';
import {
  currentSpan,
  firstReconciliation,
  isCurrent,
  pageCompared,
  partCompared,
  type Reconciliation,
  type ReconciliationPass,
} from '#shared/payments/domain/reconciliation.ts';
import type { BookedOutcome, NotificationStore, ReconciliationStore } from '#shared/payments/ports.ts';
import { UnreadableItem } from '#shared/platform/kernel/errors.ts';
import { addKobo, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import type { Metrics } from '#shared/platform/observability/metrics.ts';
import { didNothing } from '#shared/providers/domain/errors.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { isReturned, type PaymentQuery, type ReportedMoney, singleSourceOf } from '#shared/providers/domain/report.ts';
import type { PaymentOrigin } from '#shared/providers/domain/source.ts';
import type { LiveProvider, LiveProviders, ReportPage } from '#shared/providers/ports.ts';
import type { LandDeps } from './land-money.ts';
import { lookUpPayment } from './look-up-payment.ts';

export interface ReconcileDeps extends LandDeps {
  readonly liveProviders: LiveProviders;
  readonly reconciliations: ReconciliationStore;
  readonly notifications: NotificationStore;
  readonly metrics: Metrics;
}

type Listed = ReportPage['payments'];

/** Concurrent look-ups: as many as the provider's guard admits (shared/providers/common/guard.ts). */
const MAX_CONCURRENT = 8;

/** Whether our books may differ from how the provider lists a payment. Unmatched money is looked up again, as its owner may be known by now. */
const needsLookUp = (
  pass: ReconciliationPass,
  { isReturned }: Listed[number],
  outcome: BookedOutcome | undefined,
): boolean => {
  // It is recorded, by a newer release. The next pass of the week compares it, once it can be read.
  if (outcome === 'unreadable') return false;
  // A list does not show how much of it is kept, and the rest may have been returned since.
  if (outcome === 'partly_reversed') return true;
  if (outcome === undefined || outcome === 'unmatched') return pass === 'recent' || isReturned;
  return (outcome === 'accepted') === isReturned;
};

/** Stores a failed look-up like a notification, so that the sweeper repeats it. One that is stuck stays so. */
const scheduleLookUp = async (
  deps: ReconcileDeps,
  provider: ProviderName,
  query: PaymentQuery,
  why: UnsettledReason,
): Promise<void> => {
  const hash = createHash('sha256').update(`${query.by} ${query.value}`).digest('hex');
  try {
    const before = await deps.notifications.find({ provider, hash });
    if (before?.dueAt != null) return;
    const fresh = { ...newNotification({ provider, hash, raw: '', query }, deps.now()), why };
    if (before) await deps.notifications.replace(before, { ...fresh, stuckSince: before.stuckSince });
    else await deps.notifications.save(fresh);
  } catch (error) {
    // It is stored, by a newer release, and counted as unreadable: the others are looked up.
    if (!(error instanceof UnreadableItem)) throw error;
  }
};

/** Looks a payment up. One that cannot be read, or not yet, is scheduled again and does not hold up the others. Throws ProviderUnavailable, ProviderBusy. */
const lookUp = async (
  deps: ReconcileDeps,
  name: ProviderName,
  provider: Pick<LiveProvider, 'lookUp'>,
  query: PaymentQuery,
): Promise<void> => {
  let why: UnsettledReason = 'provider_knows_nothing';
  try {
    // A provider may list a payment before its look-up knows it.
    const report = await lookUpPayment(deps, name, provider, query);
    if (typeof report === 'object') return;
    if (report === 'stale') why = 'answer_outdated';
  } catch (error) {
    if (didNothing(error)) throw error;
    deps.log('look_up_failed', { provider: name }, error);
    deps.metrics('provider_failures', 1);
    why = reasonOf(error);
  }
  await scheduleLookUp(deps, name, query, why);
};

/** What reported money is recorded under; of a running total, its first part. */
const originOf = (money: ReportedMoney): PaymentOrigin => {
  if (money.kind !== 'running_total') return singleSourceOf(money);
  const reached = addKobo(money.kept, money.leftOut ?? ZERO_KOBO);
  return { kind: 'part', reference: money.payee.reference, reached, falls: 0 };
};

/** The provider, whose look-up counts a payment as not notified that our books lack, where its row does not say which payment it is. */
const countingUnnoticed = (
  deps: ReconcileDeps,
  name: ProviderName,
  provider: LiveProvider,
): Pick<LiveProvider, 'lookUp'> => ({
  lookUp: async (query) => {
    const report = await provider.lookUp(query);
    const kept = report === 'unknown' ? [] : report.money.filter((money) => !isReturned(money));
    const outcomes = await deps.reconciliations.outcomes(name, kept.map(originOf));
    if (report === 'unknown' || outcomes.includes(undefined)) deps.metrics('payments_not_notified', 1);
    return report;
  },
});

/** Looks up those listed payments that our books lack or show otherwise. */
const compare = async (
  deps: ReconcileDeps,
  { provider: name, pass }: Reconciliation,
  provider: LiveProvider,
  payments: Listed,
): Promise<void> => {
  const listed = payments.flatMap(({ origin }) => origin ?? []);
  const outcomes = await deps.reconciliations.outcomes(name, listed);
  const outcomeOf = ({ origin }: Listed[number]) => (origin ? outcomes[listed.indexOf(origin)] : undefined);
  const differing = payments.filter((payment) => needsLookUp(pass, payment, outcomeOf(payment)));
  // Alarms count lost notifications by this, not by refused ones: nobody can cause it without paying.
  const isUnnoticed = (payment: Listed[number]): boolean => outcomeOf(payment) === undefined && !payment.isReturned;
  const unnoticed = differing.filter((payment) => payment.origin && isUnnoticed(payment)).length;
  if (pass === 'recent' && unnoticed > 0) deps.metrics('payments_not_notified', unnoticed);
  const counting = countingUnnoticed(deps, name, provider);
  const asked = (payment: Listed[number]) =>
    pass === 'recent' && !payment.origin && isUnnoticed(payment) ? counting : provider;
  await Promise.all(differing.map((payment) => lookUp(deps, name, asked(payment), payment.query)));
};

/**
 * Compares our books with a provider's list of payments, so that a lost notification delays money by minutes only, and a return within a
 * week is noticed (architecture.md section 4). Progress is saved after every few payments, so that a crash, a failure or the `deadline`
 * (milliseconds since the epoch) repeats only those.
 * @throws what the provider's calls throw.
 */
export const reconcileProvider = async (
  deps: ReconcileDeps,
  name: ProviderName,
  pass: ReconciliationPass,
  deadline: Millis,
): Promise<void> => {
  const provider = deps.liveProviders(name);
  if (!provider) return;
  let before = await deps.reconciliations.find(name, pass);
  while (deps.now() < deadline) {
    if (before && isCurrent(before, deps.now())) return;
    let span = currentSpan(before ?? firstReconciliation(name, pass, deps.now()), deps.now());
    const { payments, unreadable = 0, next } = await provider.listPayments(span);
    // They cannot be looked up, so the alarm of lost notifications calls a person.
    if (unreadable > 0) {
      deps.log('listed_payment_unreadable', { provider: name, count: unreadable });
      deps.metrics('payments_not_notified', unreadable);
    }
    while (span.done < payments.length) {
      if (deps.now() >= deadline) return;
      const page = payments.slice(span.done, span.done + MAX_CONCURRENT);
      await compare(deps, span, provider, page);
      const compared = partCompared(span, page.length);
      if (!(await deps.reconciliations.save(before, compared))) return;
      before = compared;
      span = compared;
    }
    const after = pageCompared(span, next, deps.now());
    if (!(await deps.reconciliations.save(before, after))) return;
    before = after;
  }
};
