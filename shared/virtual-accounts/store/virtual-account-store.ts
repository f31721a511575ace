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
  virtualAccountsOf,
} from '#shared/virtual-accounts/store/keys.ts';
import { accountNumbers } from './account-numbers.ts';
import { virtualAccountItem } from './items.ts';

/** Virtual accounts in the table. `hashKey` is the stage's secret for hashing e-mail addresses. */
export const virtualAccountStore = (table: Table, hashKey: string): VirtualAccountReader & VirtualAccountOpener => ({
  find: async (tenant, id) => {
    const item = await getItem(table, virtualAccountKey(id));
    const found = item?.status === 'opening' ? undefined : readItem(table, virtualAccount, item);
    return found && belongsTo(tenant, found) ? found : undefined;
  },
  list: (tenant, page) => listItems(table, virtualAccount, virtualAccountsOf(tenant), page),
  listOfCustomer: (tenant, email, page) =>
    listPointed(table, virtualAccount, customerPartition(tenant, emailHash(hashKey, email)), page, ({ sk }) =>
      virtualAccountKey(sk.slice('VA#'.length)),
    ),
  withNumber: async (tenant, accountNumber) => {
    const owners = await accountNumbers(table).ownersOfNumber(tenant.mode, accountNumber);
    const keys = owners.flatMap((one) => (one.kind === 'virtual_account' ? [virtualAccountKey(one.id)] : []));
    return (await getParsed(table, virtualAccount, keys)).filter((one) => belongsTo(tenant, one));
  },
  opening: (accounts) => {
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
