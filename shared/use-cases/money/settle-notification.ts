import { notice } from '#shared/domain/money/notice.ts';
import { type Notification, nextLookUp } from '#shared/domain/money/notification.ts';
import type { PaymentQuery } from '#shared/domain/money/report.ts';
import { ProviderBusy, requireProvider, StaleReport } from '#shared/domain/providers/errors.ts';
import type { Metrics } from '#shared/observability/metrics.ts';
import type { NotificationStore } from '#shared/ports/money.ts';
import type { LiveProviders } from '#shared/ports/providers.ts';
import { type LandDeps, landMoney } from './land-money.ts';
import { landRefund } from './land-refund.ts';
import { lookUpPayment } from './look-up-payment.ts';

export interface SettleNotificationDeps extends LandDeps {
  readonly notifications: NotificationStore;
  readonly liveProviders: LiveProviders;
  readonly metrics: Metrics;
}

/** Looks up everything that a notification is about. False when the provider does not know some of it yet. */
const lookUpAll = async (
  deps: SettleNotificationDeps,
  { provider: name, raw, query }: Notification,
): Promise<boolean> => {
  const provider = requireProvider(deps.liveProviders(name));
  const { queries, rejected, refunds } = query
    ? notice({ queries: [query] })
    : provider.read(Buffer.from(raw, 'base64'));
  for (const transfer of rejected) await landMoney(deps, name, transfer);
  let settled = true;
  for (const reported of refunds) {
    if (!(await landRefund(deps, name, provider, reported))) settled = false;
  }
  const isRefunded = (asked: PaymentQuery): boolean => refunds.some(({ query: { value } }) => value === asked.value);
  for (const asked of queries.filter((asked) => !isRefunded(asked))) {
    if ((await lookUpPayment(deps, name, provider, asked)) === 'unknown') settled = false;
  }
  return settled;
};

/**
 * Settles a stored notification: lands its rejections and looks up its payments. A failed look-up is repeated at growing intervals for 72
 * hours; repeating is harmless. Never throws: a notification that could not be settled stays due.
 */
export const settleNotification = async (deps: SettleNotificationDeps, notification: Notification): Promise<void> => {
  const { provider } = notification;
  let tries = notification.tries + 1;
  try {
    if (await lookUpAll(deps, notification))
      return await deps.notifications.schedule(notification, notification.tries, null);
  } catch (error) {
    // A busy provider was not asked, so this was no try.
    if (error instanceof ProviderBusy) tries = notification.tries;
    deps.log('look_up_failed', { provider, tries }, error);
    if (!(error instanceof StaleReport || error instanceof ProviderBusy)) deps.metrics('provider_failures', 1);
  }
  try {
    const dueAt = nextLookUp(notification, Math.max(1, tries), deps.now());
    await deps.notifications.schedule(notification, tries, dueAt);
    if (dueAt === null) deps.log('notification_given_up', { provider, hash: notification.hash });
  } catch (error) {
    deps.log('work_failed', { kind: 'notification' }, error);
  }
};
