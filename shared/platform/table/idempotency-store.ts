import { answerExpiresAt } from '#shared/platform/requests/idempotency.ts';
import type { IdempotencyStore } from '#shared/platform/requests/ports.ts';
import { keyRecord } from './answers.ts';
import { answerKey } from './keys.ts';
import { readItem } from './readable.ts';
import { getItem, type Table } from './table.ts';

/** Reads the records of Idempotency-Keys. */
export const idempotencyStore = (table: Table): IdempotencyStore => ({
  find: async (scope, now) => {
    const record = readItem(table, keyRecord, await getItem(table, answerKey(scope)));
    return record && now < answerExpiresAt(record) ? record : undefined;
  },
});
