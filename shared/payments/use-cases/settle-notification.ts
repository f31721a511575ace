import {
  afterTry,
  type Notification,
  reasonOf,
  type Tried,
  type UnsettledReason,
} from '#shared/payments/domain/notification.ts';
import type { NotificationStore } from '#shared/payments/ports.ts';
import type { Metrics } from '#shared/platform/observability/metrics.ts';
import { didNothing, ProviderBusy, requireProvider } from '#shared/providers/domain/errors.ts';
import { notice } from '#shared/providers/domain/notice.ts';
import type { PaymentQuery } from '#shared/providers/domain/report.ts';
import type { LiveProviders } from '#shared/providers/ports.ts';
import { type LandDeps, landMoney } from './land-money.ts';
import { landRefund } from './land-refund.ts';
import { lookUpPayment } from './look-up-payment.ts';
import type { QueueMoneyDeps } from './queue-money-work.ts';
import { settleNotifiedAccount } from './settle-notified-account.ts';

export interface SettleNotificationDeps extends LandDeps, QueueMoneyDeps {
  readonly notifications: NotificationStore;
  readonly liveProviders: LiveProviders;
  readonly metrics: Metrics;
}

/** What a notification is about; a query of reconciliation is about its payment. Throws ProviderUnavailable where the stage has not enabled its provider. */
const readNotice = (deps: SettleNotificationDeps, { provider: name, raw, query }: Notification) => {
  const provider = requireProvider(deps.liveProviders(name));
  return { provider, ...(query ? notice({ queries: [query] }) : provider.read(Buffer.from(raw, 'base64'))) };
};

/**
 * Lands rejections and looks payments up, one after the other. A failed one keeps no other from being done, unless the provider takes no
 * calls. Returns why something is left to do, null when nothing is. Throws the first failure.
 */
const settleEach = async (
  deps: SettleNotificationDeps,
  name: Notification['provider'],
  { provider, queries, rejected, refunds, accounts }: ReturnType<typeof readNotice>,
  refundId: string | null,
): Promise<UnsettledReason | null> => {
  // Landing a refund looks its money up.
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

/** Tries to settle a notification. Throws nothing. */
const tryToSettle = async (
  deps: SettleNotificationDeps,
  notification: Notification,
  refundId: string | null,
): Promise<Tried> => {
  const { provider, tries } = notification;
  let problem: Tried['problem'] = null;
  try {
    const read = readNotice(deps, notification);
    problem = read.problem;
    return { why: await settleEach(deps, provider, read, refundId), problem, counts: true };
  } catch (error) {
    // A busy provider was not asked, so this was no try.
    const counts = !(error instanceof ProviderBusy);
    deps.log('look_up_failed', { provider, tries: tries + (counts ? 1 : 0) }, error);
    if (counts) deps.metrics('provider_failures', 1);
    return { why: reasonOf(error), problem, counts };
  }
};

/**
 * Settles a stored notification: lands its rejections and looks up its payments. A failed look-up is repeated at growing intervals, from 72
 * hours on daily; repeating is harmless. One that is not settled within the hour, or needs a person, is stuck: operators see it.
 * `refundId`: the id of its refund where it has none itself and an operator found it.
 * @returns the notification after this try, which stays due where that could not be written. Never throws.
 */
export const settleNotification = async (
  deps: SettleNotificationDeps,
  notification: Notification,
  refundId: string | null = null,
): Promise<Notification> => {
  const { provider, hash } = notification;
  const tried = await tryToSettle(deps, notification, refundId);
  const after = afterTry(notification, tried, deps.now());
  try {
    if (!(await deps.notifications.replace(notification, after))) return after;
    if (notification.stuckSince === null && after.stuckSince !== null)
      deps.log('notification_stuck', { provider, hash, why: after.why });
  } catch (error) {
    deps.log('work_failed', { kind: 'notification' }, error);
  }
  return after;
};
