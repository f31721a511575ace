import { userKey } from '#shared/adapters/dynamodb/table/keys.ts';
import { getItem, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import { type User, user } from '#shared/domain/members/user.ts';
import type { UserReader } from '#shared/ports/members.ts';

/** A user as an item. */
export const userItem = (of: User) => ({ ...of, ...userKey(of.id) });

/** Users in the table. They change only together with a business (business-store.ts). */
export const userReader = (table: Table): UserReader => ({
  find: async (id) => {
    const item = await getItem(table, userKey(id));
    return item && user.parse(item);
  },
});
