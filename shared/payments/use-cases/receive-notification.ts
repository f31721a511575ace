import { createHash } from 'node:crypto';
import { newNotification } from '#shared/payments/domain/notification.ts';
import type { NotificationStore } from '#shared/payments/ports.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import type { Metrics } from '#shared/platform/observability/metrics.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { LiveProvider } from '#shared/providers/ports.ts';
import { type QueueMoneyDeps, queueMoneyWork } from './queue-money-work.ts';

/** A notification as it was received. Header names are in lower case. */
export interface IncomingNotification {
  readonly provider: ProviderName;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly raw: Buffer;
}

export interface ReceiveDeps extends QueueMoneyDeps, Pick<Runtime, 'now'> {
  readonly notifications: Pick<NotificationStore, 'save'>;
  readonly liveProviders: (name: ProviderName) => Pick<LiveProvider, 'authenticate' | 'signedPart'> | undefined;
  readonly metrics: Metrics;
}

/**
 * Receives a provider's notification about money, and checks its signature. The raw bytes are stored with a due time, and a ticket is
 * queued for a consumer, which asks the provider about the money. Only then the provider gets its 200, even if the queue did not take the
 * ticket. Notifications with the same signed part are one notification, even if their unsigned bytes differ.
 * @throws the API errors not_found (the stage has not enabled the provider) and invalid_signature.
 */
export const receiveNotification = async (
  deps: ReceiveDeps,
  { provider: name, headers, raw }: IncomingNotification,
): Promise<void> => {
  const provider = deps.liveProviders(name);
  if (!provider) throw new ApiError('not_found');
  if (!(await provider.authenticate(headers, raw))) {
    deps.metrics('notifications_refused', 1);
    throw new ApiError('invalid_signature');
  }
  const hash = createHash('sha256').update(provider.signedPart(raw)).digest('hex');
  const notification = newNotification({ provider: name, hash, raw: raw.toString('base64'), query: null }, deps.now());
  const ticket = await deps.notifications.save(notification);
  // The business of the notification is not known yet, so the notification gets its own group.
  if (ticket) await queueMoneyWork(deps, name, [{ ticket, group: hash }]);
};
