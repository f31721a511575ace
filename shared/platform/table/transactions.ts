import type { Answered, NotCommitted, Transactions } from '#shared/platform/requests/ports.ts';
import { answerWrite } from './answers.ts';
import type { Table } from './table.ts';
import { transact, type Write } from './transact.ts';

/** Writes the effect of a request and its answer in one transaction. */
export const transactions = (table: Table): Transactions => ({
  commit: async (writes, answer) => {
    // The port hides the type of a write. All writes that arrive here were made by stores of this table.
    const effect = writes as readonly Write<NotCommitted>[];
    const all: readonly Write<NotCommitted | Answered>[] = answer ? [answerWrite(answer), ...effect] : effect;
    return all.length === 0 ? 'committed' : ((await transact(table, all)) ?? 'committed');
  },
});
