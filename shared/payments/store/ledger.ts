import { business } from '#shared/businesses/domain/business.ts';
import { businessKey } from '#shared/businesses/store/keys.ts';
import { checkout } from '#shared/checkouts/domain/checkout.ts';
import { checkoutItem } from '#shared/checkouts/store/items.ts';
import { checkoutKey } from '#shared/checkouts/store/keys.ts';
import { type Payment, payment } from '#shared/payments/domain/payment.ts';
import type { Ledger, LedgerEntry, RecordResult } from '#shared/payments/ports.ts';
import { paymentKey } from '#shared/payments/store/keys.ts';
import { belongsTo } from '#shared/platform/kernel/tenant.ts';
import { readItem } from '#shared/platform/table/readable.ts';
import { getItem, getItems, type Item, type Table } from '#shared/platform/table/table.ts';
import { ABSENT, transact, versionIs, type Write } from '#shared/platform/table/transact.ts';
import {
  type UnsettledVirtualAccount,
  unsettledVirtualAccount,
  type VirtualAccount,
  virtualAccount,
} from '#shared/virtual-accounts/domain/virtual-account.ts';
import { openingVirtualAccountItem, virtualAccountItem } from '#shared/virtual-accounts/store/items.ts';
import { receivingAccountKey, virtualAccountKey } from '#shared/virtual-accounts/store/keys.ts';
import type { Delivery } from '#shared/webhooks/domain/delivery.ts';
import type { Event } from '#shared/webhooks/domain/event.ts';
import { deliveryItem, eventItem } from '#shared/webhooks/store/items.ts';
import { assignReference } from './assign-reference.ts';
import { reversalMarks } from './daily-totals.ts';
import { paymentItem } from './items.ts';
import { locate } from './locate.ts';
import { tenantFields } from './owners.ts';
import { unmatchedWrites } from './unmatched-store.ts';

type RecordFailure = Exclude<RecordResult, 'recorded'>;
const conflict = (): RecordFailure => 'conflict';

/**
 * Builds the condition for a new payment: nothing is stored under its key, or only unmatched money. An accepted transfer must not replace unmatched
 * money that was returned.
 */
const unrecorded = ({ outcome, origin }: Payment) => {
  const mayReplaceReturned = outcome !== 'accepted' || origin.kind !== 'transfer';
  return mayReplaceReturned
    ? { expression: 'attribute_not_exists(pk) OR unmatched = :unmatched', values: { ':unmatched': true } }
    : {
        expression: 'attribute_not_exists(pk) OR (unmatched = :unmatched AND money.outcome = :accepted)',
        values: { ':unmatched': true, ':accepted': 'accepted' },
      };
};
/** Builds the condition that a checkout has not changed since it was read. */
const revisionIs = (revision: number) => ({
  expression: 'revision = :revision',
  values: { ':revision': revision },
});
/** Builds the condition that a payment still counts, and was not erased since it was read: a reversal must not bring back an erased name. */
const stillAccepted = ({ senderName }: Payment) => ({
  expression: 'outcome = :accepted AND senderName = :sender',
  values: { ':accepted': 'accepted', ':sender': senderName },
});

/**
 * Builds the condition that refunds, outcome and sender of a payment have not changed since it was read. An erasure may have removed the
 * sender's name.
 */
const sameNotes = ({ outcome, senderName, refunds }: Payment) => ({
  expression: `outcome = :outcome AND senderName = :sender AND ${refunds ? 'size(refunds) = :refunds' : 'attribute_not_exists(refunds)'}`,
  values: { ':outcome': outcome, ':sender': senderName, ...(refunds && { ':refunds': refunds.length }) },
});

const announcedWrites = (table: Table, event: Event, deliveries: readonly Delivery[]): Write<RecordFailure>[] => [
  { put: eventItem(event, deliveries), when: ABSENT },
  ...deliveries.map((delivery) => ({ put: deliveryItem(table, delivery), when: ABSENT })),
];

const buildAccountItem = (table: Table, account: VirtualAccount | UnsettledVirtualAccount) =>
  account.status === 'opening' ? openingVirtualAccountItem(table, account) : virtualAccountItem(table, account);

/** Finds the account number that a change adds; undefined if the account had one before, or has none yet. */
const findNewNumber = ({ before, after }: NonNullable<LedgerEntry['virtualAccount']>): string | undefined =>
  'account' in before && before.account ? undefined : 'account' in after ? after.account?.accountNumber : undefined;

