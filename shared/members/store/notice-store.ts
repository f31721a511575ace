import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type Notice, notice } from '#shared/businesses/domain/notice.ts';
import type { NoticeStore } from '#shared/members/ports.ts';
import { noticeKey } from '#shared/members/store/keys.ts';
import { conditionHeld, resultIfHeld } from '#shared/platform/table/conditional-write.ts';
import { formatDueEntry } from '#shared/platform/table/due-keys.ts';
import { readItem } from '#shared/platform/table/readable.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { buildUpdate } from '#shared/platform/table/update-expression.ts';

/** Builds the update of a notice, on condition that the notice is due at `dueAt`. */
const buildNoticeUpdate = (table: Table, { id, dueAt }: Pick<Notice, 'id' | 'dueAt'>, set: Pick<Notice, 'dueAt'>) =>
  new UpdateCommand({
    TableName: table.name,
    Key: { ...noticeKey(id) },
    ...buildUpdate<Notice>({ expect: { dueAt }, set }, { gsi2sk: formatDueEntry(noticeKey(id), set.dueAt) }),
    ReturnValues: 'ALL_NEW',
  });

/** Keeps notices in the table. They are written with the change that they are about (notice-item.ts). */
export const noticeStore = (table: Table): NoticeStore => ({
  take: async (due, until) => {
    const written = await resultIfHeld(table.client.send(buildNoticeUpdate(table, due, { dueAt: until })));
    return readItem(table, notice, written?.Attributes);
  },
  reschedule: async (taken, change) => {
    await conditionHeld(table.client.send(buildNoticeUpdate(table, taken, change)));
  },
  finish: async (id) => {
    await table.client.send(new DeleteCommand({ TableName: table.name, Key: { ...noticeKey(id) } }));
  },
});
