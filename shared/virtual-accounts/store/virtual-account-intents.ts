import { emailHash } from '#shared/platform/table/email-hash.ts';
import type { Key } from '#shared/platform/table/keys.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { ABSENT } from '#shared/platform/table/transact.ts';
import { intentStore } from '#shared/providers/store/intent-store.ts';
import {
  type OpeningVirtualAccount,
  openingVirtualAccount,
  virtualAccount,
} from '#shared/virtual-accounts/domain/virtual-account.ts';
import type { VirtualAccountIntents } from '#shared/virtual-accounts/ports.ts';
import { customerAccountKey, receivingAccountKey, virtualAccountKey } from '#shared/virtual-accounts/store/keys.ts';
import { openingVirtualAccountItem, virtualAccountItem } from './items.ts';

/** Stores intents of virtual accounts in the table. `hashKey`: the stage's secret for hashing e-mail addresses. */
export const virtualAccountIntents = (table: Table, hashKey: string): VirtualAccountIntents => {
  /** Returns the keys that list an account under its customer. */
  const listCustomerKeys = (intent: OpeningVirtualAccount): readonly Key[] =>
    intent.customerEmail === null
      ? []
      : [customerAccountKey(intent, emailHash(hashKey, intent.customerEmail), intent.id)];
  return intentStore(table, {
    key: virtualAccountKey,
    intentSchema: openingVirtualAccount,
    objectSchema: virtualAccount,
    toItem: (intent) => openingVirtualAccountItem(table, intent),
    buildNewWrites: (intent) => listCustomerKeys(intent).map((key) => ({ put: { ...key } })),
    buildDeletionWrites: (intent) => listCustomerKeys(intent).map((key) => ({ delete: key })),
    buildObjectWrites: (object) => {
      const item = virtualAccountItem(table, object);
      if (object.status !== 'active') return { item, others: [] };
      const { mode, provider, account, id } = object;
      const put = { ...receivingAccountKey(mode, provider, account.accountNumber), virtualAccountId: id };
      return { item, others: [{ put, when: ABSENT, otherwise: () => ({ taken: id }) }] };
    },
  });
};
