import { getItem, type Table } from './table.ts';

/** Throws unless the table answers a read. The item need not exist. */
export const probeTable = async (table: Table): Promise<void> => {
  await getItem(table, { pk: 'HEALTH', sk: 'HEALTH' });
};
