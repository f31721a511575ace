import { checkoutsOfPayer, referenceAtEnd } from '#shared/checkouts/store/keys.ts';
import { type Payment, type PaymentOwner, payment } from '#shared/payments/domain/payment.ts';
import { hasAmountAndOutcome, isFromSender, type PaymentFilter } from '#shared/payments/domain/payment-filter.ts';
import { ownerPartition } from '#shared/payments/store/keys.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import type { Page, PageRequest } from '#shared/platform/ports.ts';
import { emailHash } from '#shared/platform/table/email-hash.ts';
import { listStart } from '#shared/platform/table/keys.ts';
import { readEach } from '#shared/platform/table/readable.ts';
import { getItems, type ListedKey, listKeys, listPointers, type Table } from '#shared/platform/table/table.ts';
import { accountOfPointer, customerPartition } from '#shared/virtual-accounts/store/keys.ts';

/** Upper bound on checkouts and accounts whose lists are merged. A list page makes one query for each. */
const MAX_OWNERS = 50;
/** Lower bound on payments that a list page examines, if there are enough. */
const ROUND_SIZE = 100;

/** Lists the checkouts and virtual accounts with an e-mail address; undefined if there are too many to merge their lists. */
export const listOwnersOfPayer = async (
  table: Table,
  hashKey: string,
  tenant: Tenant,
  email: string,
): Promise<readonly PaymentOwner[] | undefined> => {
  const hash = emailHash(hashKey, email);
  const page = { limit: MAX_OWNERS, after: null };
  const [checkouts, accounts] = await Promise.all([
    listKeys(table, checkoutsOfPayer(tenant, hash), page),
    listPointers(table, customerPartition(tenant, hash), page),
  ]);
  const owners: PaymentOwner[] = [
    ...checkouts.items.map(({ position }) => ({ kind: 'checkout', reference: referenceAtEnd(position) }) as const),
    ...accounts.items.map((pointer) => ({ kind: 'virtual_account', id: accountOfPointer(pointer) }) as const),
  ];
  const isAll = checkouts.next === null && accounts.next === null && owners.length <= MAX_OWNERS;
  return isAll ? owners : undefined;
};

const newestFirst = (a: ListedKey, b: ListedKey): number =>
  a.position < b.position ? 1 : a.position > b.position ? -1 : 0;

/** Lists a page of the payments of some owners, newest first, merged from the list of each owner. */
export const mergeOwnerPayments = async (
  table: Table,
  owners: readonly PaymentOwner[],
  filter: PaymentFilter,
  { limit, after }: PageRequest,
): Promise<Page<Payment>> => {
  const size = Math.max(limit, ROUND_SIZE);
  const begin = after ?? (filter.to === null ? null : listStart(filter.to));
  const end = filter.from === null ? '' : listStart(filter.from);
  const lists = await Promise.all(
    owners.map((owner) => listKeys(table, ownerPartition(owner), { limit: size, after: begin })),
  );
  const merged = lists.flatMap(({ items }) => items).sort(newestFirst);
  // After the first `size` entries some may be missing, because each list was cut at `size`.
  const examined = merged.slice(0, size).filter(({ position }) => position >= end);
  const isPastEnd = examined.length < Math.min(size, merged.length);
  const isLast = isPastEnd || (merged.length <= size && lists.every(({ next }) => next === null));
  const items = await getItems(table, examined, { mayLag: true });
  const payments: Payment[] = [];
  for (const [i, candidate] of readEach(table, payment, items).entries()) {
    if (candidate && hasAmountAndOutcome(filter, candidate) && isFromSender(filter, candidate))
      payments.push(candidate);
    const more = i + 1 < items.length || !isLast;
    if (payments.length === limit) return { items: payments, next: more ? (examined[i]?.position ?? null) : null };
  }
  return { items: payments, next: isLast ? null : (examined.at(-1)?.position ?? null) };
};
