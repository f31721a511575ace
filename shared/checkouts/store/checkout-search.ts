import { type Checkout, checkout } from '#shared/checkouts/domain/checkout.ts';
import { type CheckoutFilter, matchesFilter } from '#shared/checkouts/domain/checkout-filter.ts';
import type { CheckoutSearch } from '#shared/checkouts/ports.ts';
import {
  checkoutKey,
  checkoutOfPointer,
  checkoutPartition,
  checkoutsOfPayer,
  LABELS_END,
  merchantReferenceKey,
} from '#shared/checkouts/store/keys.ts';
import { belongsTo, type Tenant } from '#shared/platform/kernel/tenant.ts';
import type { Page, PageRequest } from '#shared/platform/ports.ts';
import { emailHash } from '#shared/platform/table/email-hash.ts';
import { type Key, listStart } from '#shared/platform/table/keys.ts';
import { readEach } from '#shared/platform/table/readable.ts';
import { getItems, type ListedKey, listKeys, listPointers, type Table } from '#shared/platform/table/table.ts';
import { accountNumbers } from '#shared/virtual-accounts/store/account-numbers.ts';

/** Maximum number of checkouts that a search reads for one list page. */
const MAX_READ = 500;
/** Number of checkouts that one round of a search reads. */
const ROUND_SIZE = 100;

/** A list that contains every checkout that matches, and possibly others. */
interface Source {
  readonly list: (page: PageRequest) => Promise<Page<ListedKey>>;
  /** Start position of its first page; null: its newest entry. */
  readonly begin: string | null;
  /** Entries that sort before this position are too old. */
  readonly end: string;
  /** Whether every checkout on the list matches. */
  readonly isExact: boolean;
}

/**
 * Lists the checkouts of an account number, newest first, provider by provider. Providers reuse numbers, so other businesses' checkouts may
 * be among them.
 */
const accountNumberSource = (table: Table, { mode }: Tenant, accountNumber: string): Source => ({
  list: async ({ limit, after }) => {
    const owners = await accountNumbers(table).findOwners(mode, accountNumber);
    const all = owners.flatMap((owner) => (owner.kind === 'checkout' ? [owner.reference] : []));
    const begin = after === null ? 0 : all.indexOf(after) + 1;
    const items = all
      .slice(begin, begin + limit)
      .map((reference) => ({ ...checkoutKey(reference), position: reference }));
    return { items, next: begin + limit < all.length ? (items.at(-1)?.position ?? null) : null };
  },
  begin: null,
  end: '',
  isExact: false,
});

/** Chooses the shortest list that contains every match. */
const chooseSource = (table: Table, hashKey: string, tenant: Tenant, filter: CheckoutFilter): Source => {
  const { from, to, status, payerEmail, merchantReference, accountNumber } = filter;
  if (accountNumber !== null) return accountNumberSource(table, tenant, accountNumber);
  if (merchantReference !== null) {
    const { pk } = merchantReferenceKey(tenant, merchantReference);
    const isExact = from === null && to === null && status === null && payerEmail === null;
    // Checkouts made by servers come before those made in browsers, so the list is not ordered by time.
    return { list: (page) => listPointers(table, pk, page), begin: LABELS_END, end: '', isExact };
  }
  const inTime = {
    begin: to === null ? null : listStart(to),
    end: from === null ? '' : listStart(from),
    isExact: status === null,
  };
  if (payerEmail === null) return { list: (page) => listKeys(table, checkoutPartition(tenant), page), ...inTime };
  const payer = checkoutsOfPayer(tenant, emailHash(hashKey, payerEmail));
  return { list: (page) => listKeys(table, payer, page), ...inTime };
};

/** Returns the key of the checkout that a list entry is or points to. */
const toCheckoutKey = (listed: ListedKey): Key =>
  listed.pk.startsWith('CHK#') ? listed : checkoutOfPointer({ sk: listed.position });

/** Searches checkouts in the table. `hashKey`: the stage's secret for hashing e-mail addresses. */
export const checkoutSearch = (table: Table, hashKey: string): CheckoutSearch => ({
  search: async (tenant, filter, { limit, after: start }) => {
    const source = chooseSource(table, hashKey, tenant, filter);
    const results: Checkout[] = [];
    let after = start ?? source.begin;
    for (let read = 0; read < MAX_READ; ) {
      const round = await source.list({ limit: source.isExact ? limit : ROUND_SIZE, after });
      const listed = round.items.filter(({ position }) => position >= source.end);
      const isLast = round.next === null || listed.length < round.items.length;
      const items = await getItems(table, listed.map(toCheckoutKey), { mayLag: !source.isExact });
      read += listed.length;
      // A pointer may lead to a checkout that is still being opened, which nobody may see yet.
      const visible = items.map((item) => (item?.status === 'opening' ? undefined : item));
      for (const [i, candidate] of readEach(table, checkout, visible).entries()) {
        if (candidate && belongsTo(tenant, candidate) && matchesFilter(filter, candidate)) results.push(candidate);
        const more = i + 1 < items.length || !isLast;
        if (results.length === limit) return { items: results, next: more ? (listed[i]?.position ?? null) : null };
      }
      if (isLast) return { items: results, next: null };
      after = round.next;
      if (source.isExact) break;
    }
    return { items: results, next: after };
  },
});
