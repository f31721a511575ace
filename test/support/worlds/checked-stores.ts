import type { BusinessStore } from '#shared/businesses/ports.ts';
import { businessStore } from '#shared/businesses/store/business-store.ts';
import type { Ledger } from '#shared/payments/ports.ts';
import { ledger } from '#shared/payments/store/ledger.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { checkWebhook } from '#test/support/jest/webhook-bodies.ts';

/** Makes a ledger that compares each event that it records with the contract. */
export const createCheckedLedger = (table: Table): Ledger => {
  const real = ledger(table);
  const record: Ledger['record'] = async (entry) => {
    const recorded = await real.record(entry);
    for (const { event } of entry.announced ?? []) checkWebhook(event.body);
    return recorded;
  };
  const writes: Ledger['buildWrites'] = (entry) => {
    for (const { event } of entry.announced ?? []) checkWebhook(event.body);
    return real.buildWrites(entry);
  };
  return { ...real, record, buildWrites: writes };
};

/** Makes a store of businesses that compares each event that it records with the contract. */
export const createCheckedBusinesses = (table: Table): BusinessStore => {
  const real = businessStore(table);
  const save: BusinessStore['save'] = async (entry) => {
    const isSaved = await real.save(entry);
    if (entry.event) checkWebhook(entry.event.body);
    return isSaved;
  };
  return { ...real, save };
};
