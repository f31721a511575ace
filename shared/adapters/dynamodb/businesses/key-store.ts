import { apiKeyKey } from '#shared/adapters/dynamodb/table/keys.ts';
import { readItem } from '#shared/adapters/dynamodb/table/readable.ts';
import { getItem, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import { apiKey } from '#shared/domain/businesses/api-key.ts';
import type { KeyReader } from '#shared/ports/businesses.ts';

/** API keys in the table, read consistently: a revoked key stops working with the next request. */
export const keyStore = (table: Table): KeyReader => ({
  findByHash: async (hash) => readItem(table, apiKey, await getItem(table, apiKeyKey(hash))),
});
