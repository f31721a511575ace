import type { Business } from '#shared/businesses/domain/business.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import type { DailyTotal } from '#shared/payments/domain/daily-total.ts';
import type { CountedLandings } from '#shared/payments/domain/landed-times.ts';
import type { LandingEntries } from '#shared/payments/domain/landing/landing.ts';
import type { Booked, BookedOutcome } from '#shared/payments/domain/listed-payment.ts';
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

/** Payments that a provider may have returned since, without a word. */
export interface ReviewStore {
  /** The payment that due work names, if its review is still due. */
  find(at: string): Promise<ReviewedPayment | undefined>;
  /** Writes when it is reviewed again; null when it is not. Changes nothing when it was reviewed or reversed meanwhile. */
  schedule(payment: ReviewedPayment, next: Review | null): Promise<void>;
}

/** A payment whose review is due. */
export type ReviewedPayment = Payment & { readonly review: Review };

export interface PaymentReader {
  listByOwner(owner: PaymentOwner, page: PageRequest): Promise<Page<Payment>>;
  /** A payment by its id. One that was recorded a moment ago may be missing still. */
  find(tenant: Tenant, id: string): Promise<Payment | undefined>;
}

export interface PaymentSearch {
  /** All payments of a business, newest first. With a filter, a page may be short or empty and still have a next one. */
  list(tenant: Tenant, filter: PaymentFilter, page: PageRequest): Promise<Page<Payment>>;
}

/** The last reversal of a payment of a day: which, and when. */
export interface LastReversal {
  readonly of: string;
  readonly at: Millis;
}

/** Totals of a business by day of Lagos. */
export interface DailyTotals {
  /** What is kept of each day from one to another, both included: its sum, if that holds, and its last reversal. */
  read(
    tenant: Tenant,
    from: string,
    to: string,
  ): Promise<ReadonlyMap<string, { readonly total: DailyTotal | null; readonly reversal: LastReversal | null }>>;
  /**
   * Sums a day as the index has it; not `isWhole` where some of its payments cannot be read by this release. Undefined when `isLate` says
   * so before the end.
   */
  sum(
    tenant: Tenant,
    date: string,
    isLate: () => boolean,
  ): Promise<{ readonly total: DailyTotal; readonly isWhole: boolean } | undefined>;
  /** Keeps the sum of a day, unless a payment of it was reversed since `reversal` was read. */
  keep(tenant: Tenant, date: string, total: DailyTotal, reversal: LastReversal | null): Promise<void>;
}

/** What one transaction records. Either all of it is written or nothing. */
export interface LedgerEntry extends LandingEntries {
  readonly virtualAccount?: Change<VirtualAccount | UnsettledVirtualAccount>;
  /** The events that announce it, each with its deliveries. */
  readonly announced?: readonly { readonly event: Event; readonly deliveries: readonly Delivery[] }[];
}

/** `conflict`: the object or a payment is not as it was read; read and decide again. `number_taken`: another account of ours has that number. */
export type RecordResult = 'recorded' | 'conflict' | 'number_taken';

/** Money and what follows from it. */
export interface Ledger {
  /** The checkout with its business, read together and consistently. */
  readCheckout(tenant: Tenant, reference: string): Promise<{ business: Business; checkout: Checkout } | undefined>;
  readVirtualAccount(
    tenant: Tenant,
    id: string,
  ): Promise<{ business: Business; virtualAccount: VirtualAccount } | undefined>;
  /** An account whose outcome at the provider is not known, be it seen by its business or not. */
  readUnsettled(
    tenant: Tenant,
    id: string,
  ): Promise<{ business: Business; virtualAccount: UnsettledVirtualAccount } | undefined>;
  /** Whose object this is, for work that no request asked for; every further read names the tenant. */
  findTenant(owner: PaymentOwner): Promise<Tenant | undefined>;
  /** The writes of an entry, which belong into one transaction. */
  writes(entry: LedgerEntry): readonly Write[];
  /** Writes an entry. */
  record(entry: LedgerEntry): Promise<RecordResult>;
  /**
   * From now on the cumulative report of a reference, unmatched so far, lands on this checkout. `changed`: it does not stand as it was
   * read; `has_owner`: the checkout that has used the reference can be seen by now; `to`: it was assigned to that checkout before.
   */
  assignReference(
    unmatched: UnmatchedPayment,
    reference: string,
    checkout: string,
  ): Promise<'assigned' | 'changed' | 'has_owner' | { readonly to: string }>;
  /** Whose a provider's money is, and what is recorded of it already. An owner that nobody can see yet counts as none, and so does a checkout that has not used the reference. */
  locate(provider: ProviderName, money: ReportedMoney): Promise<LocatedMoney>;
  /** Payments at a provider that are known to be recorded. Throws when one is not. */
  readPayments(at: Pick<Payment, 'mode' | 'provider'>, origins: readonly PaymentOrigin[]): Promise<readonly Payment[]>;
}

