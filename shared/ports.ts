import type { ApiKey } from '#shared/domain/api-key.ts';
import type { Breaker } from '#shared/domain/breaker.ts';
import type { Business } from '#shared/domain/business.ts';
import type { Checkout } from '#shared/domain/checkout.ts';
import type { CustomerNeeds } from '#shared/domain/customer-needs.ts';
import type { Attempt, Delivery, DeliveryJob, DeliveryState } from '#shared/domain/delivery.ts';
import type { Event, EventType } from '#shared/domain/event.ts';
import type { Claim, SealedAnswer } from '#shared/domain/idempotency.ts';
import type { IdPrefix, RandomBytes } from '#shared/domain/ids.ts';
import type { Mode } from '#shared/domain/mode.ts';
import type { Kobo } from '#shared/domain/money.ts';
import type { Notification } from '#shared/domain/notification.ts';
import type { OpeningCheckout } from '#shared/domain/opening-checkout.ts';
import type { OperatorChange } from '#shared/domain/operator-change.ts';
import type { Payment, PaymentOwner } from '#shared/domain/payment.ts';
import type { Customer, ProviderName, ReceivingAccount } from '#shared/domain/provider.ts';
import type { ProviderBreaker } from '#shared/domain/provider-breaker.ts';
import type { PaymentQuery, PaymentReport, ReportedMoney, ReportedTransfer } from '#shared/domain/provider-report.ts';
import type { Reconciliation, ReconciliationPass } from '#shared/domain/reconciliation.ts';
import type { Tenant } from '#shared/domain/tenant.ts';
import type { Millis } from '#shared/domain/time.ts';
import type { Transition } from '#shared/domain/transition.ts';
import type { UnmatchedPayment } from '#shared/domain/unmatched-payment.ts';
import type { OpeningVirtualAccount, UnsettledVirtualAccount, VirtualAccount } from '#shared/domain/virtual-account.ts';
import type { WebhookEndpoint } from '#shared/domain/webhook-endpoint.ts';

export { OutcomeUnknown, ProviderRefusal, ProviderUnavailable } from '#shared/domain/provider-errors.ts';
export type { Log } from '#shared/log.ts';
export type { Metrics } from '#shared/metrics.ts';

/** Time and chance, handed in so that tests own them. */
export interface Nature {
  /** Milliseconds since the epoch. */
  readonly now: () => Millis;
  readonly newId: (prefix: IdPrefix) => string;
  readonly randomBytes: RandomBytes;
  /** A number in [0, 1). */
  readonly draw: () => number;
  /** Waits before try number `attempt` + 1: a random part of a doubling wait, so that rivals do not meet again. */
  readonly pause: (attempt: number) => Promise<void>;
  /** Resolves after so many milliseconds; keeps no process alive. */
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** Which part of a list: newest first, from after `after` (a position that an earlier page gave). */
export interface PageRequest {
  readonly limit: number;
  readonly after: string | null;
}
export interface Page<T> {
  readonly items: readonly T[];
  /** The position to continue from; null on the last page. */
  readonly next: string | null;
}

export interface KeyReader {
  findByHash(hash: string): Promise<ApiKey | undefined>;
}

/** Counts a request in a bucket's window of this moment, and tells how many there are; undefined when that cannot be told at once. */
export type RequestCounter = (bucket: string, now: Millis) => Promise<number | undefined>;

export interface CheckoutReader {
  find(tenant: Tenant, reference: string): Promise<Checkout | undefined>;
  findByMerchantReference(tenant: Tenant, merchantReference: string): Promise<Checkout | undefined>;
  list(tenant: Tenant, page: PageRequest): Promise<Page<Checkout>>;
}

export interface VirtualAccountReader {
  find(tenant: Tenant, id: string): Promise<VirtualAccount | undefined>;
  list(tenant: Tenant, page: PageRequest): Promise<Page<VirtualAccount>>;
  listOfCustomer(tenant: Tenant, email: string, page: PageRequest): Promise<Page<VirtualAccount>>;
}

export interface PaymentReader {
  listOf(owner: PaymentOwner, page: PageRequest): Promise<Page<Payment>>;
}

/** An object before and after a change: the write holds only while the stored version is still `before`'s. */
export interface Change<T> {
  readonly before: T;
  readonly after: T;
}

/** What one transaction records. Either all of it is written or nothing. */
export interface LedgerEntry {
  /** A payment that was not recorded before, or only as unmatched. */
  readonly payment?: Payment;
  /** Payments that counted until now. */
  readonly reversed?: readonly Payment[];
  readonly checkout?: Change<Checkout>;
  readonly virtualAccount?: Change<VirtualAccount | UnsettledVirtualAccount>;
  readonly event?: Event;
  readonly deliveries?: readonly Delivery[];
  readonly answer?: SealedAnswer | undefined;
}

/** `stale`: an object changed meanwhile, read and decide again. `recorded_before`: the payment exists already, or was reversed already, or went back while nobody knew whose it is: read and decide again. `number_taken`: another account of ours has that number. */
export type Recorded = 'recorded' | 'stale' | 'recorded_before' | 'number_taken';

/** Money and what follows from it. `record` writes one transaction; it throws AnsweredBefore when the answer's key was used. */
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
  tenantOf(owner: PaymentOwner): Promise<Tenant | undefined>;
  record(entry: LedgerEntry): Promise<Recorded>;
  /**
   * From now on the running total of a reference, unmatched so far, lands on this checkout. `changed`: it does not stand as it was
   * read; `has_owner`: the checkout that it was paid for can be seen by now; `to`: it was assigned to that checkout before.
   */
  assignReference(
    unmatched: UnmatchedPayment,
    reference: string,
    checkout: string,
  ): Promise<'assigned' | 'changed' | 'has_owner' | { readonly to: string }>;
  /** Whose a provider's money is, and what is recorded of it already. An owner that nobody can see yet counts as none. */
  locate(provider: ProviderName, money: ReportedMoney): Promise<Located>;
}

