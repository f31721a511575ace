import type { Mode } from '#shared/platform/kernel/mode.ts';
import type { Kobo } from '#shared/platform/kernel/money.ts';
import type { Asker } from '#shared/platform/kernel/tenant.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import type { ProviderBreaker } from '#shared/providers/domain/breaker.ts';
import type { CustomerNeeds } from '#shared/providers/domain/customer-needs.ts';
import type { ProviderBusy } from '#shared/providers/domain/errors.ts';
import type { Notice } from '#shared/providers/domain/notice.ts';
import type { Customer, ProviderCalls, ProviderName, ReceivingAccount } from '#shared/providers/domain/provider.ts';
import type { QuotaWork } from '#shared/providers/domain/quota.ts';
import type { ListedPayment, PaymentQuery, PaymentReport } from '#shared/providers/domain/report.ts';

/** The payment account that we request of a provider. */
export interface PaymentAccountRequest {
  readonly reference: string;
  readonly amount: Kobo;
  /** What the payer's bank should show. A provider may show another name (providers.md section 0). */
  readonly accountName: string;
  readonly payerName: string | null;
  readonly payerEmail: string;
  readonly expiresAt: Millis;
  /** When nobody waits for it any more. Its calls are cut then, so that each tells the provider's breaker once, and in time. */
  readonly until?: Millis | undefined;
}

/** A payment account as a provider issued it. */
export interface IssuedPaymentAccount {
  readonly account: ReceivingAccount;
  /** The provider's reference of the payment: one of our attempt references (attempt-reference.ts). */
  readonly providerReference: string;
  /** More than the amount only where the payer bears a fee that the merchant cannot take over. */
  readonly amountToPay: Kobo;
  /** The provider's, which may have clamped ours. */
  readonly expiresAt: Millis;
}

/** Issues accounts: a live provider, or its stand-in in test mode. Every method may throw the errors of shared/providers/domain/errors.ts. */
export interface AccountIssuer {
  /** The limits of one payment's amount in kobo, as far as the provider publishes them. */
  readonly amountLimits?: { readonly least: Kobo; readonly most?: Kobo } | undefined;
  /** Reads the provider's breaker of these calls ahead of one, concurrently with what precedes it. */
  prefetchHealth?(calls: ProviderCalls): void;
  /** Whether this container knows that the provider takes no such calls now: its breaker is open, or it limits ours. Asks nobody. */
  isSuspended?(calls: ProviderCalls): boolean;
  /** Whether the sandbox lets this customer's request wait, as a slow provider would. Live providers have no such word. */
  answersSlowly?(customer: Pick<Customer, 'email'>): boolean;
  /**
   * Milliseconds after an account was requested until its absence is final, where the provider takes long to open one, because it
   * validates the customer first.
   */
  readonly opensWithin?: Millis;
  /**
   * Opens a virtual account under our reference, or finds the one that an earlier call opened under it. Throws OutcomePending where the
   * provider opens it later.
   */
  createAccount(customer: Customer, reference: string): Promise<ReceivingAccount>;
  /** The account that was opened under our reference, or undefined when there is none. */
  findAccount(customer: Pick<Customer, 'name' | 'email'>, reference: string): Promise<ReceivingAccount | undefined>;
  /** Closes a virtual account. Does nothing where the provider cannot close one, or where it is closed already. */
  closeAccount(account: ReceivingAccount, reference: string): Promise<void>;
  /**
   * Opens a payment account under our reference. Calling it again after a lost answer gives that payment's account:
   * the same one where the provider returns it, else another that is matched by a reference derived from ours.
   * Throws NoReferenceLeft, and no other refusal, when each of these references is used.
   */
  createPaymentAccount(accountRequest: PaymentAccountRequest): Promise<IssuedPaymentAccount>;
}

/** One page of the payments that a provider took in. */
export interface ReportPage {
  readonly payments: readonly ListedPayment[];
  /** How many further entries are about money that came in, and name no payment that can be looked up. Absent means none. */
  readonly unreadable?: number;
  /** Where to go on; null after the last page. */
  readonly next: string | null;
}

/** A real provider of accounts: what it issues, what it reports, and what it can be asked (architecture.md section 6). */
export interface LiveProvider extends AccountIssuer {
  /** Whether the provider signed these very bytes, under either of two secrets while one replaces the other. Header names in lower case. */
  authenticate(headers: Readonly<Record<string, string | undefined>>, raw: Uint8Array): Promise<boolean>;
  /** What the provider signed of an authentic notification: all of the bytes, or a part. The same part is the same notification. */
  signedPart(raw: Uint8Array): Uint8Array;
  /** What an authentic notification asks us to look up; nothing for what is not about incoming money. Throws nothing: what it cannot read is a problem of the notice. */
  read(raw: Uint8Array): Notice;
  /** What the provider knows now: payments, whom they are for, and whether it has given up. `unknown` when it knows nothing of it (yet). */
  lookUp(query: PaymentQuery): Promise<PaymentReport | 'unknown'>;
  /** The payments of a span of its list's time (milliseconds since the epoch), a page at a time. */
  listPayments(span: {
    readonly from: Millis;
    readonly to: Millis;
    readonly cursor: string | null;
  }): Promise<ReportPage>;
  /** Milliseconds that its list's time may be ahead of ours. */
  readonly listedAhead: Millis;
  /** The same look-up, because a business asks for it: with a guard of its own, so that it disturbs none that we decide on. */
  requery(query: PaymentQuery): Promise<PaymentReport | 'unknown'>;
  /** Whether it may return money that counted and let neither a notification nor its list show it, but only a look-up. */
  readonly returnsSilently: boolean;
  /** Whether its list names every payment that a look-up of an expired payment account would find. */
  readonly listShowsLateMoney: boolean;
  /** The same look-up, for a payment that counted days ago: with a guard of its own, so that it disturbs none that lands money. */
  review(query: PaymentQuery): Promise<PaymentReport | 'unknown'>;
}

/** What the adapter of a provider knows how to do. Its description and its guards make the rest. */
export type ProviderAdapter = Omit<
  LiveProvider,
  'returnsSilently' | 'listShowsLateMoney' | 'listedAhead' | 'requery' | 'review'
>;

/** The issuer of this name in a mode, or undefined where it is not available. */
export type Providers = (mode: Mode, name: ProviderName) => AccountIssuer | undefined;

/** The live provider of this name, or undefined where the stage has not enabled it. */
export type LiveProviders = (name: ProviderName) => LiveProvider | undefined;

/** What a provider requires of a customer under the stage's settings, whether the stage has enabled it or not. */
export type FindNeeds = (name: ProviderName) => CustomerNeeds;

/**
 * What each business may make us ask of each provider, so that no business uses up what the provider gives us for all. Its servers and
 * the browsers with its public key have shares of their own, and each address has a part of the browsers'.
 */
export interface QuotaMeter {
  /**
   * Charges one piece of work to the shares of who asks for it, at the provider.
   * @returns undefined, or that a share is used up and when the next window begins. An address's that is used up leaves all others uncharged.
   */
  charge(asker: Asker, provider: ProviderName, work: QuotaWork): Promise<ProviderBusy | undefined>;
}

/** The providers' breakers, one for each kind of calls, shared by all containers. */
export interface ProviderBreakerStore {
  /** Eventually consistent. Throws when the table does not answer in time. */
  find(provider: ProviderName, calls: ProviderCalls): Promise<ProviderBreaker>;
  /** Returns what is stored now: `after`, or another container's row when the version has changed. */
  save(after: ProviderBreaker): Promise<ProviderBreaker>;
}
