import type { ApiKey } from '#shared/domain/api-key.ts';
import type { Business } from '#shared/domain/business.ts';
import type { Checkout } from '#shared/domain/checkout.ts';
import type { Delivery, DeliveryJob } from '#shared/domain/delivery.ts';
import type { Event } from '#shared/domain/event.ts';
import type { SealedAnswer } from '#shared/domain/idempotency.ts';
import type { IdPrefix, RandomBytes } from '#shared/domain/ids.ts';
import type { Mode } from '#shared/domain/mode.ts';
import type { Kobo } from '#shared/domain/money.ts';
import type { OperatorChange } from '#shared/domain/operator-change.ts';
import type { Payment, PaymentOwner } from '#shared/domain/payment.ts';
import type { Customer, ProviderName, ReceivingAccount } from '#shared/domain/provider.ts';
import type { Tenant } from '#shared/domain/tenant.ts';
import type { Millis } from '#shared/domain/time.ts';
import type { Transition } from '#shared/domain/transition.ts';
import type { VirtualAccount } from '#shared/domain/virtual-account.ts';
import type { WebhookEndpoint } from '#shared/domain/webhook-endpoint.ts';

export type { Log } from '#shared/log.ts';

/** Time and chance, handed in so that tests own them. */
export interface Nature {
  /** Milliseconds since the epoch. */
  readonly now: () => Millis;
  readonly newId: (prefix: IdPrefix) => string;
  readonly randomBytes: RandomBytes;
  /** A number in [0, 1). */
  readonly draw: () => number;
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
  readonly payment?: Payment;
  readonly checkout?: Change<Checkout>;
  readonly virtualAccount?: Change<VirtualAccount>;
  readonly event?: Event;
  readonly deliveries?: readonly Delivery[];
  readonly answer?: SealedAnswer | undefined;
}

/** `stale`: an object changed meanwhile, read and decide again. `recorded_before`: the payment exists already. */
export type Recorded = 'recorded' | 'stale' | 'recorded_before';

/** Money and what follows from it. `record` writes one transaction; it throws AnsweredBefore when the answer's key was used. */
export interface Ledger {
  /** The checkout with its business, read together and consistently. */
  readCheckout(tenant: Tenant, reference: string): Promise<{ business: Business; checkout: Checkout } | undefined>;
  readVirtualAccount(
    tenant: Tenant,
    id: string,
  ): Promise<{ business: Business; virtualAccount: VirtualAccount } | undefined>;
  /** Whose object this is, for work that no request asked for; every further read names the tenant. */
  tenantOf(owner: PaymentOwner): Promise<Tenant | undefined>;
  record(entry: LedgerEntry): Promise<Recorded>;
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
  /** Keeps an answer. Throws AnsweredBefore when the scope holds one that has not expired. */
  keep(answer: SealedAnswer): Promise<void>;
}

/** A provider said no, in words for the business. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';
}
/** A provider did not answer in time: whether it did what we asked is not known. */
export class ProviderTimeout extends Error {
  override readonly name = 'ProviderTimeout';
}

/** One external account provider. */
export interface AccountProvider {
  /** Opens a standing account under our reference. Throws ProviderRefusal or ProviderTimeout. */
  createAccount(customer: Customer, reference: string): Promise<ReceivingAccount>;
  /** The account that was opened under our reference, or undefined when there is none. Throws ProviderTimeout. */
  findAccount(customer: Pick<Customer, 'name'>, reference: string): Promise<ReceivingAccount | undefined>;
  /** Closes a standing account. Throws ProviderRefusal or ProviderTimeout. */
  closeAccount(account: ReceivingAccount): Promise<void>;
  /** Opens an account for one payment. Throws ProviderRefusal or ProviderTimeout. */
  createPaymentAccount(wanted: {
    reference: string;
    amount: Kobo;
    accountName: string;
    expiresAt: Millis;
  }): Promise<{ account: ReceivingAccount; amountToPay: Kobo; expiresAt: Millis }>;
}

/** The provider of this name in a mode, or undefined where it is not available. */
export type Providers = (mode: Mode, name: ProviderName) => AccountProvider | undefined;

/** The outgoing queue of deliveries. Throws when the queue did not take every job. */
export interface DeliveryQueue {
  send(jobs: readonly DeliveryJob[], delaySeconds?: number): Promise<void>;
}

export interface DeliveryStore {
  /** Applies a transition and returns the delivery after it; undefined when its condition did not hold. */
  apply(at: Pick<Delivery, 'eventId' | 'endpointId'>, transition: Transition<Delivery>): Promise<Delivery | undefined>;
  /** Event and endpoint of a delivery, read together and consistently. */
  read(
    of: Pick<Delivery, 'eventId' | 'endpointId'>,
  ): Promise<{ event: Event | undefined; endpoint: WebhookEndpoint | undefined }>;
}

/** One thing that time owes us. */
export type DueWork = { readonly dueAt: Millis /** Where it stands in its shard. */; readonly position: string } & (
  | { readonly kind: 'delivery'; readonly eventId: string; readonly endpointId: string }
  | { readonly kind: 'checkout'; readonly reference: string }
  | { readonly kind: 'virtual_account'; readonly id: string }
);

export interface DueIndex {
  readonly shards: number;
  /** What is due in a shard after a position, oldest first, at most `limit`. */
  due(shard: number, now: Millis, limit: number, after: string | null): Promise<readonly DueWork[]>;
}

/** Posts a webhook. Never throws: what went wrong is part of the result. */
export type PostWebhook = (request: {
  url: string;
  headers: Record<string, string>;
  body: string;
}) => Promise<{ statusCode: number | null; error: string | null; response: string | null }>;

/** What one transaction of operations records: the business, what changes with it, and who did it. */
export interface BusinessEntry {
  readonly business: Change<Business>;
  readonly newKeys?: readonly ApiKey[];
  readonly changedKeys?: readonly ApiKey[];
  readonly newEndpoint?: WebhookEndpoint;
  readonly change: OperatorChange;
}

/** What operations may change, each with its record of who did it. Keys change only together with their business. */
export interface BusinessStore {
  find(id: string): Promise<Business | undefined>;
  list(page: PageRequest): Promise<Page<Business>>;
  create(business: Business, keys: readonly ApiKey[], change: OperatorChange): Promise<void>;
  /** Writes all of the entry or nothing; false when the business changed meanwhile. */
  save(entry: BusinessEntry): Promise<boolean>;
  /** The keys that the business holds, read consistently: what is read after the business is no older than it. */
  keys(of: Business): Promise<readonly ApiKey[]>;
  /** A key by its id. One that was created within the last second may not be found yet. */
  findKey(id: string): Promise<ApiKey | undefined>;
  endpoints(of: Business): Promise<readonly WebhookEndpoint[]>;
}
