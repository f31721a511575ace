import { isLogoId, storedLogo } from '#shared/businesses/domain/stored-logo.ts';
import type { LogoReader } from '#shared/businesses/ports.ts';
import { logoKey } from '#shared/businesses/store/keys.ts';
import { readItem } from '#shared/platform/table/readable.ts';
import { getItem, type Table } from '#shared/platform/table/table.ts';

/** Reads logos from the table. They are written together with their business. */
export const logoReader = (table: Table): LogoReader => ({
  // An address names it: a text that is no id is in no key.
  find: async (id) => (isLogoId(id) ? readItem(table, storedLogo, await getItem(table, logoKey(id))) : undefined),
});
