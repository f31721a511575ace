import { getItem, type Table } from './table.ts';

/** Checks the table. The item need not exist. @throws if the table does not answer. */
export const probeTable = async (table: Table): Promise<void> => {
  await getItem(table, { pk: 'HEALTH', sk: 'HEALTH' });
};
