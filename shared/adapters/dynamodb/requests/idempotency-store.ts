import { answerKey } from '#shared/adapters/dynamodb/table/keys.ts';
import { readItem } from '#shared/adapters/dynamodb/table/readable.ts';
import { getItem, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import { transact, type Write } from '#shared/adapters/dynamodb/table/transact.ts';
import { answerExpiresAt } from '#shared/domain/requests/idempotency.ts';
import type { Answered, IdempotencyStore, NotCommitted, Transactions } from '#shared/ports/requests.ts';
import { answerWrite, keyRecord } from './answers.ts';

/** What stands under Idempotency-Keys. */
export const idempotencyStore = (table: Table): IdempotencyStore => ({
  find: async (scope, now) => {
    const kept = readItem(table, keyRecord, await getItem(table, answerKey(scope)));
    return kept && now < answerExpiresAt(kept) ? kept : undefined;
  },
});

/** Transactions of requests: their effect and their answer together. */
export const transactions = (table: Table): Transactions => ({
  commit: async (writes, answer) => {
    // Only the stores of this folder make writes.
    const effect = writes as readonly Write<NotCommitted>[];
    const all: readonly Write<NotCommitted | Answered>[] = answer ? [answerWrite(answer), ...effect] : effect;
    return all.length === 0 ? 'committed' : ((await transact(table, all)) ?? 'committed');
  },
});
