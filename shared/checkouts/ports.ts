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
  /** Lists the checkouts with a merchant reference: first those made by servers, then those made in browsers, each newest first. */
  listByMerchantReference(tenant: Tenant, merchantReference: string, page: PageRequest): Promise<Page<Checkout>>;
  list(tenant: Tenant, page: PageRequest): Promise<Page<Checkout>>;
}

export interface CheckoutSearch {
  /**
   * Finds checkouts, newest first. There are two exceptions: by account number they come provider by provider, and by merchant reference
   * those made by servers come first. A list page may be short or empty although another one follows.
   */
  search(tenant: Tenant, filter: CheckoutFilter, page: PageRequest): Promise<Page<Checkout>>;
}

/** Reads checkouts for their payers. The payment page's link names the one checkout that the payer may read (page-link.ts). */
export interface LinkedCheckouts {
  /** `mayLag`: the read costs half, but may miss the changes of the last second. */
  find(reference: string, options?: { readonly mayLag: boolean }): Promise<Checkout | undefined>;
}

/** Payers' reports that the money was sent. Each is stored until we check whether the money came. */
export interface SentReports {
  /** Returns the writes of a checkout's first report. */
  newReportWrites(report: SentReport): readonly Write[];
  /** Undefined if the report was checked before. */
  find(at: Pick<SentReport, 'provider' | 'reference'>): Promise<SentReport | undefined>;
  /**
   * Deletes a report, and counts its sample for the provider: whether the money came. Without a sample nothing is counted. A report is
   * counted at most once, and a business has at most one counted report a minute at each provider.
   */
  end(report: SentReport, sample: { readonly hasLanded: boolean; readonly at: Millis } | undefined): Promise<void>;
}

export interface PageUses {
  /** Counts one more use of a checkout's payment page; false if the use limit is reached. */
  take(checkout: Checkout, use: PageUse): Promise<boolean>;
}

/** Stores the accounts of checkouts by their numbers. */
export interface CheckoutAccounts {
  /**
   * Returns the writes by which a checkout is found by the number of its other account. In test mode they fail with `number_taken` if
   * somebody else has the number.
   */
  adding(checkout: Checkout, attempt: ShownAttempt): readonly Write[];
}

export interface CheckoutOpener {
  /**
   * Returns the writes of a new checkout. `former`: the checkout that passes its merchant reference on. Outcomes: `reference_held` if the
   * reference cannot be taken; `number_taken` if somebody else has the account number.
   */
  opening(checkout: Checkout, former: FormerOwner | null): readonly Write[];
}

/** Intents of checkouts. */
export type CheckoutIntents = IntentStore<OpeningCheckout, Checkout, ReferenceHeld>;
