import type { Notice } from '#shared/domain/businesses/notice.ts';
import { unixSeconds } from '#shared/domain/kernel/time.ts';
import { inDueWork, noticeKey } from './keys.ts';
import type { Table } from './table.ts';
import { ABSENT, type PutWrite } from './transact.ts';

/** Where a notice is due. */
export const inNotices = (table: Table, { id, dueAt }: Pick<Notice, 'id' | 'dueAt'>) =>
  inDueWork(noticeKey(id), 'notices', dueAt, table.dueShards);

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
