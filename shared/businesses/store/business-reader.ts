import { business } from '#shared/businesses/domain/business.ts';
import type { BusinessReader } from '#shared/businesses/ports.ts';
import { businessKey } from '#shared/businesses/store/keys.ts';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { readItem } from '#shared/platform/table/readable.ts';
import { getItem, getParsed, type Table } from '#shared/platform/table/table.ts';

/** Reads a business alone, without its keys and endpoints. */
export const businessReader = (table: Table): BusinessReader => ({
  find: async (id) => {
    // The id comes from a header. A text that is no id must not get into a key.
    if (!idSchema('biz').safeParse(id).success) return undefined;
    return readItem(table, business, await getItem(table, businessKey(id)));
  },
  findAll: (ids) => getParsed(table, business, ids.map(businessKey)),
});
