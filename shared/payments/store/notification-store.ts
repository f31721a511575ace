import { type Notification, notification } from '#shared/payments/domain/notification.ts';
import type { NotificationStore, StuckNotifications } from '#shared/payments/ports.ts';
import { notificationKey, STUCK } from '#shared/payments/store/keys.ts';
import { readItem } from '#shared/platform/table/readable.ts';
import { getItem, listKeys, listOldest, type Table } from '#shared/platform/table/table.ts';
import { ABSENT, transact } from '#shared/platform/table/transact.ts';
import { notificationItem } from './items.ts';

/** It was neither tried nor dismissed since it was read. */
const asRead = ({ dueAt, tries }: Notification) => ({
  expression: 'dueAt = :dueAt AND tries = :tries',
  values: { ':dueAt': dueAt, ':tries': tries },
});

const changed = (): 'changed' => 'changed';

/** Raw notifications in the table. */
export const notificationStore = (table: Table): NotificationStore => {
  const put = async (saved: Notification, when: typeof ABSENT | ReturnType<typeof asRead>): Promise<boolean> =>
    (await transact(table, [{ put: notificationItem(table, saved), when, otherwise: changed }])) === undefined;
  return {
    save: (received) => put(received, ABSENT),
    find: async (at) => readItem(table, notification, await getItem(table, notificationKey(at))),
    replace: (before, after) => put(after, asRead(before)),
    countStuck: async (limit) => (await listKeys(table, STUCK, { limit, after: null })).items.length,
  };
};

/** The same with the list of those that are stuck, for operators. */
export const stuckNotifications = (table: Table): StuckNotifications => ({
  ...notificationStore(table),
  // The index may still list what has been settled since.
  oldestStuck: async (limit) =>
    (await listOldest(table, notification, STUCK, limit)).filter(({ stuckSince }) => stuckSince !== null),
});
