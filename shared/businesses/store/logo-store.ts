import { isLogoId, storedLogo } from '#shared/businesses/domain/stored-logo.ts';
import type { LogoReader } from '#shared/businesses/ports.ts';
import { logoKey } from '#shared/businesses/store/keys.ts';
import { readItem } from '#shared/platform/table/readable.ts';
import { getItem, type Table } from '#shared/platform/table/table.ts';

/** Reads logos from the table. They are written together with their business. */
export const logoReader = (table: Table): LogoReader => ({
  // The id comes from an address. A text that is no id must not get into a key.
  find: async (id) => (isLogoId(id) ? readItem(table, storedLogo, await getItem(table, logoKey(id))) : undefined),
});
