import { intentStore } from '#shared/adapters/dynamodb/requests/intent-store.ts';
import { emailHash } from '#shared/adapters/dynamodb/table/email-hash.ts';
import {
  customerAccountKey,
  type Key,
  receivingAccountKey,
  virtualAccountKey,
} from '#shared/adapters/dynamodb/table/keys.ts';
import type { Table } from '#shared/adapters/dynamodb/table/table.ts';
import { ABSENT } from '#shared/adapters/dynamodb/table/transact.ts';
import {
  type OpeningVirtualAccount,
  openingVirtualAccount,
  virtualAccount,
} from '#shared/domain/virtual-accounts/virtual-account.ts';
import type { VirtualAccountIntents } from '#shared/ports/virtual-accounts.ts';
import { openingVirtualAccountItem, virtualAccountItem } from './items.ts';

/** Intents of virtual accounts in the table. `hashKey` is the stage's secret for hashing e-mail addresses. */
export const virtualAccountIntents = (table: Table, hashKey: string): VirtualAccountIntents => {
  /** What lists an account among its customer's. */
  const ofCustomer = (intent: OpeningVirtualAccount): readonly Key[] =>
    intent.customerEmail === null
      ? []
      : [customerAccountKey(intent, emailHash(hashKey, intent.customerEmail), intent.id)];
  return intentStore(table, {
    key: virtualAccountKey,
    opening: openingVirtualAccount,
    object: virtualAccount,
    item: (intent) => openingVirtualAccountItem(table, intent),
    begun: (intent) => ofCustomer(intent).map((key) => ({ put: { ...key } })),
    dropped: (intent) => ofCustomer(intent).map((key) => ({ delete: key })),
    created: (object) => {
      const item = virtualAccountItem(table, object);
      if (object.status !== 'active') return { item, others: [] };
      const { mode, provider, account, id } = object;
      const put = { ...receivingAccountKey(mode, provider, account.accountNumber), virtualAccountId: id };
      return { item, others: [{ put, when: ABSENT, otherwise: () => ({ taken: id }) }] };
    },
  });
};
