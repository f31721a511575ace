import { answerExpiresAt, sealedAnswer } from '#shared/domain/idempotency.ts';
import type { IdempotencyStore } from '#shared/ports.ts';
import { answerWrite } from './items.ts';
import { answerKey } from './keys.ts';
import { getItem, type Table } from './table.ts';
import { transact } from './transact.ts';

/** Answers without an effect of their own. Those with one are written by the effect's transaction. */
export const idempotencyStore = (table: Table): IdempotencyStore => ({
  find: async (scope, now) => {
    const item = await getItem(table, answerKey(scope));
    const kept = item && sealedAnswer.parse(item);
    return kept && now < answerExpiresAt(kept) ? kept : undefined;
  },
  keep: async (answer) => {
    await transact(table, [answerWrite(answer)]);
  },
});
