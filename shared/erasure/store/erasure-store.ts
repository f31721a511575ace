import { operatorChangeItem } from '#shared/businesses/store/business-store.ts';
import { ERASURE_RETENTION, type Erasure, erasure } from '#shared/erasure/domain/erasure.ts';
import type { ErasureStore } from '#shared/erasure/ports.ts';
import { unixSeconds } from '#shared/platform/kernel/time.ts';
import { readItem } from '#shared/platform/table/readable.ts';
import { getItem, type Table } from '#shared/platform/table/table.ts';
import { ABSENT, transact, versionIs } from '#shared/platform/table/transact.ts';
import { erasureKey } from './keys.ts';

const toKey = ({ businessId, digest }: Erasure) => erasureKey(businessId, digest);
const conflict = () => 'conflict' as const;

/** Keeps unfinished erasures in the table. */
export const erasureStore = (table: Table): ErasureStore => ({
  find: async (businessId, digest) => {
    const item = await getItem(table, erasureKey(businessId, digest));
    return readItem(table, erasure, item);
  },
  save: async (after) => {
    const ttl = unixSeconds(after.startedAt + ERASURE_RETENTION);
    const when = after.version === 1 ? ABSENT : versionIs(after.version - 1);
    const put = { ...after, ...toKey(after), ttl };
    return (await transact(table, [{ put, when, otherwise: conflict }])) === undefined;
  },
  end: async (finished, change) => {
    const deletion = { delete: toKey(finished), when: versionIs(finished.version), otherwise: conflict };
    return (await transact(table, [deletion, { put: operatorChangeItem(change), when: ABSENT }])) === undefined;
  },
});
