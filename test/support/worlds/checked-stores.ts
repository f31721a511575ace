import { businessStore } from '#shared/adapters/dynamodb/businesses/business-store.ts';
import { ledger } from '#shared/adapters/dynamodb/money/ledger.ts';
import type { Table } from '#shared/adapters/dynamodb/table/table.ts';
import type { BusinessStore } from '#shared/ports/businesses.ts';
import type { Ledger } from '#shared/ports/money.ts';
import { checkWebhook } from '#test/support/jest/webhook-bodies.ts';

/** The ledger; each event that it records is compared with the contract. */
export const checkedLedger = (table: Table): Ledger => {
  const real = ledger(table);
  const record: Ledger['record'] = async (entry) => {
    const recorded = await real.record(entry);
    if (entry.event) checkWebhook(entry.event.body);
    return recorded;
  };
  const writes: Ledger['writes'] = (entry) => {
    if (entry.event) checkWebhook(entry.event.body);
    return real.writes(entry);
  };
  return { ...real, record, writes };
};

/** The store of businesses; each event that it records is compared with the contract. */
export const checkedBusinesses = (table: Table): BusinessStore => {
  const real = businessStore(table);
  const save: BusinessStore['save'] = async (entry) => {
    const isSaved = await real.save(entry);
    if (entry.event) checkWebhook(entry.event.body);
    return isSaved;
  };
  return { ...real, save };
};
