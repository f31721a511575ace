import * as z from 'zod';
import { referenceOfAttempt } from '#shared/domain/attempt-reference.ts';
import { business } from '#shared/domain/business.ts';
import { checkout } from '#shared/domain/checkout.ts';
import { checkoutReference, idSchema } from '#shared/domain/ids.ts';
import { transferIdOf } from '#shared/domain/landing.ts';
import { mode } from '#shared/domain/mode.ts';
import { payment, unmatchedPayment } from '#shared/domain/payment.ts';
import { belongsTo } from '#shared/domain/tenant.ts';
import {
  openingVirtualAccount,
  type UnsettledVirtualAccount,
  type VirtualAccount,
  virtualAccount,
} from '#shared/domain/virtual-account.ts';
import type { Ledger, LedgerEntry, Located, Recorded } from '#shared/ports.ts';
import {
  answerWrite,
  checkoutItem,
  deliveryItem,
  eventItem,
  intentItem,
  paymentItem,
  virtualAccountItem,
} from './items.ts';
import { businessKey, checkoutKey, type Key, paymentKey, receivingAccountKey, virtualAccountKey } from './keys.ts';
import { getItem, getItems, type Item, type Table } from './table.ts';
import { ABSENT, transact, versionIs, type Write } from './transact.ts';

const tenant = z.object({ businessId: z.string(), mode });
/** Whose a standing account is; the test number of a checkout has no such field. */
const receiver = z.object({ virtualAccountId: z.string() });
const unsettled = z.union([virtualAccount.options[1], openingVirtualAccount]);

type Miss = Exclude<Recorded, 'recorded'>;
const stale = (): Miss => 'stale';
const recordedBefore = (): Miss => 'recorded_before';

/** Money that nobody has recorded, or only as unmatched. */
const UNRECORDED = { expression: 'attribute_not_exists(pk) OR unmatched = :unmatched', values: { ':unmatched': true } };
const STILL_ACCEPTED = { expression: 'outcome = :accepted', values: { ':accepted': 'accepted' } };

const settledItem = (table: Table, account: VirtualAccount | UnsettledVirtualAccount) =>
  account.status === 'opening' ? intentItem(table, account) : virtualAccountItem(table, account);

/** The item of whoever a reference of ours was made for; undefined for a reference that is not ours. */
const keyOfReference = (reference: string): Key | undefined => {
  if (checkoutReference.safeParse(reference).success) return checkoutKey(reference);
  return idSchema('va').safeParse(reference).success ? virtualAccountKey(reference) : undefined;
};

/** What money can land on: not what nobody can see yet, nor an account that the provider has not issued. */
const ownerOf = (item: Item | undefined): Pick<Located, 'owner' | 'tenant'> => {
  const paid = checkout.safeParse(item).data;
  if (paid) return { owner: { kind: 'checkout', reference: paid.reference }, tenant: tenant.parse(item) };
  const { status, id } = virtualAccount.safeParse(item).data ?? {};
  const isIssued = id !== undefined && (status === 'active' || status === 'inactive');
  return isIssued ? { owner: { kind: 'virtual_account', id }, tenant: tenant.parse(item) } : NOBODY;
};
const NOBODY = { owner: undefined, tenant: undefined };

const writesOf = (table: Table, entry: LedgerEntry): Write<Miss>[] => {
  const { answer, payment, reversed = [], checkout: paid, virtualAccount: settled, event, deliveries = [] } = entry;
  return [
    // The answer first: a repeated request must hear its first answer, whatever else has changed since.
    ...(answer ? [answerWrite(answer)] : []),
    ...(payment ? [{ put: paymentItem(payment), when: UNRECORDED, otherwise: recordedBefore }] : []),
    ...reversed.map((gone) => ({ put: paymentItem(gone), when: STILL_ACCEPTED, otherwise: recordedBefore })),
    ...(paid ? [{ put: checkoutItem(table, paid.after), when: versionIs(paid.before.version), otherwise: stale }] : []),
    ...(settled
      ? [{ put: settledItem(table, settled.after), when: versionIs(settled.before.version), otherwise: stale }]
      : []),
    ...(settled && settled.before.status !== 'active' && settled.after.status === 'active'
      ? [
          {
            put: {
              ...receivingAccountKey(settled.after.mode, settled.after.provider, settled.after.account.accountNumber),
              virtualAccountId: settled.after.id,
            },
            when: ABSENT,
            otherwise: (): Miss => 'number_taken',
          },
        ]
      : []),
    ...(event ? [{ put: eventItem(event), when: ABSENT }] : []),
    ...deliveries.map((delivery) => ({ put: deliveryItem(table, delivery), when: ABSENT })),
  ];
};

/** The ledger in the table. */
export const ledger = (table: Table): Ledger => ({
  readCheckout: async (of, reference) => {
    const [owner, item] = await getItems(table, [businessKey(of.businessId), checkoutKey(reference)]);
    const found = item && item.status !== 'opening' ? checkout.parse(item) : undefined;
    return owner && found && belongsTo(of, found) ? { business: business.parse(owner), checkout: found } : undefined;
  },
  readVirtualAccount: async (of, id) => {
    const [owner, item] = await getItems(table, [businessKey(of.businessId), virtualAccountKey(id)]);
    const found = item && item.status !== 'opening' ? virtualAccount.parse(item) : undefined;
    return owner && found && belongsTo(of, found)
      ? { business: business.parse(owner), virtualAccount: found }
      : undefined;
  },
  readUnsettled: async (of, id) => {
    const [owner, item] = await getItems(table, [businessKey(of.businessId), virtualAccountKey(id)]);
    const found = unsettled.safeParse(item).data;
    return owner && found && belongsTo(of, found)
      ? { business: business.parse(owner), virtualAccount: found }
      : undefined;
  },
  locate: async (provider, money) => {
    const { payee } = money;
    const direct =
      payee.by === 'our_reference'
        ? keyOfReference(referenceOfAttempt(payee.reference))
        : receivingAccountKey('live', provider, payee.accountNumber);
    const paymentAt = paymentKey('live', provider, transferIdOf(money));
    const [recorded, found] = await getItems(table, direct ? [paymentAt, direct] : [paymentAt]);
    const standing = payee.by === 'account_number' ? receiver.safeParse(found).data : undefined;
    const owner = standing ? await getItem(table, virtualAccountKey(standing.virtualAccountId)) : found;
    return {
      ...ownerOf(owner),
      known: payment.safeParse(recorded).data,
      unmatched: unmatchedPayment.safeParse(recorded).data,
    };
  },
  tenantOf: async (owner) => {
    const item = await getItem(
      table,
      owner.kind === 'checkout' ? checkoutKey(owner.reference) : virtualAccountKey(owner.id),
    );
    return item && tenant.parse(item);
  },
  record: async (entry) => (await transact(table, writesOf(table, entry))) ?? 'recorded',
});