export interface LocatedMoney {
  readonly tenant: Tenant | undefined;
  readonly owner: PaymentOwner | undefined;
  /** The reference names a checkout or an account that was opened at another provider or in test mode. */
  readonly isForeign: boolean;
  readonly known: Payment | undefined;
  readonly unmatched: UnmatchedPayment | undefined;
}

/** Money that matches nothing yet. */
export interface UnmatchedStore {
  /** Saves it in place of the entry that was `read`. False when what is recorded under its key has changed since. */
  save(unmatched: UnmatchedPayment, read: UnmatchedPayment): Promise<boolean>;
  find(provider: ProviderName, source: SourceId): Promise<UnmatchedPayment | undefined>;
  /** The entry that due work names. */
  findDue(at: string): Promise<UnmatchedPayment | undefined>;
  /** Money that the provider keeps. */
  oldest(limit: number): Promise<readonly UnmatchedPayment[]>;
  /** Also returned money that is still being matched. */
  newest(limit: number): Promise<readonly UnmatchedPayment[]>;
  /** Has it matched anew from now on. Its ticket, to be matched at once; undefined where it was matched, tried or reported again since it was read. */
  restart(unmatched: UnmatchedPayment, now: Millis): Promise<DueTicket | undefined>;
  /** Counts one more try. False when it was matched, tried or reported again since it was read. */
  countTry(unmatched: UnmatchedPayment): Promise<boolean>;
}

/** A provider's notification as it came, kept until what it is about has been looked up, and some weeks longer. */
export interface NotificationStore {
  /**
   * Saves it with its due time, in one write, in place of what was read `before`. The ticket of its look-up; undefined when the same bytes were
   * saved meanwhile.
   */
  save(notification: DueNotification, before?: Notification): Promise<DueTicket | undefined>;
  /** Those of a provider by their hashes, in their order; undefined for what is absent or cannot be read. */
  findEach(provider: ProviderName, hashes: readonly string[]): Promise<readonly (Notification | undefined)[]>;
  /** Throws UnreadableItem. */
  find(at: Pick<Notification, 'provider' | 'hash'>): Promise<Notification | undefined>;
  /** Saves it in place of what was read `before`. False when that was tried, settled or dismissed since. */
  replace(before: Notification, after: Notification): Promise<boolean>;
  /** How many are stuck, up to `limit`. */
  countStuck(limit: number): Promise<number>;
}

/** Where money work goes: the queue of its provider, or test mode's. */
export type MoneyLane = ProviderName | 'test';
/** Queues of money work. In a fair queue those of one `group` share a place: however many they are, they delay no other. */
export interface MoneyQueue {
  send(lane: MoneyLane, works: readonly { readonly ticket: DueTicket; readonly group: string }[]): Promise<void>;
}

/** The same for operators, who see to those that are stuck. */
export interface StuckNotifications extends NotificationStore {
  /** Those that have been stuck the longest. */
  oldestStuck(limit: number): Promise<readonly Notification[]>;
}

/** How far the reconciliation with each provider has come. */
export interface ReconciliationStore {
  find(id: ReconciliationId): Promise<Reconciliation | undefined>;
  /** All lists of a pass. */
  findLists(provider: ProviderName, pass: ReconciliationPass): Promise<readonly Reconciliation[]>;
  /** Removes a list, which is compared no more. */
  end(ended: Reconciliation): Promise<void>;
  /** The ticket of what is to be done next. Undefined when somebody else has moved it on: then nothing is counted either. */
  save(
    before: Reconciliation | undefined,
    after: Reconciliation,
    counted?: CountedLandings,
  ): Promise<DueTicket | undefined>;
  /** What our books have of payments, in the order asked for; undefined for nothing. */
  outcomes(provider: ProviderName, origins: readonly PaymentOrigin[]): Promise<readonly (BookedOutcome | undefined)[]>;
  /** Our books beside each listed payment, in their order. */
  booked(provider: ProviderName, payments: readonly ListedPayment[]): Promise<readonly Booked[]>;
}
