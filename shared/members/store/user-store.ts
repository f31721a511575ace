import { userId } from '#shared/businesses/domain/member.ts';
import { type User, user } from '#shared/members/domain/user.ts';
import type { UserReader, UserStore } from '#shared/members/ports.ts';
import { userKey } from '#shared/members/store/keys.ts';
import { noticeWrites } from '#shared/members/store/notice-item.ts';
import { readItem } from '#shared/platform/table/readable.ts';
import { getItem, type Table } from '#shared/platform/table/table.ts';
import { ABSENT, transact, versionIs, type Write } from '#shared/platform/table/transact.ts';
import { auditItem } from './change-item.ts';
import { sessionItem } from './session-store.ts';

/** Makes the item of a user. */
export const userItem = (user: User) => ({ ...user, ...userKey(user.id) });

/** Reads users. */
export const userReader = (table: Table): UserReader => ({
  find: async (id) => {
    // The id may come from a stranger. A text that is no id must not get into a key.
    if (!userId.safeParse(id).success) return undefined;
    const item = await getItem(table, userKey(id));
    return readItem(table, user, item);
  },
});

/** Keeps users in the table. Their list of businesses changes only together with a business (business-store.ts). */
export const userStore = (table: Table): UserStore => ({
  ...userReader(table),
  save: async ({ before, after, records = [], notice, session }) => {
    const writes: Write<'conflict'>[] = [
      { put: userItem(after), when: versionIs(before.version), otherwise: () => 'conflict' },
      ...records.map((record) => ({ put: auditItem(record), when: ABSENT })),
      ...noticeWrites(table, notice),
      ...(session ? [{ put: sessionItem(session), when: ABSENT }] : []),
    ];
    return (await transact(table, writes)) === undefined;
  },
});
