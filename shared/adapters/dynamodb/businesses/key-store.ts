import { apiKeyKey } from '#shared/adapters/dynamodb/table/keys.ts';
import { readItem } from '#shared/adapters/dynamodb/table/readable.ts';
import { separateReads } from '#shared/adapters/dynamodb/table/shared-reads.ts';
import type { Table } from '#shared/adapters/dynamodb/table/table.ts';
import { apiKey } from '#shared/domain/businesses/api-key.ts';
import type { KeyReader } from '#shared/ports/businesses.ts';

/** API keys in the table, read consistently: a revoked key stops working with the next request. */
export const keyStore = (table: Table, read = separateReads(table)): KeyReader => ({
  findByHash: async (hash) => {
    const [item] = await read([apiKeyKey(hash)]);
    return readItem(table, apiKey, item);
  },
});
