import * as z from 'zod/mini';
import { checkoutKey } from '#shared/checkouts/store/keys.ts';
import { type Payment, type PaymentOwner, payment } from '#shared/payments/domain/payment.ts';
import {
  hasAmountAndOutcome,
  isFromSender,
  isOfPayer,
  isPaymentSearch,
  type PaymentFilter,
} from '#shared/payments/domain/payment-filter.ts';
import type { PaymentSearch } from '#shared/payments/ports.ts';
import { positionOfPayment } from '#shared/payments/store/keys.ts';
import { inBatches } from '#shared/platform/kernel/batches.ts';
import { textOrNull } from '#shared/platform/kernel/schemas.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import type { Page, PageRequest } from '#shared/platform/ports.ts';
import type { Key } from '#shared/platform/table/keys.ts';
import { readEach } from '#shared/platform/table/readable.ts';
import { getItems, type Item, type Table } from '#shared/platform/table/table.ts';
import { virtualAccountKey } from '#shared/virtual-accounts/store/keys.ts';
import { type IndexedPayment, queryPayments } from './payment-index.ts';
import { listOwnersOfPayer, mergeOwnerPayments } from './payments-of-payer.ts';

/** Upper bound on index entries that one list page examines. */
const MAX_ENTRIES = 10_000;
/**
 * If the filter needs more than the index entries of payments, a list page also reads the items of these payments. After it has read this many, or as
 * many as it may hold if that is more, it makes no further query of the index. So it reads less than ROUND_SIZE payments more than that.
 */
const MAX_SEARCHED = 500;
/** Number of index entries that one query reads if the filter may leave some out. */
const ROUND_SIZE = 1_000;
/** Number of payments that are read at once if their items are searched. */
const SEARCHED_AT_ONCE = 100;
/** The largest list page that is read consistently. Larger ones, such as those of an export, use reads that may lag by a second and cost half. */
const MAX_CONSISTENT_PAGE = 100;

/** The e-mail address of an owner: `payerEmail` on a checkout, `customerEmail` on a virtual account. */
const ownerEmail = z.object({ payerEmail: z.optional(textOrNull), customerEmail: z.optional(textOrNull) });

const keyOfOwner = (owner: PaymentOwner): Key =>
  owner.kind === 'checkout' ? checkoutKey(owner.reference) : virtualAccountKey(owner.id);

const readEmail = (item: Item | undefined): string | null => {
  const { payerEmail, customerEmail } = ownerEmail.safeParse(item).data ?? {};
  return payerEmail ?? customerEmail ?? null;
};

/** Reads payments and checks them against the filter. Keeps their order; undefined for a payment that does not match. */
const readMatching = async (
  table: Table,
  filter: PaymentFilter,
  entries: readonly IndexedPayment[],
  mayLag: boolean,
): Promise<readonly (Payment | undefined)[]> => {
  const items = await getItems(
    table,
    entries.map(({ key }) => key),
    { mayLag },
  );
  const matches = readEach(table, payment, items).map((candidate) => {
    // The index lags, so the item is checked again.
    return candidate && hasAmountAndOutcome(filter, candidate) && isFromSender(filter, candidate)
      ? candidate
      : undefined;
  });
  if (filter.payerEmail === null) return matches;
  const owners = matches.map((match) => match && keyOfOwner(match.owner));
  // The address never changes, so a read that lags is good enough.
  const read = await getItems(
    table,
    owners.filter((key) => key !== undefined),
    { mayLag: true },
  );
  const emails = read.map(readEmail)[Symbol.iterator]();
  return matches.map((match) => (match && isOfPayer(filter, emails.next().value ?? null) ? match : undefined));
};

/**
 * Lists a page of a business's payments, newest first. With a filter it may hold fewer than `limit`, even none, and still have a next page: the number
 * of entries that one call examines is bounded.
 */
const listAll = async (
  table: Table,
  tenant: Tenant,
  filter: PaymentFilter,
  { limit, after }: PageRequest,
): Promise<Page<Payment>> => {
  const isSearched = filter.sender !== null || filter.payerEmail !== null;
  const maxRead = isSearched ? Math.max(limit, MAX_SEARCHED) : Number.POSITIVE_INFINITY;
  const roundSize = isPaymentSearch(filter) ? ROUND_SIZE : limit + 1;
  const mayLag = isPaymentSearch(filter) || limit > MAX_CONSISTENT_PAGE;
  const payments: Payment[] = [];
  let [before, examined, read] = [after, 0, 0];
  while (examined < MAX_ENTRIES && read < maxRead) {
    const range = { from: filter.from, to: filter.to, before };
    const { entries, unreadable, end, next } = await queryPayments(table, tenant, range, { limit: roundSize });
    examined += entries.length + unreadable;
    const candidates = entries.filter((entry) => hasAmountAndOutcome(filter, entry));
    const batchSize = isSearched ? SEARCHED_AT_ONCE : limit;
    for (const batch of inBatches(candidates, batchSize)) {
      const matches = await readMatching(table, filter, batch, mayLag);
      read += batch.length;
      for (const [i, match] of matches.entries()) {
        if (match) payments.push(match);
        if (payments.length < limit) continue;
        const last = batch[i];
        const isLast = !next && last === candidates.at(-1);
        return { items: payments, next: isLast || !last ? null : positionOfPayment(last.recordedAt, last.id) };
      }
    }
    if (!next || end === undefined) return { items: payments, next: null };
    before = end;
  }
  return { items: payments, next: before };
};

/**
 * Searches a business's payments in the table. To find the payments of one payer, it merges the lists of the payer's checkouts and accounts. If
 * there are too many of these (listOwnersOfPayer), it examines the payments of all payers instead. `hashKey`: the stage's secret for hashing e-mail
 * addresses.
 */
export const paymentSearch = (table: Table, hashKey: string): PaymentSearch => ({
  list: async (tenant, filter, page) => {
    const { payerEmail } = filter;
    const owners = payerEmail === null ? undefined : await listOwnersOfPayer(table, hashKey, tenant, payerEmail);
    return owners ? mergeOwnerPayments(table, owners, filter, page) : listAll(table, tenant, filter, page);
  },
});
