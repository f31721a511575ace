import type { Notice } from '#shared/businesses/domain/notice.ts';
import { noticeKey } from '#shared/members/store/keys.ts';
import { unixSeconds } from '#shared/platform/kernel/time.ts';
import { inDueWork } from '#shared/platform/table/due-keys.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { ABSENT, type PutWrite } from '#shared/platform/table/transact.ts';

/**
 * The place of a notice in the due-work index. Summaries have a family of their own, so that they are sent after all other notices: the
 * summaries of all businesses are due at the same time.
 */
const inNotices = (table: Table, { id, dueAt, about: { kind } }: Notice) =>
  inDueWork(noticeKey(id), kind === 'summary' ? 'summaries' : 'notices', dueAt, table.dueShards);

/** Lists the writes of a notice, for the transaction of the change that the notice is about; none if there is no notice. */
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
