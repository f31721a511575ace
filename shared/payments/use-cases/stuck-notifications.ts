import type { BusinessStore } from '#shared/businesses/ports.ts';
import { dismiss, type Notification } from '#shared/payments/domain/notification.ts';
import type { StuckNotifications } from '#shared/payments/ports.ts';
import { NotPossible } from '#shared/platform/kernel/not-possible.ts';
import { providerName } from '#shared/providers/domain/provider.ts';
import { type SettleNotificationDeps, settleNotification } from './settle-notification.ts';

export interface StuckNotificationDeps extends SettleNotificationDeps {
  readonly notifications: StuckNotifications;
  readonly businesses: Pick<BusinessStore, 'recordChange'>;
}

/** What an operator names: a notification, and who asks. */
export interface StuckInput {
  readonly id: string;
  /** The operator's identity. */
  readonly operator: string;
}

/** What a list shows at most. */
const MOST_LISTED = 1_000;

/** How an operator names a notification: its provider and its hash. */
export const idOfNotification = ({ provider, hash }: Pick<Notification, 'provider' | 'hash'>): string =>
  `${provider}:${hash}`;

/** The notifications that are stuck, the oldest first, at most a thousand. They are counted as no money. */
export const listStuck = (deps: Pick<StuckNotificationDeps, 'notifications'>): Promise<readonly Notification[]> =>
  deps.notifications.oldestStuck(MOST_LISTED);

/** The stuck notification with this id. @throws NotPossible where there is none, or it is not stuck any more. */
export const findStuck = async (
  { notifications }: Pick<StuckNotificationDeps, 'notifications'>,
  id: string,
): Promise<Notification> => {
  const [name = '', hash = ''] = id.split(':');
  const provider = providerName.safeParse(name).data;
  const notification = provider && (await notifications.find({ provider, hash }));
  if (!notification || notification.stuckSince === null) {
    throw new NotPossible(
      `No notification ${id} is stuck: it was settled or dismissed, or never came.`,
      'notifications',
    );
  }
  return notification;
};

const record = (deps: StuckNotificationDeps, { id, operator }: StuckInput, what: string): Promise<void> =>
  deps.businesses.recordChange({
    id: deps.newId('log'),
    businessId: null,
    at: deps.now(),
    who: operator,
    what: `${what} notification ${id}`,
  });

/**
 * Tries at once to settle a stuck notification, as its consumer does. `refundId`: the id of its refund in the provider's dashboard, where the
 * notification has none. The audit log is written first.
 * @returns the notification after the try. @throws NotPossible where it is not stuck.
 */
export const retryStuck = async (
  deps: StuckNotificationDeps,
  input: StuckInput & { readonly refundId?: string | undefined },
): Promise<Notification> => {
  const notification = await findStuck(deps, input.id);
  const { refundId } = input;
  if (refundId !== undefined && !/^[!-~]{1,100}$/.test(refundId))
    throw new NotPossible(
      'A refund’s id is at most 100 letters, digits and signs, without spaces. Copy it from the provider’s dashboard.',
    );
  await record(deps, input, refundId === undefined ? 'tried again' : `gave refund id ${refundId} to`);
  return settleNotification(deps, notification, refundId);
};

/**
 * Takes a stuck notification off the list, unsettled: it is not tried again. The audit log is written first.
 * @throws NotPossible where it is not stuck, or was tried meanwhile.
 */
export const dismissStuck = async (deps: StuckNotificationDeps, input: StuckInput): Promise<Notification> => {
  const notification = await findStuck(deps, input.id);
  await record(deps, input, 'dismissed');
  if (await deps.notifications.replace(notification, dismiss(notification))) return notification;
  throw new NotPossible(`Notification ${input.id} was tried at this moment. Look at it again.`, 'notifications');
};
