import { notificationKey } from '#shared/adapters/dynamodb/table/keys.ts';
import { readItem } from '#shared/adapters/dynamodb/table/readable.ts';
import { getItem, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import { ABSENT, transact } from '#shared/adapters/dynamodb/table/transact.ts';
import { notification } from '#shared/domain/money/notification.ts';
import type { NotificationStore } from '#shared/ports/money.ts';
import { notificationItem } from './items.ts';

/** Raw notifications in the table. */
export const notificationStore = (table: Table): NotificationStore => {
  const find: NotificationStore['find'] = async (at) => {
    const item = await getItem(table, notificationKey(at));
    return readItem(table, notification, item);
  };
  return {
    find,
    save: async (received) => {
      const put = notificationItem(table, received);
      return (await transact(table, [{ put, when: ABSENT, otherwise: () => 'saved before' }])) === undefined;
    },
    schedule: async (before, tries, dueAt) => {
      await transact(table, [{ put: notificationItem(table, { ...before, tries, dueAt }) }]);
    },
  };
};
