import type { Business } from '#shared/businesses/domain/business.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import type { DailyTotal } from '#shared/payments/domain/daily-total.ts';
import type { CountedLandings } from '#shared/payments/domain/landed-times.ts';
import type { LandingEntries } from '#shared/payments/domain/landing/landing.ts';
import type { BookedOutcome, BookedRecords } from '#shared/payments/domain/listed-payment.ts';
import type { DueNotification, Notification } from '#shared/payments/domain/notification.ts';
import type { Payment, PaymentOwner } from '#shared/payments/domain/payment.ts';
import type { PaymentFilter } from '#shared/payments/domain/payment-filter.ts';
import type { Reconciliation, ReconciliationId, ReconciliationPass } from '#shared/payments/domain/reconciliation.ts';
import type { Review } from '#shared/payments/domain/review.ts';
import type { UnmatchedPayment } from '#shared/payments/domain/unmatched-payment.ts';
import type { DueTicket } from '#shared/platform/due-ticket.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import type { Change, Page, PageRequest } from '#shared/platform/ports.ts';
import type { Write } from '#shared/platform/requests/ports.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { ListedPayment, ReportedMoney } from '#shared/providers/domain/report.ts';
import type { PaymentOrigin, SourceId } from '#shared/providers/domain/source.ts';
import type { UnsettledVirtualAccount, VirtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';
import type { Delivery } from '#shared/webhooks/domain/delivery.ts';
import type { Event } from '#shared/webhooks/domain/event.ts';

/** Finds and plans the reviews of payments that a provider may have returned without a report. */
export interface ReviewStore {
  /** Finds the payment of due work, by its partition key, if its review is still planned. */
  find(pk: string): Promise<ReviewedPayment | undefined>;
  /** Writes the next review; null removes it. Changes nothing if the payment was reviewed or reversed, or its sender erased, meanwhile. */
  schedule(payment: ReviewedPayment, next: Review | null): Promise<void>;
}

/** A payment whose review is due. */
export type ReviewedPayment = Payment & { readonly review: Review };

export interface PaymentReader {
  listByOwner(owner: PaymentOwner, page: PageRequest): Promise<Page<Payment>>;
  /** Finds a payment by its id. A payment that was recorded a moment ago may still be missing. */
  find(tenant: Tenant, id: string): Promise<Payment | undefined>;
}

export interface PaymentSearch {
  /** Lists all payments of a business, newest first. With a filter, a list page may be short or empty and still have a next page. */
  list(tenant: Tenant, filter: PaymentFilter, page: PageRequest): Promise<Page<Payment>>;
}

/** The last reversal among the payments of a day. */
export interface LastReversal {
  /** The id of the reversed payment. */
  readonly of: string;
  readonly at: Millis;
}

/** Totals of a business for each day in Lagos time. */
export interface DailyTotals {
  /**
   * Reads the stored items of the days from `from` to `to`, both included. An item has the day's sum, if a final sum was stored, and the last
   * reversal of the day.
   */
  read(
    tenant: Tenant,
    from: string,
    to: string,
  ): Promise<ReadonlyMap<string, { readonly total: DailyTotal | null; readonly reversal: LastReversal | null }>>;
  /**
   * Sums the payments of a day from the index. `isWhole` is false if this release cannot read some of them. Undefined if the caller's time
   * is over (`isLate`) before the end.
   */
  sum(
    tenant: Tenant,
    date: string,
    isLate: () => boolean,
  ): Promise<{ readonly total: DailyTotal; readonly isWhole: boolean } | undefined>;
  /** Stores the sum of a day, unless one of its payments was reversed after `reversal` was read. */
  keep(tenant: Tenant, date: string, total: DailyTotal, reversal: LastReversal | null): Promise<void>;
}

/** Everything that one transaction records. Either all of it is written or nothing. */
export interface LedgerEntry extends LandingEntries {
  readonly virtualAccount?: Change<VirtualAccount | UnsettledVirtualAccount>;
  /** The events that announce the change, each with its deliveries. */
  readonly announced?: readonly { readonly event: Event; readonly deliveries: readonly Delivery[] }[];
}

/**
 * `conflict`: a record changed since it was read, so the caller must read and decide again. `number_taken`: another account of ours has the
 * account number.
 */
export type RecordResult = 'recorded' | 'conflict' | 'number_taken';

/** The records of money, and their writes. */
export interface Ledger {
  /** Reads a checkout together with its business, consistently. */
  readCheckout(tenant: Tenant, reference: string): Promise<{ business: Business; checkout: Checkout } | undefined>;
  readVirtualAccount(
    tenant: Tenant,
    id: string,
  ): Promise<{ business: Business; virtualAccount: VirtualAccount } | undefined>;
  /** Reads an account whose outcome at the provider is not known, even if its business cannot see it yet. */
  readUnsettled(
    tenant: Tenant,
    id: string,
  ): Promise<{ business: Business; virtualAccount: UnsettledVirtualAccount } | undefined>;
  /** Finds the tenant of a checkout or virtual account, for work without a request. All further reads name the tenant. */
  findTenant(owner: PaymentOwner): Promise<Tenant | undefined>;
  /** Builds the writes of an entry, for one transaction. */
  buildWrites(entry: LedgerEntry): readonly Write[];
  /** Writes an entry in one transaction. */
  record(entry: LedgerEntry): Promise<RecordResult>;
  /**
   * Assigns the unmatched cumulative report of a reference to a checkout. Later reports under this reference land there, too. `changed`:
   * the report changed since it was read. `has_owner`: the checkout that used the reference is visible now. `to`: the other checkout to
   * which the report was assigned before.
   */
  assignReference(
    unmatched: UnmatchedPayment,
    reference: string,
    checkout: string,
  ): Promise<'assigned' | 'changed' | 'has_owner' | { readonly to: string }>;
  /**
   * Finds the owner of a provider's money, and the records of the money. Ignores an owner that is not visible yet, and a checkout that has
   * not used the reference.
   */
  locate(provider: ProviderName, money: ReportedMoney): Promise<LocatedMoney>;
  /** Reads payments that are known to be recorded. @throws Error if one is missing. */
  readPayments(
    scope: Pick<Payment, 'mode' | 'provider'>,
    origins: readonly PaymentOrigin[],
  ): Promise<readonly Payment[]>;
}

export interface LocatedMoney {
  readonly tenant: Tenant | undefined;
  readonly owner: PaymentOwner | undefined;
  /** Whether the reference names a checkout or an account that was opened at another provider or in test mode. */
  readonly isForeign: boolean;
  readonly known: Payment | undefined;
  readonly unmatched: UnmatchedPayment | undefined;
}

/** Money that matches no owner yet. */
export interface UnmatchedStore {
  /** Replaces the entry `before`. False if the record under its key has changed since it was read. */
  save(unmatched: UnmatchedPayment, before: UnmatchedPayment): Promise<boolean>;
  find(provider: ProviderName, source: SourceId): Promise<UnmatchedPayment | undefined>;
  /** Finds the entry of due work, by its partition key. */
  findDue(pk: string): Promise<UnmatchedPayment | undefined>;
  /** Lists money that the provider keeps, oldest first. */
  oldest(limit: number): Promise<readonly UnmatchedPayment[]>;
  /** Lists unmatched money, newest first. It includes returned money that is still being matched. */
  newest(limit: number): Promise<readonly UnmatchedPayment[]>;
  /**
   * Starts matching again from now on.
   * @returns the ticket with which the money is matched at once; undefined if the money was matched, tried or reported again since it was
   * read.
   */
  restart(unmatched: UnmatchedPayment, now: Millis): Promise<DueTicket | undefined>;
  /** Counts one more try. False if the money was matched, tried or reported again since it was read. */
  countTry(unmatched: UnmatchedPayment): Promise<boolean>;
}

/** Notifications of providers as they came. They are kept for 30 days, and longer while they are stuck. */
export interface NotificationStore {
  /**
   * Saves a notification with its due time in one write. `before`: the stored notification that it replaces.
   * @returns the ticket of its look-up; undefined if the same notification was saved meanwhile.
   */
  save(notification: DueNotification, before?: Notification): Promise<DueTicket | undefined>;
  /** Finds the notifications of a provider by their hashes, in this order; undefined for one that is absent or unreadable. */
  findEach(provider: ProviderName, hashes: readonly string[]): Promise<readonly (Notification | undefined)[]>;
  /** @throws UnreadableItem. */
  find(id: Pick<Notification, 'provider' | 'hash'>): Promise<Notification | undefined>;
  /** Replaces the notification `before`. False if it was tried, settled or dismissed since it was read. */
  replace(before: Notification, after: Notification): Promise<boolean>;
  /** Counts stuck notifications, up to `limit`. */
  countStuck(limit: number): Promise<number>;
}

/** The name of a queue of money work. Each provider has a queue, and test mode has one. */
export type MoneyLane = ProviderName | 'test';
/** The queues of money work. They are fair queues: many messages of one `group` do not delay those of another group. */
export interface MoneyQueue {
  send(lane: MoneyLane, works: readonly { readonly ticket: DueTicket; readonly group: string }[]): Promise<void>;
}

/** Notifications with the list of the stuck ones, for operators. */
export interface StuckNotifications extends NotificationStore {
  /** Lists stuck notifications, longest stuck first. */
  oldestStuck(limit: number): Promise<readonly Notification[]>;
}

/** The progress of the reconciliation with each provider. */
export interface ReconciliationStore {
  find(id: ReconciliationId): Promise<Reconciliation | undefined>;
  /** Finds all lists of a pass. */
  findLists(provider: ProviderName, pass: ReconciliationPass): Promise<readonly Reconciliation[]>;
  /** Removes an obsolete list. */
  remove(list: Reconciliation): Promise<void>;
  /**
   * Saves progress, and counts landing times with it.
   * @returns the ticket of the next work; undefined if another process saved progress meanwhile, and then nothing is counted.
   */
  save(
    before: Reconciliation | undefined,
    after: Reconciliation,
    counted?: CountedLandings,
  ): Promise<DueTicket | undefined>;
  /** Finds the outcomes of payments in our books, in the order of `origins`; undefined for one that our books lack. */
  findOutcomes(
    provider: ProviderName,
    origins: readonly PaymentOrigin[],
  ): Promise<readonly (BookedOutcome | undefined)[]>;
  /** Finds our records of each listed payment, in the order of `payments`. */
  findBooked(provider: ProviderName, payments: readonly ListedPayment[]): Promise<readonly BookedRecords[]>;
}
