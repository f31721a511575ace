import { answerKey } from '#shared/adapters/dynamodb/table/keys.ts';
import { readItem } from '#shared/adapters/dynamodb/table/readable.ts';
import { getItem, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import { transact } from '#shared/adapters/dynamodb/table/transact.ts';
import { answerExpiresAt, keyRecord } from '#shared/domain/requests/idempotency.ts';
import type { IdempotencyStore } from '#shared/ports/requests.ts';
import { answerWrite } from './answers.ts';

/** What stands under Idempotency-Keys, and answers of requests without an effect. An effect's own transaction writes its answer. */
export const idempotencyStore = (table: Table): IdempotencyStore => ({
  find: async (scope, now) => {
    const kept = readItem(table, keyRecord, await getItem(table, answerKey(scope)));
    return kept && now < answerExpiresAt(kept) ? kept : undefined;
  },
  save: async (answer) => {
    await transact(table, [answerWrite(answer)]);
  },
});
