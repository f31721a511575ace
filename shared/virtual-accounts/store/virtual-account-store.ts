import { belongsTo } from '#shared/platform/kernel/tenant.ts';
import { emailHash } from '#shared/platform/table/email-hash.ts';
import { readItem } from '#shared/platform/table/readable.ts';
import { getItem, getParsed, listItems, listPointed, type Table } from '#shared/platform/table/table.ts';
import { ABSENT, type Write } from '#shared/platform/table/transact.ts';
import { virtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';
import type { VirtualAccountOpener, VirtualAccountReader } from '#shared/virtual-accounts/ports.ts';
import {
  customerAccountKey,
  customerPartition,
  receivingAccountKey,
  virtualAccountKey,
  virtualAccountPartition,
} from '#shared/virtual-accounts/store/keys.ts';
import { accountNumbers } from './account-numbers.ts';
import { virtualAccountItem } from './items.ts';

/** Reads and opens virtual accounts in the table. `hashKey`: the stage's secret for hashing e-mail addresses. */
export const virtualAccountStore = (table: Table, hashKey: string): VirtualAccountReader & VirtualAccountOpener => ({
  find: async (tenant, id) => {
    const item = await getItem(table, virtualAccountKey(id));
    const account = item?.status === 'opening' ? undefined : readItem(table, virtualAccount, item);
    return account && belongsTo(tenant, account) ? account : undefined;
  },
  list: (tenant, page) => listItems(table, virtualAccount, virtualAccountPartition(tenant), page),
  listOfCustomer: (tenant, email, page) =>
    listPointed(table, virtualAccount, customerPartition(tenant, emailHash(hashKey, email)), page, ({ sk }) =>
      virtualAccountKey(sk.slice('VA#'.length)),
    ),
  listByNumber: async (tenant, accountNumber) => {
    const owners = await accountNumbers(table).findOwners(tenant.mode, accountNumber);
    const keys = owners.flatMap((owner) => (owner.kind === 'virtual_account' ? [virtualAccountKey(owner.id)] : []));
    return (await getParsed(table, virtualAccount, keys)).filter((account) => belongsTo(tenant, account));
  },
  buildOpening: (accounts) => {
    const writes: Write<'number_taken'>[] = [];
    for (const opened of accounts) {
      const { id, mode, provider, customerEmail } = opened;
      writes.push({ put: virtualAccountItem(table, opened), when: ABSENT });
      if (customerEmail !== null) {
        writes.push({ put: { ...customerAccountKey(opened, emailHash(hashKey, customerEmail), id) } });
      }
      if (opened.status === 'active') {
        const numberKey = receivingAccountKey(mode, provider, opened.account.accountNumber);
        writes.push({ put: { ...numberKey, virtualAccountId: id }, when: ABSENT, otherwise: () => 'number_taken' });
      }
    }
    return writes;
  },
});