const buildWrites = (table: Table, entry: LedgerEntry): Write<RecordFailure>[] => {
  const {
    payment,
    reversed = [],
    noteChange,
    unmatched,
    checkout: checkoutChange,
    virtualAccount: accountChange,
    announced = [],
  } = entry;
  const number = accountChange && findNewNumber(accountChange);
  return [
    ...(payment ? [{ put: paymentItem(table, payment), when: unrecorded(payment), otherwise: conflict }] : []),
    ...reversed.map((reversedPayment) => ({
      put: paymentItem(table, reversedPayment),
      when: stillAccepted(reversedPayment),
      otherwise: conflict,
    })),
    ...(unmatched ? unmatchedWrites(table, unmatched) : []),
    ...(noteChange
      ? [{ put: paymentItem(table, noteChange.after), when: sameNotes(noteChange.before), otherwise: conflict }]
      : []),
    // Every reversal has an event, and the event's time marks the day. If a reversal had no event, the largest time would mark the day. Then the
    // day's sum would never be final, and each request would compute it again: slow, but right.
    ...reversalMarks(reversed, announced[0]?.event.createdAt ?? Number.MAX_SAFE_INTEGER),
    ...(checkoutChange
      ? [
          {
            put: checkoutItem(table, checkoutChange.after),
            when: revisionIs(checkoutChange.before.revision),
            otherwise: conflict,
          },
        ]
      : []),
    ...(accountChange
      ? [
          {
            put: buildAccountItem(table, accountChange.after),
            when: versionIs(accountChange.before.version),
            otherwise: conflict,
          },
        ]
      : []),
    ...(accountChange && number !== undefined
      ? [
          {
            put: {
              ...receivingAccountKey(accountChange.after.mode, accountChange.after.provider, number),
              virtualAccountId: accountChange.after.id,
            },
            when: ABSENT,
            otherwise: (): RecordFailure => 'number_taken',
          },
        ]
      : []),
    ...announced.flatMap(({ event, deliveries }) => announcedWrites(table, event, deliveries)),
  ];
};

/** Whether an item shows without parsing that an account's outcome is known. Any other item is parsed. If it is unreadable, that is an error. */
const isSettled = (item: Item | undefined): boolean =>
  item?.status === 'active' ||
  item?.status === 'failed' ||
  (item?.status === 'inactive' && item.settleAt === undefined);

/** Reads and writes the ledger in the table. */
export const ledger = (table: Table): Ledger => ({
  readCheckout: async (tenant, reference) => {
    const [owner, item] = await getItems(table, [businessKey(tenant.businessId), checkoutKey(reference)]);
    const existing = item?.status === 'opening' ? undefined : readItem(table, checkout, item);
    const ownedBy = readItem(table, business, owner);
    return ownedBy && existing && belongsTo(tenant, existing) ? { business: ownedBy, checkout: existing } : undefined;
  },
  readVirtualAccount: async (tenant, id) => {
    const [owner, item] = await getItems(table, [businessKey(tenant.businessId), virtualAccountKey(id)]);
    const account = item?.status === 'opening' ? undefined : readItem(table, virtualAccount, item);
    const ownedBy = readItem(table, business, owner);
    return ownedBy && account && belongsTo(tenant, account)
      ? { business: ownedBy, virtualAccount: account }
      : undefined;
  },
  readUnsettled: async (tenant, id) => {
    const [owner, item] = await getItems(table, [businessKey(tenant.businessId), virtualAccountKey(id)]);
    const account = isSettled(item) ? undefined : readItem(table, unsettledVirtualAccount, item);
    const ownedBy = readItem(table, business, owner);
    return ownedBy && account && belongsTo(tenant, account)
      ? { business: ownedBy, virtualAccount: account }
      : undefined;
  },
  locate: locate(table),
  readPayments: async ({ mode, provider }, origins) => {
    const keys = origins.map((origin) => paymentKey(mode, provider, origin));
    return (await getItems(table, keys)).map((item) => {
      const existing = readItem(table, payment, item);
      if (!existing) throw new Error('A payment that counts is not recorded.');
      return existing;
    });
  },
  assignReference: assignReference(table),
  findTenant: async (owner) => {
    const item = await getItem(
      table,
      owner.kind === 'checkout' ? checkoutKey(owner.reference) : virtualAccountKey(owner.id),
    );
    return readItem(table, tenantFields, item);
  },
  buildWrites: (entry) => buildWrites(table, entry),
  record: async (entry) => (await transact(table, buildWrites(table, entry))) ?? 'recorded',
});