export interface Located {
  readonly tenant: Tenant | undefined;
  readonly owner: PaymentOwner | undefined;
  readonly known: Payment | undefined;
  readonly unmatched: UnmatchedPayment | undefined;
}

/** Money that matches nothing yet. */
export interface UnmatchedStore {
  /** Harmless to repeat. False when something else is recorded under its key: a payment, another one's entry, or a later answer. */
  keep(unmatched: UnmatchedPayment): Promise<boolean>;
  find(provider: ProviderName, transferId: string): Promise<UnmatchedPayment | undefined>;
  /** What the provider keeps. */
  oldest(limit: number): Promise<readonly UnmatchedPayment[]>;
  /** With what went back and is still matched again. */
  newest(limit: number): Promise<readonly UnmatchedPayment[]>;
  /** Counts one more try, unless it was matched meanwhile, or a newer answer has come. */
  triedAgain(unmatched: UnmatchedPayment): Promise<void>;
  /** It is part of what is recorded elsewhere. A newer answer stays. */
  forget(unmatched: UnmatchedPayment): Promise<void>;
}

/** A provider's notification as it came, kept until what it is about has been looked up, and some weeks longer. */
export interface NotificationStore {
  /** False when the same bytes were kept before. */
  keep(notification: Notification): Promise<boolean>;
  find(at: Pick<Notification, 'provider' | 'hash'>): Promise<Notification | undefined>;
  /** Writes when it is looked up again; null when it is settled. */
  schedule(notification: Notification, tries: number, dueAt: Millis | null): Promise<void>;
}

/** How far the reconciliation with each provider has come. */
export interface ReconciliationStore {
  find(provider: ProviderName, pass: ReconciliationPass): Promise<Reconciliation | undefined>;
  /** False when somebody else has moved it on. */
  save(before: Reconciliation | undefined, after: Reconciliation): Promise<boolean>;
  /** Of these transfers those that are recorded on an owner, with what became of them. */
  recorded(provider: ProviderName, transferIds: readonly string[]): Promise<ReadonlyMap<string, Payment['outcome']>>;
}

/** What is stored before a live provider is called: seen by nobody, settled by the call's end or by the sweeper. */
export type Intent = OpeningVirtualAccount | OpeningCheckout;
/** What stands where an intent was written: the intent itself, or what became of it. */
export type IntentOutcome = Intent | VirtualAccount | Checkout;

