import { apiKey } from '#shared/domain/api-key.ts';
import type { KeyReader } from '#shared/ports.ts';
import { apiKeyKey } from './keys.ts';
import { getItem, type Table } from './table.ts';

/** API keys in the table, read consistently: a revoked key stops working with the next request. */
export const keyStore = (table: Table): KeyReader => ({
  findByHash: async (hash) => {
    const item = await getItem(table, apiKeyKey(hash));
    return item && apiKey.parse(item);
  },
});
