import type { ShownAttempt } from '#shared/checkouts/domain/attempt.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import type { CheckoutFilter } from '#shared/checkouts/domain/checkout-filter.ts';
import type { FormerOwner } from '#shared/checkouts/domain/merchant-reference.ts';
import type { OpeningCheckout } from '#shared/checkouts/domain/opening-checkout.ts';
import type { PageUse } from '#shared/checkouts/domain/page-uses.ts';
import type { SentReport } from '#shared/checkouts/domain/sent-report.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import type { Page, PageRequest } from '#shared/platform/ports.ts';
import type { Write } from '#shared/platform/requests/ports.ts';
import type { ReferenceHeld } from '#shared/platform/requests/reference-held.ts';
import type { IntentStore } from '#shared/providers/intent-ports.ts';

export interface CheckoutReader {
  find(tenant: Tenant, reference: string): Promise<Checkout | undefined>;
  /** All that bear a merchant reference, newest first, those made by servers before those of browsers. */
  listByMerchantReference(tenant: Tenant, merchantReference: string, page: PageRequest): Promise<Page<Checkout>>;
  list(tenant: Tenant, page: PageRequest): Promise<Page<Checkout>>;
}

export interface CheckoutSearch {
  /** Checkouts by what they are, newest first; by a merchant reference those of servers first. A page may be short or empty and still have a next one. */
  search(tenant: Tenant, filter: CheckoutFilter, page: PageRequest): Promise<Page<Checkout>>;
}

/** Checkouts for their payers, whom a link admits in place of a key (page-link.ts): it names the one checkout that may be read. */
export interface LinkedCheckouts {
  /** `mayLag`: it may be a second old, for half the price. */
  find(reference: string, options?: { readonly mayLag: boolean }): Promise<Checkout | undefined>;
}

/** Reports of payers that the money was sent, each kept until it is looked at whether the money came. */
export interface SentReports {
  /** The writes of a checkout's first report. */
  opening(report: SentReport): readonly Write[];
  /** Undefined where it was looked at before. */
  find(at: Pick<SentReport, 'provider' | 'reference'>): Promise<SentReport | undefined>;
  /** Ends a report, and counts for its provider whether the money came: at most once, and one report a minute of a business. */
  end(report: SentReport, counted: { readonly hasLanded: boolean; readonly at: Millis } | undefined): Promise<void>;
}

export interface PageUses {
  /** Counts one more use of a checkout's page; false when it had all that it may have. */
  take(checkout: Checkout, use: PageUse): Promise<boolean>;
}

/** The accounts of checkouts, by their numbers. */
export interface CheckoutAccounts {
  /** The writes that find a checkout by the number of another account. `number_taken`: in test mode it belongs to someone else. */
  adding(checkout: Checkout, attempt: ShownAttempt): readonly Write[];
}

export interface CheckoutOpener {
  /**
   * The writes of a new checkout. `former`: the checkout from which it takes over its merchant reference. `reference_held`: it cannot;
   * `number_taken`: the account number belongs to someone else.
   */
  opening(checkout: Checkout, former: FormerOwner | null): readonly Write[];
}

/** Intents of checkouts. */
export type CheckoutIntents = IntentStore<OpeningCheckout, Checkout, ReferenceHeld>;
