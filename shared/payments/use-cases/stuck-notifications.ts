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

/** The input of an operator. */
export interface StuckInput {
  /** The id of the notification, as idOfNotification builds it. */
  readonly id: string;
  /** The operator's identity. */
  readonly operator: string;
}

/** Upper bound on listed notifications. */
const MAX_LISTED = 1_000;

/** Builds the id of a notification for operators: its provider and its hash. */
export const idOfNotification = ({ provider, hash }: Pick<Notification, 'provider' | 'hash'>): string =>
  `${provider}:${hash}`;

/** Lists stuck notifications, longest stuck first, at most a thousand. */
export const listStuck = (deps: Pick<StuckNotificationDeps, 'notifications'>): Promise<readonly Notification[]> =>
  deps.notifications.oldestStuck(MAX_LISTED);

/** Finds the stuck notification with this id. @throws NotPossible if there is none, or if it is not stuck any more. */
export const findStuck = async (
  { notifications }: Pick<StuckNotificationDeps, 'notifications'>,
  id: string,
): Promise<Notification> => {
  const [name = '', hash = ''] = id.split(':');
  const provider = providerName.safeParse(name).data;
  const notification = provider && (await notifications.find({ provider, hash }));
  if (!notification || notification.stuckSince === null) {
    throw new NotPossible(
      `There is no stuck notification ${id}: it was settled or dismissed, or it never came.`,
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
 * Tries at once to settle a stuck notification, as its consumer does. The audit log is written first.
 * `refundId`: the id of its refund from the provider's dashboard, if the notification has none.
 * @returns the notification after the try.
 * @throws NotPossible if it is not stuck.
 */
export const retryStuck = async (
  deps: StuckNotificationDeps,
  input: StuckInput & { readonly refundId?: string | undefined },
): Promise<Notification> => {
  const notification = await findStuck(deps, input.id);
  const { refundId } = input;
  if (refundId !== undefined && !/^[!-~]{1,100}$/.test(refundId))
    throw new NotPossible(
      'The id of a refund has at most 100 letters, digits and signs, and no spaces. Copy it from the provider’s dashboard.',
    );
  await record(deps, input, refundId === undefined ? 'tried again' : `gave refund id ${refundId} to`);
  return settleNotification(deps, notification, refundId);
};

/**
 * Takes a stuck notification off the operators' list. It is not tried again. The audit log is written first.
 * @throws NotPossible if it is not stuck, or was tried meanwhile.
 */
export const dismissStuck = async (deps: StuckNotificationDeps, input: StuckInput): Promise<Notification> => {
  const notification = await findStuck(deps, input.id);
  await record(deps, input, 'dismissed');
  if (await deps.notifications.replace(notification, dismiss(notification))) return notification;
  throw new NotPossible(
    `Notification ${input.id} was tried at the same moment. Look at it again before you dismiss it.`,
    'notifications',
  );
};
