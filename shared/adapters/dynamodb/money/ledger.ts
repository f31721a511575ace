import * as z from 'zod/mini';
import { checkoutItem } from '#shared/adapters/dynamodb/checkouts/items.ts';
import { answerWrite } from '#shared/adapters/dynamodb/requests/answers.ts';
import {
  assignedReferenceKey,
  businessKey,
  checkoutKey,
  type Key,
  paymentKey,
  receivingAccountKey,
  virtualAccountKey,
} from '#shared/adapters/dynamodb/table/keys.ts';
import { getItem, getItems, type Item, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import { ABSENT, transact, versionIs, type Write } from '#shared/adapters/dynamodb/table/transact.ts';
import { openingVirtualAccountItem, virtualAccountItem } from '#shared/adapters/dynamodb/virtual-accounts/items.ts';
import { deliveryItem, eventItem } from '#shared/adapters/dynamodb/webhooks/items.ts';
import { business } from '#shared/domain/businesses/business.ts';
import { attemptReferences, hasUsed, referenceOfAttempt } from '#shared/domain/checkouts/attempt-reference.ts';
import { type Checkout, checkout } from '#shared/domain/checkouts/checkout.ts';
import { checkoutReference, idSchema } from '#shared/domain/kernel/ids.ts';
import { mode } from '#shared/domain/kernel/mode.ts';
import { text } from '#shared/domain/kernel/schemas.ts';
import { belongsTo } from '#shared/domain/kernel/tenant.ts';
import { type Payment, payment } from '#shared/domain/money/payment.ts';
import { type Payee, sourceOf } from '#shared/domain/money/report.ts';
import { unmatchedPayment } from '#shared/domain/money/unmatched-payment.ts';
import {
  type UnsettledVirtualAccount,
  unsettledVirtualAccount,
  type VirtualAccount,
  virtualAccount,
} from '#shared/domain/virtual-accounts/virtual-account.ts';
import type { Ledger, LedgerEntry, Located, Recorded } from '#shared/ports/money.ts';
import { paymentItem } from './items.ts';
import { unmatchedAsRead } from './unmatched-store.ts';

const tenant = z.object({ businessId: text, mode });
/** Whose a virtual account is; the test number of a checkout has no such field. */
const receiver = z.object({ virtualAccountId: text });
/** Whom a reference's running total was assigned to. */
const assigned = z.object({ checkout: checkoutReference });

type NotRecorded = Exclude<Recorded, 'recorded'>;
const conflict = (): NotRecorded => 'conflict';

/** Money that is not recorded, or only as unmatched; to be accepted, it must not have been returned since. */
const unrecorded = ({ outcome, origin }: Payment) => {
  const mayBeUnmatched = outcome !== 'accepted' || origin.kind !== 'transfer';
  return mayBeUnmatched
    ? { expression: 'attribute_not_exists(pk) OR unmatched = :unmatched', values: { ':unmatched': true } }
    : {
        expression: 'attribute_not_exists(pk) OR (unmatched = :unmatched AND money.outcome = :accepted)',
        values: { ':unmatched': true, ':accepted': 'accepted' },
      };
};
/** The checkout as it was read. */
const revisionIs = (revision: number) => ({
  expression: 'revision = :revision',
  values: { ':revision': revision },
});
/** No checkout has used the reference, which is one of its attempt references: it is not there, is still being opened, or has stayed with an earlier one. */
const isUsedByNobody = (attempted: string) => {
  const reference = referenceOfAttempt(attempted);
  const using = attemptReferences(reference).filter((providerReference) =>
    hasUsed({ reference, providerReference }, attempted),
  );
  const values = Object.fromEntries(using.map((providerReference, i) => [`:using${i}`, providerReference]));
  const expression = `attribute_not_exists(providerReference) OR NOT providerReference IN (${Object.keys(values)})`;
  return using.length > 0 ? { expression, values } : undefined;
};
const STILL_ACCEPTED = { expression: 'outcome = :accepted', values: { ':accepted': 'accepted' } };

const settledItem = (table: Table, account: VirtualAccount | UnsettledVirtualAccount) =>
  account.status === 'opening' ? openingVirtualAccountItem(table, account) : virtualAccountItem(table, account);

/** The number under which a change makes an account known; undefined when it had one before, or has none yet. */
const newNumber = ({ before, after }: NonNullable<LedgerEntry['virtualAccount']>): string | undefined =>
  'account' in before && before.account ? undefined : 'account' in after ? after.account?.accountNumber : undefined;

/** The item of whoever a reference of ours was made for; undefined for a reference that is not ours. */
const keyOfReference = (reference: string): Key | undefined => {
  if (checkoutReference.safeParse(reference).success) return checkoutKey(reference);
  return idSchema('va').safeParse(reference).success ? virtualAccountKey(reference) : undefined;
};

/** Money lands on visible checkouts, if it is theirs, and on virtual accounts that the provider has issued. */
const ownerOfItem = (
  item: Item | undefined,
  isFor: (found: Checkout) => boolean = () => true,
): Pick<Located, 'owner' | 'tenant'> => {
  const found = checkout.safeParse(item).data;
  if (found) {
    const owner = { kind: 'checkout', reference: found.reference } as const;
    return isFor(found) ? { owner, tenant: tenant.parse(item) } : NO_OWNER;
  }
  const { status, id } = virtualAccount.safeParse(item).data ?? {};
  const isIssued = id !== undefined && (status === 'active' || status === 'inactive');
  return isIssued ? { owner: { kind: 'virtual_account', id }, tenant: tenant.parse(item) } : NO_OWNER;
};
const NO_OWNER = { owner: undefined, tenant: undefined };

/**
 * A checkout is known by a reference that it has used, a virtual account by its number or by our reference. A total that operations
 * assigned belongs to the checkout that they named.
 */
const ownerOf = async (
  table: Table,
  payee: Payee,
  payeeItem: Item | undefined,
  assignment: Item | undefined,
): Promise<Pick<Located, 'owner' | 'tenant'>> => {
  const to = assigned.safeParse(assignment).data;
  if (to) return ownerOfItem(await getItem(table, checkoutKey(to.checkout)));
  if (payee.by === 'our_reference') return ownerOfItem(payeeItem, (found) => hasUsed(found, payee.reference));
  const receiving = receiver.safeParse(payeeItem).data;
  return receiving ? ownerOfItem(await getItem(table, virtualAccountKey(receiving.virtualAccountId))) : NO_OWNER;
};

const writesOf = (table: Table, entry: LedgerEntry): Write<NotRecorded>[] => {
  const {
    answer,
    payment,
    reversed = [],
    checkout: checkoutChange,
    virtualAccount: accountChange,
    event,
    deliveries = [],
  } = entry;
  const number = accountChange && newNumber(accountChange);
  return [
    // The answer first: a repeated request must get its first answer, whatever else has changed since.
    ...(answer ? [answerWrite(answer)] : []),
    ...(payment ? [{ put: paymentItem(table, payment), when: unrecorded(payment), otherwise: conflict }] : []),
    ...reversed.map((reversedPayment) => ({
      put: paymentItem(table, reversedPayment),
      when: STILL_ACCEPTED,
      otherwise: conflict,
    })),
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
            put: settledItem(table, accountChange.after),
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
            otherwise: (): NotRecorded => 'number_taken',
          },
        ]
      : []),
    ...(event ? [{ put: eventItem(event, deliveries), when: ABSENT }] : []),
    ...deliveries.map((delivery) => ({ put: deliveryItem(table, delivery), when: ABSENT })),
  ];
};

