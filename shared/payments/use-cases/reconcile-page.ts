import { createHash } from 'node:crypto';
import { countLandings } from '#shared/payments/domain/landed-times.ts';
import {
  type BookedRecords,
  compareListed,
  isNotificationMissing,
  needsLookUp,
} from '#shared/payments/domain/listed-payment.ts';
import { newNotification } from '#shared/payments/domain/notification.ts';
import {
  afterFailedPage,
  afterPage,
  currentSpan,
  listedPart,
  newlyComparedPeriod,
  type Reconciliation,
  type ReconciliationId,
} from '#shared/payments/domain/reconciliation.ts';
import type { NotificationStore, ReconciliationStore } from '#shared/payments/ports.ts';
import type { Metrics } from '#shared/platform/observability/metrics.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { isProviderError } from '#shared/providers/domain/errors.ts';
import type { ListedPayment, PaymentQuery } from '#shared/providers/domain/report.ts';
import type { LiveProvider, LiveProviders, ReportPage } from '#shared/providers/ports.ts';
import { type QueueMoneyDeps, queueMoneyWork } from './queue-money-work.ts';

export interface ReconcileDeps extends QueueMoneyDeps, Pick<Runtime, 'now'> {
  readonly liveProviders: LiveProviders;
  readonly reconciliations: ReconciliationStore;
  readonly notifications: Pick<NotificationStore, 'findEach' | 'save'>;
  readonly metrics: Metrics;
}

/** The group of all work that reconciliation queues, so that a week of look-ups does not delay notifications. */
const GROUP = 'reconciliation';

const hashQuery = ({ by, value }: PaymentQuery): string => createHash('sha256').update(`${by} ${value}`).digest('hex');

/**
 * Queues look-ups of listed payments that our books lack or show differently. Each look-up is stored as a notification without bytes. So if it
 * fails, it is repeated in the same way as the look-up of a notification.
 */
const queueLookUps = async (
  deps: ReconcileDeps,
  { provider, pass }: Reconciliation,
  payments: readonly ListedPayment[],
  booked: readonly BookedRecords[],
): Promise<void> => {
  const compared = payments.flatMap((listed, i) => {
    const books = booked[i] ?? { outcome: undefined, total: undefined };
    const comparison = compareListed(pass, listed, books);
    if (comparison === 'agrees') return [];
    const { query } = listed;
    const entry = {
      provider,
      hash: hashQuery(query),
      raw: '',
      query,
      isUnnoticed: isNotificationMissing(pass, listed, books),
    };
    return [{ ...entry, comparison }];
  });
  // A list may name a payment twice.
  const lookUps = [...new Map(compared.map((entry) => [entry.hash, entry])).values()];
  const last = await deps.notifications.findEach(
    provider,
    lookUps.map(({ hash }) => hash),
  );
  const saving = lookUps.map(async ({ comparison, ...entry }, i) => {
    if (!needsLookUp(comparison, last[i], deps.now())) return [];
    const ticket = await deps.notifications.save(newNotification(entry, deps.now()), last[i]);
    return ticket ? [{ ticket, group: GROUP }] : [];
  });
  const tickets = (await Promise.all(saving)).flat();
  if (tickets.length > 0) await queueMoneyWork(deps, provider, tickets);
};

/** Asks for the next page; empty if the span has no part for this list. @throws the errors of the provider's list. */
const listPage = async (provider: LiveProvider, span: Reconciliation): Promise<ReportPage> => {
  const part = listedPart(span);
  return part ? await provider.listPayments({ ...part, cursor: span.cursor }) : { payments: [], next: null };
};

/**
 * Compares our books with the next page of a provider's list of payments. So a lost notification delays money by minutes only, and a return within a week
 * is noticed. Look-ups are queued, not made here. Progress is saved after each page, and the next page is queued at once, so that a crash repeats only one
 * page.
 * @throws the errors of the provider's list.
 */
export const reconcilePage = async (deps: ReconcileDeps, id: ReconciliationId): Promise<void> => {
  const { provider: name } = id;
  const provider = deps.liveProviders(name);
  const before = await deps.reconciliations.find(id);
  if (!provider || !before || before.dueAt > deps.now()) return;
  const span = currentSpan(before, deps.now(), provider.listedAhead);
  const {
    payments,
    unreadable = 0,
    next,
  } = await listPage(provider, span).catch(async (error: unknown) => {
    if (isProviderError(error)) await deps.reconciliations.save(before, afterFailedPage(before, deps.now()));
    throw error;
  });
  // Unreadable payments cannot be looked up, so they raise the alarm of lost notifications.
  if (unreadable > 0) {
    deps.log('listed_payment_unreadable', { provider: name, count: unreadable });
    deps.metrics('payments_not_notified', unreadable);
  }
  const booked = await deps.reconciliations.findBooked(name, payments);
  await queueLookUps(deps, span, payments, booked);
  const after = afterPage(span, next, deps.now(), provider.listedAhead);
  const counted =
    span.pass === 'recent'
      ? countLandings(booked, newlyComparedPeriod(span, provider.listedAhead), deps.now())
      : undefined;
  const ticket = await deps.reconciliations.save(before, after, counted);
  if (ticket && after.dueAt <= deps.now()) await queueMoneyWork(deps, name, [{ ticket, group: GROUP }]);
};
