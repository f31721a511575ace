import { answerKey } from '#shared/adapters/dynamodb/table/keys.ts';
import { readItem } from '#shared/adapters/dynamodb/table/readable.ts';
import { getItem, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import { answerExpiresAt } from '#shared/domain/requests/idempotency.ts';
import type { IdempotencyStore } from '#shared/ports/requests.ts';
import { keyRecord } from './answers.ts';

/** The records of Idempotency-Keys. */
export const idempotencyStore = (table: Table): IdempotencyStore => ({
  find: async (scope, now) => {
    const kept = readItem(table, keyRecord, await getItem(table, answerKey(scope)));
    return kept && now < answerExpiresAt(kept) ? kept : undefined;
  },
});
