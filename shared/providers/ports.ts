import type { Mode } from '#shared/platform/kernel/mode.ts';
import type { Kobo } from '#shared/platform/kernel/money.ts';
import type { Requester } from '#shared/platform/kernel/tenant.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import type { ProviderBreaker } from '#shared/providers/domain/breaker.ts';
import type { CustomerNeeds } from '#shared/providers/domain/customer-needs.ts';
import type { ProviderBusy } from '#shared/providers/domain/errors.ts';
import type { NotificationContent } from '#shared/providers/domain/notification-content.ts';
import type { Customer, ProviderCalls, ProviderName, ReceivingAccount } from '#shared/providers/domain/provider.ts';
import type { QuotaWork } from '#shared/providers/domain/quota.ts';
import type { ListedPayment, PaymentQuery, PaymentReport } from '#shared/providers/domain/report.ts';

/** A request for a payment account. */
export interface PaymentAccountRequest {
  readonly reference: string;
  readonly amount: Kobo;
  /** The name that the payer's bank should show. A provider may show another one (providers.md section 0). */
  readonly accountName: string;
  readonly payerName: string | null;
  readonly payerEmail: string;
  readonly expiresAt: Millis;
  /**
   * The time at which an unfinished call is aborted, because nobody waits for it any more. So the breaker learns at once that the call failed, and
   * not only after the usual time limit of a call.
   */
  readonly until?: Millis | undefined;
}

/** A payment account that a provider issued. */
export interface IssuedPaymentAccount {
  readonly account: ReceivingAccount;
  /** The payment's reference at the provider: one of our attempt references (attempt-reference.ts). */
  readonly providerReference: string;
  /** More than the amount only if the payer bears a fee that the merchant cannot take over. */
  readonly amountToPay: Kobo;
  /** The time at which the account expires at the provider. It may differ from the requested time, because providers allow only some times. */
  readonly expiresAt: Millis;
}

/** Issues accounts: a live provider, or the sandbox of test mode. Every method may throw the errors of shared/providers/domain/errors.ts. */
export interface AccountIssuer {
  /** The limits of one payment's amount in kobo, as far as the provider publishes them. */
  readonly amountLimits?: { readonly least: Kobo; readonly most?: Kobo } | undefined;
  /** Starts to read the breaker of these calls before a call, so that the read and other work run concurrently. */
  prefetchHealth?(calls: ProviderCalls): void;
  /** Whether this container knows that the provider takes no such calls now: the breaker is open, or the provider limits us. Reads nothing. */
  isBreakerOpen?(calls: ProviderCalls): boolean;
  /** Whether the sandbox delays this customer's request, like a slow provider. Absent for live providers. */
  answersSlowly?(customer: Pick<Customer, 'email'>): boolean;
  /**
   * How many milliseconds after the request the provider may still open a virtual account. If it has none by then, it will never open it. Only set
   * for a provider that validates the customer first, and so opens accounts slowly.
   */
  readonly opensWithin?: Millis;
  /**
   * Opens a virtual account under our reference, or finds the one that an earlier call opened under it.
   * @throws OutcomePending if the provider opens it later.
   */
  createAccount(customer: Customer, reference: string): Promise<ReceivingAccount>;
  /** Finds the account that was opened under our reference; undefined if there is none. */
  findAccount(customer: Pick<Customer, 'name' | 'email'>, reference: string): Promise<ReceivingAccount | undefined>;
  /** Closes a virtual account. Does nothing if the provider cannot close one, or if it is closed already. */
  closeAccount(account: ReceivingAccount, reference: string): Promise<void>;
  /**
   * Opens a payment account under our reference. A second call after a lost answer returns the same account if the provider can return it.
   * Otherwise it opens another account under a reference that is derived from ours.
   * @throws NoReferenceLeft, and no other ProviderError, if each of these references is used.
   */
  createPaymentAccount(accountRequest: PaymentAccountRequest): Promise<IssuedPaymentAccount>;
}

