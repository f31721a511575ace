import { businessKey } from '#shared/adapters/dynamodb/table/keys.ts';
import { readItem } from '#shared/adapters/dynamodb/table/readable.ts';
import { getItem, getParsed, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import { business } from '#shared/domain/businesses/business.ts';
import { idSchema } from '#shared/domain/kernel/ids.ts';
import type { BusinessReader } from '#shared/ports/businesses.ts';

/** Reads a business alone, without its keys and endpoints. */
export const businessReader = (table: Table): BusinessReader => ({
  find: async (id) => {
    // A header names it: a text that is no id is in no key.
    if (!idSchema('biz').safeParse(id).success) return undefined;
    return readItem(table, business, await getItem(table, businessKey(id)));
  },
  findAll: (ids) => getParsed(table, business, ids.map(businessKey)),
});