export interface IntentStore {
  /**
   * Writes intents and the claim of their request's Idempotency-Key in one transaction. Where an earlier request with that key
   * has broken off, nothing is written and its claim is returned, to be taken over.
   * Throws AnsweredBefore, and the refusals idempotency_in_progress, idempotency_key_reused, duplicate_merchant_reference.
   */
  begin(intents: readonly Intent[], claim: Claim | undefined): Promise<'begun' | Claim>;
  /** Goes on in the place of a request that broke off, with these of its intents. Throws like `begin`. */
  takeOver(lapsed: Claim, claim: Claim, intents: readonly Intent[]): Promise<void>;
  /** What stands where an intent was written; undefined when it was dropped. */
  find(id: string): Promise<IntentOutcome | undefined>;
  /**
   * Writes what became of intents, and the answer, in one transaction. `stale`: somebody else settled one meanwhile.
   * `taken`: the provider gave this one the account of another one of ours; nothing was written.
   */
  settle(
    outcomes: readonly IntentSettled[],
    answer: SealedAnswer | undefined,
  ): Promise<'settled' | 'stale' | { readonly taken: string }>;
  /** Lets a retry with the same key take the claim over at once. */
  release(claim: Claim): Promise<void>;
}

/** An intent and what became of it. */
export interface IntentSettled {
  readonly before: Intent;
  readonly after: VirtualAccount | Checkout | OpeningCheckout | 'dropped';
}

/** Each method writes one transaction; throws AnsweredBefore when the answer's key was used before. */
export interface CheckoutOpener {
  /** Throws the refusal `duplicate_merchant_reference`. `number_taken`: the account number belongs to someone else. */
  open(checkout: Checkout, answer?: SealedAnswer): Promise<'opened' | 'number_taken'>;
}
export interface VirtualAccountOpener {
  open(accounts: readonly VirtualAccount[], answer?: SealedAnswer): Promise<'opened' | 'number_taken'>;
}

export interface IdempotencyStore {
  /** The answer that still counts for a scope. */
  find(scope: string, now: Millis): Promise<SealedAnswer | undefined>;
  /** Keeps an answer. Throws AnsweredBefore when the scope holds one that has not expired. */
  keep(answer: SealedAnswer): Promise<void>;
}

/** A payment account as a provider issued it. */
export interface IssuedPaymentAccount {
  readonly account: ReceivingAccount;
  /** What the provider knows the payment by: one of our reference's attempts (attempt-reference.ts). */
  readonly providerReference: string;
  /** More than the amount only where the payer bears a fee that the merchant cannot take over. */
  readonly amountToPay: Kobo;
  /** The provider's, which may have clamped ours. */
  readonly expiresAt: Millis;
}

/** What issues accounts: a live provider, or test mode's stand-in for one. Every method may throw the errors of provider-errors.ts. */
export interface AccountIssuer {
  /** What one payment may come to, in kobo, as far as the provider publishes it. */
  readonly takes?: { readonly least: Kobo; readonly most?: Kobo } | undefined;
  /** A call is near: whether the provider is down is read beside whatever is done before it. */
  foresee?(): void;
  /** Opens a standing account under our reference, or finds the one that an earlier call opened under it. */
  createAccount(customer: Customer, reference: string): Promise<ReceivingAccount>;
  /** The account that was opened under our reference, or undefined when there is none. */
  findAccount(customer: Pick<Customer, 'name'>, reference: string): Promise<ReceivingAccount | undefined>;
  /** Closes a standing account. Does nothing where the provider cannot close one, or where it is closed already. */
  closeAccount(account: ReceivingAccount, reference: string): Promise<void>;
  /**
   * Opens an account for one payment under our reference. Calling it again after a lost answer gives that payment's account:
   * the same one where the provider tells it, else another that is matched by a reference derived from ours.
   */
  createPaymentAccount(wanted: {
    readonly reference: string;
    readonly amount: Kobo;
    readonly accountName: string;
    readonly payerEmail: string;
    readonly expiresAt: Millis;
  }): Promise<IssuedPaymentAccount>;
}

/** What a genuine notification makes us do. Only look-ups give credit; what no look-up can tell can only have been sent back. */
export interface Notice {
  readonly queries: readonly PaymentQuery[];
  readonly rejected: readonly ReportedTransfer[];
}

