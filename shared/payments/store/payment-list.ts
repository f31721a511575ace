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

/** Index entries that a page examines at most. */
const MAX_ENTRIES = 10_000;
/** Payments that a page reads at most where their items have to be searched, if it does not want more. */
const MAX_SEARCHED = 500;
/** Entries that are listed in one call where a filter may drop some, and payments that are read at once where they are searched. */
const ROUND_SIZE = 1_000;
const SEARCHED_AT_ONCE = 100;
/** Payments of a page that people read. What reads more may lag by a second, for half of the read units. */
const PAGE = 100;

/** The e-mail address of an owner: a checkout has the one, a virtual account the other. */
const reachable = z.object({ payerEmail: z.optional(textOrNull), customerEmail: z.optional(textOrNull) });

const keyOfOwner = (owner: PaymentOwner): Key =>
  owner.kind === 'checkout' ? checkoutKey(owner.reference) : virtualAccountKey(owner.id);

const readEmail = (item: Item | undefined): string | null => {
  const { payerEmail, customerEmail } = reachable.safeParse(item).data ?? {};
  return payerEmail ?? customerEmail ?? null;
};

/** The payments whose items are as asked for, in their order; undefined for the others. */
const matching = async (
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
    // An entry may lag behind its item.
    return candidate && hasAmountAndOutcome(filter, candidate) && isFromSender(filter, candidate)
      ? candidate
      : undefined;
  });
  if (filter.payerEmail === null) return matches;
  const owners = matches.map((match) => match && keyOfOwner(match.owner));
  // The address never changes, so a lagging read does.
  const read = await getItems(
    table,
    owners.filter((key) => key !== undefined),
    { mayLag: true },
  );
  const emails = read.map(readEmail)[Symbol.iterator]();
  return matches.map((match) => (match && isOfPayer(filter, emails.next().value ?? null) ? match : undefined));
};

/**
 * A page of a business's payments, newest first. With a filter it may hold fewer than asked for, even none, and still have a next one:
 * what a call examines is bounded.
 */
const listAll = async (
  table: Table,
  tenant: Tenant,
  filter: PaymentFilter,
  { limit, after }: PageRequest,
): Promise<Page<Payment>> => {
  const isSearched = filter.sender !== null || filter.payerEmail !== null;
  const mayRead = isSearched ? Math.max(limit, MAX_SEARCHED) : Number.POSITIVE_INFINITY;
  const roundSize = isPaymentSearch(filter) ? ROUND_SIZE : limit + 1;
  const mayLag = isPaymentSearch(filter) || limit > PAGE;
  const payments: Payment[] = [];
  let [before, examined, read] = [after, 0, 0];
  while (examined < MAX_ENTRIES && read < mayRead) {
    const range = { from: filter.from, to: filter.to, before };
    const { entries, unreadable, end, next } = await queryPayments(table, tenant, range, { limit: roundSize });
    examined += entries.length + unreadable;
    const candidates = entries.filter((entry) => hasAmountAndOutcome(filter, entry));
    const batchSize = isSearched ? SEARCHED_AT_ONCE : limit;
    for (const batch of inBatches(candidates, batchSize)) {
      const matches = await matching(table, filter, batch, mayLag);
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
 * All payments of a business, in the table. Those of a payer are merged from the lists of that payer's checkouts and accounts, unless
 * these are very many. `hashKey` is the stage's secret for hashing e-mail addresses.
 */
export const paymentSearch = (table: Table, hashKey: string): PaymentSearch => ({
  list: async (tenant, filter, page) => {
    const { payerEmail } = filter;
    const owners = payerEmail === null ? undefined : await listOwnersOfPayer(table, hashKey, tenant, payerEmail);
    return owners ? mergeOwnerPayments(table, owners, filter, page) : listAll(table, tenant, filter, page);
  },
});
