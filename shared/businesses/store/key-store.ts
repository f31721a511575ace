import { apiKey } from '#shared/businesses/domain/api-key.ts';
import type { KeyReader } from '#shared/businesses/ports.ts';
import { apiKeyKey } from '#shared/businesses/store/keys.ts';
import { readItem } from '#shared/platform/table/readable.ts';
import { getItem, type Table } from '#shared/platform/table/table.ts';

/** Reads API keys from the table, consistently: a revoked key stops working with the next request. */
export const keyStore = (table: Table): KeyReader => ({
  findByHash: async (hash) => readItem(table, apiKey, await getItem(table, apiKeyKey(hash))),
});
