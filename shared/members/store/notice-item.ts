import type { Notice } from '#shared/businesses/domain/notice.ts';
import { noticeKey } from '#shared/members/store/keys.ts';
import { unixSeconds } from '#shared/platform/kernel/time.ts';
import { inDueWork } from '#shared/platform/table/due-keys.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { ABSENT, type PutWrite } from '#shared/platform/table/transact.ts';

/** Where a notice is due: a summary behind all others, as every business has one at the same time. */
const inNotices = (table: Table, { id, dueAt, about: { kind } }: Notice) =>
  inDueWork(noticeKey(id), kind === 'summary' ? 'summaries' : 'notices', dueAt, table.dueShards);

/** Writes a notice in the transaction of what it tells; nothing where there is none. */
export const noticeWrites = (table: Table, notice: Notice | undefined): PutWrite<never>[] =>
  notice
    ? [
        {
          put: {
            ...notice,
            ...noticeKey(notice.id),
            ...inNotices(table, notice),
            ttl: unixSeconds(notice.expiresAt),
          },
          when: ABSENT,
        },
      ]
    : [];
