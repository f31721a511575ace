import {
  afterTry,
  type Notification,
  type TryResult,
  toUnsettledReason,
  type UnsettledReason,
} from '#shared/payments/domain/notification.ts';
import type { NotificationStore, ReconciliationStore } from '#shared/payments/ports.ts';
import { addKobo, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import type { Metrics } from '#shared/platform/observability/metrics.ts';
import { didNothing, ProviderBusy, requireProvider } from '#shared/providers/domain/errors.ts';
import { makeContent } from '#shared/providers/domain/notification-content.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { isReturned, type PaymentQuery, type ReportedMoney, toSingleSource } from '#shared/providers/domain/report.ts';
import type { PaymentOrigin } from '#shared/providers/domain/source.ts';
import type { LiveProvider, LiveProviders } from '#shared/providers/ports.ts';
import { type LandDeps, landMoney } from './land-money.ts';
import { landRefund } from './land-refund.ts';
import { lookUpPayment } from './look-up-payment.ts';
import type { QueueMoneyDeps } from './queue-money-work.ts';
import { settleNotifiedAccount } from './settle-notified-account.ts';

export interface SettleNotificationDeps extends LandDeps, QueueMoneyDeps {
  readonly notifications: Pick<NotificationStore, 'find' | 'replace'>;
  readonly reconciliations: Pick<ReconciliationStore, 'findOutcomes'>;
  readonly liveProviders: LiveProviders;
  readonly metrics: Metrics;
}

/** Returns the origin of the payment of reported money; for a cumulative report, the origin of its first part. */
const toPaymentOrigin = (money: ReportedMoney): PaymentOrigin => {
  if (money.kind !== 'cumulative_report') return toSingleSource(money);
  const reached = addKobo(money.kept, money.leftOut ?? ZERO_KOBO);
  return { kind: 'part', reference: money.payee.reference, reached, falls: 0 };
};

/**
 * Wraps the provider for a look-up that reconciliation caused. If the look-up shows kept money that our books still lack, a metric counts one
 * payment without notification. An alarm watches the metric; nobody can raise it without paying. If the look-up shows an open payment without
 * money, it lags behind the list, which has the payment. Then the answer counts as `unknown`, and the look-up is repeated.
 */
const withLossMetric = (deps: SettleNotificationDeps, name: ProviderName, provider: LiveProvider): LiveProvider => ({
  ...provider,
  lookUp: async (query) => {
    const report = await provider.lookUp(query);
    if (report === 'unknown' || (report.money.length === 0 && report.state === 'open')) return 'unknown';
    const keptMoney = report.money.filter((money) => !isReturned(money));
    const outcomes = await deps.reconciliations.findOutcomes(name, keptMoney.map(toPaymentOrigin));
    if (outcomes.includes(undefined)) deps.metrics('payments_not_notified', 1);
    return report;
  },
});

/** Reads what a notification, or an entry of reconciliation, is about. @throws ProviderUnavailable if the stage has not enabled its provider. */
const readContent = (deps: SettleNotificationDeps, { provider: name, raw, query, isUnnoticed }: Notification) => {
  const provider = requireProvider(deps.liveProviders(name));
  if (!query) return { provider, ...provider.read(Buffer.from(raw, 'base64')) };
  const providerToAsk = isUnnoticed ? withLossMetric(deps, name, provider) : provider;
  return { provider: providerToAsk, ...makeContent({ queries: [query] }) };
};

/**
 * Lands rejections and refunds, settles virtual accounts, and looks payments up, one after the other. After a failure the others are still done,
 * unless the provider takes no calls.
 * @returns why something is left to do; null if nothing is.
 * @throws the first failure.
 */
const settleEach = async (
  deps: SettleNotificationDeps,
  name: Notification['provider'],
  { provider, queries, rejected, refunds, accounts }: ReturnType<typeof readContent>,
  refundId: string | null,
): Promise<UnsettledReason | null> => {
  // Landing a refund already looks its money up.
  const isRefunded = ({ value }: PaymentQuery): boolean => refunds.some(({ query }) => query.value === value);
  const works = [
    ...rejected.map((transfer) => () => landMoney(deps, name, transfer)),
    ...refunds.map(
      ({ query, refund: { id, amount } }) =>
        () =>
          landRefund(deps, name, provider, { query, refund: { id: id ?? refundId, amount } }),
    ),
    ...accounts.map(
      (account) => async () => ((await settleNotifiedAccount(deps, name, provider, account)) ? 'settled' : 'unknown'),
    ),
    ...queries.filter((query) => !isRefunded(query)).map((query) => () => lookUpPayment(deps, name, provider, query)),
  ];
  const failures: unknown[] = [];
  const outcomes = new Set<unknown>();
  for (const work of works) {
    try {
      outcomes.add(await work());
    } catch (error) {
      failures.push(error);
      if (didNothing(error)) break;
    }
  }
  if (failures.length > 0) throw failures[0];
  if (outcomes.has('refund_without_id')) return 'refund_without_id';
  if (outcomes.has('stale')) return 'answer_outdated';
  return outcomes.has('unknown') ? 'provider_knows_nothing' : null;
};

/** Tries to settle a notification. Never throws. */
const tryToSettle = async (
  deps: SettleNotificationDeps,
  notification: Notification,
  refundId: string | null,
): Promise<TryResult> => {
  const { provider, tries } = notification;
  let problem: TryResult['problem'] = null;
  try {
    const read = readContent(deps, notification);
    problem = read.problem;
    return { why: await settleEach(deps, provider, read, refundId), problem, wasAsked: true };
  } catch (error) {
    // A busy provider was not called, so this does not count as a try.
    const wasAsked = !(error instanceof ProviderBusy);
    deps.log('look_up_failed', { provider, tries: tries + (wasAsked ? 1 : 0) }, error);
    if (wasAsked) deps.metrics('provider_failures', 1);
    return { why: toUnsettledReason(error), problem, wasAsked };
  }
};

/**
 * Settles a stored notification: lands its rejections and refunds, settles its virtual accounts, and looks up its payments. A failed look-up is
 * repeated at growing intervals, and daily after 72 hours. Repeating the call is harmless. The notification is stuck, and operators see it, if a
 * try fails 40 minutes or more after it came, or if it needs a person.
 * `refundId`: the id of its refund, if an operator found it; otherwise null.
 * @returns the notification after this try.
 * @throws only if the result could not be written; the notification stays due.
 */
export const settleNotification = async (
  deps: SettleNotificationDeps,
  notification: Notification,
  refundId: string | null = null,
): Promise<Notification> => {
  const { provider, hash } = notification;
  const result = await tryToSettle(deps, notification, refundId);
  const after = afterTry(notification, result, deps.now());
  const isWritten = await deps.notifications.replace(notification, after);
  if (isWritten && notification.stuckSince === null && after.stuckSince !== null)
    deps.log('notification_stuck', { provider, hash, why: after.why });
  return after;
};
