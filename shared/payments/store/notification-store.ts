import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { type Notification, notification } from '#shared/payments/domain/notification.ts';
import type { NotificationStore, StuckNotifications } from '#shared/payments/ports.ts';
import { notificationKey, STUCK } from '#shared/payments/store/keys.ts';
import { conditionHeld } from '#shared/platform/table/conditional-write.ts';
import { ticketOf } from '#shared/platform/table/due-keys.ts';
import { readItem } from '#shared/platform/table/readable.ts';
import { getItem, listKeys, listOldest, type Table } from '#shared/platform/table/table.ts';
import { notificationItem } from './items.ts';

/** It was neither tried nor dismissed since it was read. */
const asRead = ({ dueAt, tries }: Notification) => ({
  ConditionExpression: 'dueAt = :dueAt AND tries = :tries',
  ExpressionAttributeValues: { ':dueAt': dueAt, ':tries': tries },
});
const ABSENT = { ConditionExpression: 'attribute_not_exists(pk)' };

/** Raw notifications in the table. */
export const notificationStore = (table: Table): NotificationStore => {
  // No transaction, which costs double. Where an answer is lost, the notification is stored, and due.
  const put = (saved: Notification, when: typeof ABSENT | ReturnType<typeof asRead>): Promise<boolean> =>
    conditionHeld(
      table.client.send(new PutCommand({ TableName: table.name, Item: notificationItem(table, saved), ...when })),
    );
  return {
    save: async (received) =>
      (await put(received, ABSENT)) ? ticketOf(notificationKey(received), 'payments', received.dueAt) : undefined,
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
