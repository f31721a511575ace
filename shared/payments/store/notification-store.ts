import { randomBytes } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { type Notification, notification } from '#shared/payments/domain/notification.ts';
import type { NotificationStore, StuckNotifications } from '#shared/payments/ports.ts';
import { notificationKey, STUCK } from '#shared/payments/store/keys.ts';
import { conditionHeld } from '#shared/platform/table/conditional-write.ts';
import { makeTicket } from '#shared/platform/table/due-keys.ts';
import { readEach, readItem } from '#shared/platform/table/readable.ts';
import { getItem, getItems, type Item, listKeys, listOldest, type Table } from '#shared/platform/table/table.ts';
import { notificationItem } from './items.ts';

/** Builds the condition that no other call saved the notification. This call may have saved it before, if the answer to its first write was lost. */
const whenNew = (savedBy: string) => ({
  ConditionExpression: 'attribute_not_exists(pk) OR savedBy = :own',
  ExpressionAttributeValues: { ':own': savedBy },
});
/**
 * Builds the condition that no other call tried or dismissed the notification since it was read. It holds, too, if this call has written `after`
 * already, and the answer was lost.
 */
const whenAsRead = (before: Notification, after: Notification) => ({
  ConditionExpression: '(dueAt = :dueAt AND tries = :tries) OR (dueAt = :nextDueAt AND tries = :nextTries)',
  ExpressionAttributeValues: {
    ':dueAt': before.dueAt,
    ':tries': before.tries,
    ':nextDueAt': after.dueAt,
    ':nextTries': after.tries,
  },
});

/** Stores raw notifications in the table. */
export const notificationStore = (table: Table): NotificationStore => {
  // A plain put, because a transaction costs double.
  const put = (Item: Item, when: ReturnType<typeof whenNew | typeof whenAsRead>): Promise<boolean> =>
    conditionHeld(table.client.send(new PutCommand({ TableName: table.name, Item, ...when })));
  return {
    save: async (received, before) => {
      const savedBy = randomBytes(6).toString('base64url');
      const when = before ? whenAsRead(before, received) : whenNew(savedBy);
      const isSaved = await put({ ...notificationItem(table, received), savedBy }, when);
      return isSaved ? makeTicket(notificationKey(received), 'payments', received.dueAt) : undefined;
    },
    findEach: async (provider, hashes) => {
      const keys = hashes.map((hash) => notificationKey({ provider, hash }));
      return readEach(table, notification, await getItems(table, keys));
    },
    find: async (id) => readItem(table, notification, await getItem(table, notificationKey(id))),
    replace: (before, after) => put(notificationItem(table, after), whenAsRead(before, after)),
    countStuck: async (limit) => (await listKeys(table, STUCK, { limit, after: null })).items.length,
  };
};

/** Stores raw notifications in the table, with the list of the stuck ones for operators. */
export const stuckNotifications = (table: Table): StuckNotifications => ({
  ...notificationStore(table),
  // The index lags, so it may list notifications that are settled by now.
  oldestStuck: async (limit) =>
    (await listOldest(table, notification, STUCK, limit)).filter(({ stuckSince }) => stuckSince !== null),
});
