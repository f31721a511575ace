import { dueFamily, inDueWork } from '#shared/platform/table/due-keys.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { OpeningVirtualAccount, VirtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';
import { inVirtualAccounts, virtualAccountKey } from '#shared/virtual-accounts/store/keys.ts';

/** Makes the item of a virtual account. It is on its business's list, and due while it must be settled or closed. */
export const virtualAccountItem = (table: Table, account: VirtualAccount) => {
  const key = virtualAccountKey(account.id);
  const dueAt = 'settleAt' in account ? (account.settleAt ?? null) : null;
  return {
    ...account,
    ...key,
    ...inVirtualAccounts(account, account.createdAt, account.id),
    ...inDueWork(key, dueFamily('payments', account.mode), dueAt, table.dueShards),
  };
};

/** Makes the item of an account that is being opened at its provider. It is due for the sweeper and in no list. */
export const openingVirtualAccountItem = (table: Table, intent: OpeningVirtualAccount) => {
  const key = virtualAccountKey(intent.id);
  const family = dueFamily('payments', intent.mode);
  return { ...intent, ...key, ...inDueWork(key, family, intent.settleAt, table.dueShards) };
};