/** One list page of the payments that a provider received. */
export interface ReportPage {
  readonly payments: readonly ListedPayment[];
  /** The number of further rows about received money that name no payment to look up. Absent means zero. */
  readonly unreadable?: number;
  /** The cursor of the next list page; null after the last one. */
  readonly next: string | null;
}

/** A live provider: it issues accounts, sends notifications, answers look-ups and lists payments (architecture.md section 6). */
export interface LiveProvider extends AccountIssuer {
  /** Whether the provider signed exactly these bytes. During a rotation either of two secrets is valid. Header names are in lower case. */
  authenticate(headers: Readonly<Record<string, string | undefined>>, raw: Uint8Array): Promise<boolean>;
  /**
   * Returns bytes that identify an authentic notification: its signed part, and our reading if anything unsigned influences that. Two notifications
   * with equal bytes are the same notification.
   */
  signedPart(raw: Uint8Array): Uint8Array;
  /**
   * Reads an authentic notification: the payments to look up, or nothing if it is not about incoming money. Never throws: an unreadable
   * notification is a problem in the content.
   */
  read(raw: Uint8Array): NotificationContent;
  /** Asks for the payments of a query, their payees and their state. `unknown`: the provider has nothing under this query, or not yet. */
  lookUp(query: PaymentQuery): Promise<PaymentReport | 'unknown'>;
  /**
   * Lists the payments of a time span, one list page a call. `from` and `to` are milliseconds since the epoch, and are compared with the times in the
   * list (see `listedAhead`).
   */
  listPayments(span: {
    readonly from: Millis;
    readonly to: Millis;
    readonly cursor: string | null;
  }): Promise<ReportPage>;
  /**
   * Milliseconds by which the times in its list may be ahead of ours. A list is asked for payments up to that much later than now, so that the newest
   * ones are not left out.
   */
  readonly listedAhead: Millis;
  /** Looks a payment up on a business's request. A separate guard keeps it from delaying our own look-ups. */
  requery(query: PaymentQuery): Promise<PaymentReport | 'unknown'>;
  /** Whether it may return money without telling us: it sends no notification, its list does not show it, and only a look-up does. */
  readonly returnsSilently: boolean;
  /** Whether its list contains every payment that a look-up of an expired payment account would find. */
  readonly listShowsLateMoney: boolean;
  /** Looks up again a payment that counted days ago. A separate guard keeps it from delaying the look-ups that land money. */
  review(query: PaymentQuery): Promise<PaymentReport | 'unknown'>;
}

/** The part of a live provider that its adapter implements. The description and the guards provide the rest. */
export type ProviderAdapter = Omit<
  LiveProvider,
  'returnsSilently' | 'listShowsLateMoney' | 'listedAhead' | 'requery' | 'review'
>;

/** Finds an issuer by mode and name; undefined if it is not available. */
export type Providers = (mode: Mode, name: ProviderName) => AccountIssuer | undefined;

/** Finds a live provider by name; undefined if the stage has not enabled it. */
export type LiveProviders = (name: ProviderName) => LiveProvider | undefined;

/** Finds a provider's requirements for customers under the stage's settings. The stage need not have enabled the provider. */
export type FindNeeds = (name: ProviderName) => CustomerNeeds;

/**
 * Limits how many requests each business may cause at each provider, so that no business uses up what the provider allows for all of them. A
 * business's servers and the browsers with its public key have separate shares. Each IP address may use only a part of the browsers' share.
 */
export interface QuotaMeter {
  /**
   * Charges one piece of work to the asker's shares at the provider.
   * @returns undefined, or ProviderBusy until the next window if a share is used up. If the address's share is used up, no other is charged.
   */
  charge(asker: Requester, provider: ProviderName, work: QuotaWork): Promise<ProviderBusy | undefined>;
}

/** Stores the breakers of providers, one for each kind of calls. All containers share them. */
export interface ProviderBreakerStore {
  /** Reads a breaker, eventually consistent. Throws if the table does not answer in time. */
  find(provider: ProviderName, calls: ProviderCalls): Promise<ProviderBreaker>;
  /** Saves a breaker and returns the stored one: `after`, or another container's breaker if the version has changed. */
  save(after: ProviderBreaker): Promise<ProviderBreaker>;
}
