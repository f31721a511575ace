import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import type { CheckoutReader } from '#shared/checkouts/ports.ts';
import { isSameAddress } from '#shared/platform/kernel/email-address.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import type { Page } from '#shared/platform/ports.ts';

/** A filter for checkouts; null: any value. */
export interface CheckoutFilter {
  readonly status: Checkout['status'] | null;
  /** Upper and lower case are equal, and surrounding spaces are ignored. */
  readonly payerEmail: string | null;
  readonly since: Millis | null;
}

/** Maximum number of checkouts that one search reads. */
const MAX_READ = 1_000;
/** Number of checkouts on a list page without a filter, and in each read. */
export const CHECKOUTS_A_PAGE = 50;

const matches = (checkout: Checkout, { status, payerEmail }: CheckoutFilter): boolean =>
  (status === null || checkout.status === status) &&
  (payerEmail === null || isSameAddress(checkout.payerEmail, payerEmail));

/**
 * Returns a list page of a business's checkouts, newest first, after a position of the list. With a filter, it reads at most a thousand
 * checkouts. Then the list page may be short or empty although another one follows, or hold up to 99 checkouts.
 */
export const searchCheckouts = async (
  { checkouts }: { readonly checkouts: Pick<CheckoutReader, 'list'> },
  tenant: Tenant,
  filter: CheckoutFilter,
  after: string | null,
): Promise<Page<Checkout>> => {
  const results: Checkout[] = [];
  let next = after;
  for (let read = 0; read < MAX_READ && results.length < CHECKOUTS_A_PAGE; read += CHECKOUTS_A_PAGE) {
    const page = await checkouts.list(tenant, { limit: CHECKOUTS_A_PAGE, after: next });
    const recent = page.items.filter(({ createdAt }) => filter.since === null || createdAt >= filter.since);
    results.push(...recent.filter((checkout) => matches(checkout, filter)));
    if (page.next === null || recent.length < page.items.length) return { items: results, next: null };
    next = page.next;
  }
  return { items: results, next };
};
