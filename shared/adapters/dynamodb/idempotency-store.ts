import type { IdempotencyStore } from '#shared/ports.ts';
import { answerWrite } from './items.ts';
import type { Table } from './table.ts';
import { transact } from './transact.ts';

/** Answers without an effect of their own. Those with one are written by the effect's transaction. */
export const idempotencyStore = (table: Table): IdempotencyStore => ({
  keep: async (answer) => {
    await transact(table, [answerWrite(answer)]);
  },
});