/** Finds whom reported money is for, and what is recorded of it. */
const locate =
  (table: Table): Ledger['locate'] =>
  async (provider, money) => {
    const { payee } = money;
    const payeeKey =
      payee.by === 'our_reference'
        ? keyOfReference(referenceOfAttempt(payee.reference))
        : receivingAccountKey('live', provider, payee.accountNumber);
    // The payments of a running total are not searched: it lands on the owner of its reference, by the difference to what counts there.
    const keyOfPayment = paymentKey('live', provider, sourceOf(money));
    // A rejection may belong to a transaction that is reported as a running total.
    const assignmentKey =
      money.kind !== 'transfer' && payee.by === 'our_reference'
        ? assignedReferenceKey(provider, payee.reference)
        : undefined;
    const keys = [keyOfPayment, payeeKey, assignmentKey].filter((key) => key !== undefined);
    const items = await getItems(table, keys);
    const itemAt = (key: Key | undefined): Item | undefined => key && items[keys.indexOf(key)];
    const unmatched = unmatchedPayment.safeParse(itemAt(keyOfPayment)).data;
    // A batch is not one consistent read. Unmatched money may be assigned until its checkout can be seen: read the assignment after that.
    const assignment =
      itemAt(assignmentKey) ??
      (assignmentKey && unmatched && itemAt(payeeKey) ? await getItem(table, assignmentKey) : undefined);
    return {
      ...(await ownerOf(table, payee, itemAt(payeeKey), assignment)),
      known: payment.safeParse(itemAt(keyOfPayment)).data,
      unmatched,
    };
  };

/** Assigns the running total of a reference to a checkout. */
const assignReference =
  (table: Table): Ledger['assignReference'] =>
  async (unmatched, reference, to) => {
    const { provider, mode: of, source } = unmatched;
    const put = { ...assignedReferenceKey(provider, reference), checkout: to };
    const when = { expression: 'attribute_not_exists(pk) OR checkout = :to', values: { ':to': to } };
    const before = (existing: Item | undefined) => ({ to: assigned.parse(existing).checkout });
    const own = referenceOfAttempt(reference);
    const paidFor = own === to ? undefined : keyOfReference(own);
    const free = isUsedByNobody(reference);
    const writes: Write<'changed' | 'has_owner' | { to: string }>[] = [
      { put, when, otherwise: before },
      ...(paidFor && free ? [{ check: paidFor, when: free, otherwise: () => 'has_owner' as const }] : []),
      {
        check: paymentKey(of, provider, source),
        when: unmatchedAsRead(unmatched),
        otherwise: () => 'changed' as const,
      },
    ];
    return (await transact(table, writes)) ?? 'assigned';
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
    const found = unsettledVirtualAccount.safeParse(item).data;
    return owner && found && belongsTo(of, found)
      ? { business: business.parse(owner), virtualAccount: found }
      : undefined;
  },
  locate: locate(table),
  readPayments: async (provider, origins) => {
    const keys = origins.map((origin) => paymentKey('live', provider, origin));
    return (await getItems(table, keys)).map((item) => payment.parse(item));
  },
  assignReference: assignReference(table),
  tenantOf: async (owner) => {
    const item = await getItem(
      table,
      owner.kind === 'checkout' ? checkoutKey(owner.reference) : virtualAccountKey(owner.id),
    );
    return item && tenant.parse(item);
  },
  record: async (entry) => (await transact(table, writesOf(table, entry))) ?? 'recorded',
});