/** One page of the payments that a provider took in. */
export interface ReportPage {
  readonly payments: readonly {
    readonly query: PaymentQuery;
    /** What its payment is recorded under (landing.ts, transferIdOf); null where the list does not tell it. */
    readonly transferId: string | null;
    /** The provider has sent it back since; or may have, wholly or in part, where only a look-up tells. */
    readonly wentBack: boolean;
  }[];
  /** Where to go on; null after the last page. */
  readonly next: string | null;
}

/** A real provider of accounts: what it issues, what it tells, and what it can be asked (architecture.md section 6). */
export interface LiveProvider extends AccountIssuer {
  /** Whether the provider signed these very bytes, under either of two secrets while one replaces the other. Header names in lower case. */
  authenticate(headers: Readonly<Record<string, string | undefined>>, raw: Uint8Array): Promise<boolean>;
  /** What an authentic notification asks us to look up; nothing for what is not about incoming money. Throws nothing. */
  read(raw: Uint8Array): Notice;
  /** What the provider knows now: payments, whom they are for, and whether it has given up. `unknown` when it knows nothing of it (yet). */
  lookUp(query: PaymentQuery): Promise<PaymentReport | 'unknown'>;
  /** The payments of a span of time (milliseconds since the epoch), a page at a time. */
  listPayments(span: {
    readonly from: Millis;
    readonly to: Millis;
    readonly cursor: string | null;
  }): Promise<ReportPage>;
}

/** The issuer of this name in a mode, or undefined where it is not available. */
export type Providers = (mode: Mode, name: ProviderName) => AccountIssuer | undefined;
/** The live provider of this name, or undefined where the stage has not enabled it. */
export type LiveProviders = (name: ProviderName) => LiveProvider | undefined;
/** What the provider of this name needs of a customer, whether the stage has enabled it or not. */
export type NeedsOf = (name: ProviderName) => CustomerNeeds;

/** First attempts, retries, and endpoints that answer slowly wait in queues of their own, so that none delays another. */
export type Lane = 'first' | 'retry' | 'slow';

/** The outgoing queues of deliveries. Throws when a queue did not take every job. */
export interface DeliveryQueue<L extends Lane = Lane> {
  send(lane: L, jobs: readonly DeliveryJob[], delaySeconds?: number): Promise<void>;
}

export interface DeliveryStore {
  /** Applies a transition and returns the delivery after it; undefined when its condition did not hold. */
  apply(at: DeliveryAt, transition: Transition<Delivery>): Promise<Delivery | undefined>;
  /** Event, endpoint and breaker of a delivery, read together and consistently. */
  read(of: DeliveryAt): Promise<{
    readonly event: Event | undefined;
    readonly endpoint: WebhookEndpoint | undefined;
    readonly breaker: Breaker | undefined;
  }>;
  find(at: DeliveryAt): Promise<Delivery | undefined>;
  /** False when there is one to this endpoint already. */
  create(delivery: Delivery): Promise<boolean>;
  /** Keeps an attempt in the event's history. Harmless to repeat. */
  keepAttempt(at: DeliveryAt, made: Attempt): Promise<void>;
  /** Deliveries that wait behind an endpoint (`parked`) or were given up (`exhausted`), oldest event first, from a time on. */
  waiting(
    endpointId: string,
    state: 'parked' | 'exhausted',
    limit: number,
    since?: Millis,
  ): Promise<readonly Delivery[]>;
  /** Parked deliveries in the turn in which they are drained: by age, those after an event's first, and from the oldest on again. */
  nextToDrain(endpointId: string, afterEventId: string | null, limit: number): Promise<readonly Delivery[]>;
  /** The parked delivery whose turn to probe comes after that of an event: the newest while it is untried, else by age, and from the oldest on again. */
  nextParked(endpointId: string, afterEventId: string | null): Promise<Delivery | undefined>;
}

/** An event with its deliveries and their attempts, oldest first: of each delivery's the newest hundred. */
export interface EventHistory {
  readonly event: Event;
  readonly deliveries: readonly { readonly delivery: Delivery; readonly attempts: readonly Attempt[] }[];
}

/** Which events a list is asked for; null where it does not matter. */
export interface EventFilter {
  readonly type: EventType | null;
  /** The state of at least one of its deliveries. */
  readonly deliveryState: DeliveryState | null;
  readonly since: Millis | null;
}

export interface EventReader {
  find(tenant: Tenant, id: string): Promise<EventHistory | undefined>;
  /** Looks at some hundred events at most, so that a page may be short, even empty, and still have a next one. */
  list(tenant: Tenant, filter: EventFilter, page: PageRequest): Promise<Page<Event>>;
}

export interface EndpointReader {
  find(tenant: Tenant, id: string): Promise<WebhookEndpoint | undefined>;
  /** Oldest first. */
  list(tenant: Tenant): Promise<readonly WebhookEndpoint[]>;
}

/** Which delivery. */
export type DeliveryAt = Pick<Delivery, 'eventId' | 'endpointId'>;

export interface BreakerStore {
  find(endpointId: string): Promise<Breaker | undefined>;
  /** False when the row is no longer at `after`'s version but one. */
  save(after: Breaker): Promise<boolean>;
}

/** What all containers together know of each provider. */
export interface ProviderBreakerStore {
  /** As it was written a moment ago at the latest. Throws when the table does not answer at once. */
  find(provider: ProviderName): Promise<ProviderBreaker>;
  /** What stands there now: `after`, or what a rival wrote in the place of its version but one. */
  save(after: ProviderBreaker): Promise<ProviderBreaker>;
}

/** One thing that time owes us. */
export type DueWork = { readonly dueAt: Millis /** Where it stands in its shard. */; readonly position: string } & (
  | { readonly kind: 'delivery'; readonly eventId: string; readonly endpointId: string }
  | { readonly kind: 'checkout'; readonly reference: string }
  | { readonly kind: 'virtual_account'; readonly id: string }
  | { readonly kind: 'breaker'; readonly endpointId: string }
  | { readonly kind: 'notification'; readonly provider: ProviderName; readonly hash: string }
  | { readonly kind: 'unmatched'; readonly provider: ProviderName; readonly transferId: string }
);

/** Two kinds of due work, in partitions of their own, so that a provider that is slow never delays a webhook. */
export type DueFamily = 'deliveries' | 'payments';

export interface DueIndex {
  readonly shards: number;
  /** What is due in a shard after a position, oldest first, at most `limit`. */
  due(
    family: DueFamily,
    shard: number,
    now: Millis,
    limit: number,
    after: string | null,
  ): Promise<{ readonly works: readonly DueWork[]; readonly next: string | null }>;
}

/** Why this stage delivers no webhooks to a URL, as a sentence that goes on from the field's name; undefined when it does. */
export type CheckTarget = (url: string) => Promise<string | undefined>;

/** Posts a webhook. Never throws: what went wrong is part of the result. */
export type PostWebhook = (request: { url: string; headers: Record<string, string>; body: string }) => Promise<{
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly response: string | null;
  /** The Retry-After header as it came. */
  readonly retryAfter: string | null;
}>;

/** What one transaction records of a business: itself, and what changes only together with it. */
export interface BusinessEntry {
  readonly business: Change<Business>;
  readonly newKeys?: readonly ApiKey[];
  readonly changedKeys?: readonly ApiKey[];
  readonly newEndpoint?: WebhookEndpoint;
  readonly changedEndpoint?: WebhookEndpoint;
  readonly goneEndpoint?: WebhookEndpoint;
  /** What is announced with it. */
  readonly event?: Event;
  readonly deliveries?: readonly Delivery[];
  /** Who did it, when operations did. */
  readonly change?: OperatorChange;
}

/** Businesses. Keys and endpoints change only together with their business, whose version guards them. */
export interface BusinessStore {
  find(id: string): Promise<Business | undefined>;
  list(page: PageRequest): Promise<Page<Business>>;
  create(business: Business, keys: readonly ApiKey[], change: OperatorChange): Promise<void>;
  /** Writes all of the entry or nothing; false when the business changed meanwhile. */
  save(entry: BusinessEntry): Promise<boolean>;
  /** Records who did what where the change itself is not written here. */
  note(change: OperatorChange): Promise<void>;
  /** The keys that the business holds, read consistently: what is read after the business is no older than it. */
  keys(of: Business): Promise<readonly ApiKey[]>;
  /** A key by its id. One that was created within the last second may not be found yet. */
  findKey(id: string): Promise<ApiKey | undefined>;
  endpoints(of: Business): Promise<readonly WebhookEndpoint[]>;
}
