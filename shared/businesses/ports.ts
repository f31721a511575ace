import type { ApiKey, ProfileOnKeys } from '#shared/businesses/domain/api-key.ts';
import type { Business } from '#shared/businesses/domain/business.ts';
import type { DailySummary } from '#shared/businesses/domain/daily-summary.ts';
import type { AuditEntry, MemberChange } from '#shared/businesses/domain/member-change.ts';
import type { Notice } from '#shared/businesses/domain/notice.ts';
import type { OperatorChange } from '#shared/businesses/domain/operator-change.ts';
import type { StoredLogo } from '#shared/businesses/domain/stored-logo.ts';
import type { UsageKind } from '#shared/businesses/domain/usage-limits.ts';
import type { User } from '#shared/members/domain/user.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import type { Change, Page, PageRequest } from '#shared/platform/ports.ts';
import type { Delivery } from '#shared/webhooks/domain/delivery.ts';
import type { WebhookEndpoint } from '#shared/webhooks/domain/endpoint.ts';
import type { Event } from '#shared/webhooks/domain/event.ts';

export interface KeyReader {
  findByHash(hash: string): Promise<ApiKey | undefined>;
}

/** Logos, each written and deleted with its business. */
export interface LogoReader {
  find(id: string): Promise<StoredLogo | undefined>;
}

export interface KeyUses {
  /** Notes that a key is used now, unless this container noted it in the same hour. */
  note(keyId: string, now: Millis): Promise<void>;
}

/** What one transaction records of a business: itself, and what changes only together with it. */
export interface BusinessEntry {
  readonly business: Change<Business>;
  readonly newKeys?: readonly ApiKey[];
  readonly changedKeys?: readonly ApiKey[];
  /** The keys whose copy of the display name changes, and nothing else of theirs. */
  readonly namedKeys?: ProfileOnKeys;
  readonly newLogo?: StoredLogo;
  /** The id of the logo that the business no longer has. */
  readonly goneLogo?: string;
  readonly newEndpoint?: WebhookEndpoint;
  readonly changedEndpoint?: WebhookEndpoint;
  readonly goneEndpoint?: WebhookEndpoint;
  /** What is announced with it. */
  readonly event?: Event;
  readonly deliveries?: readonly Delivery[];
  /** A member's own record, which changes only together with a business. */
  readonly user?: { readonly before: User | undefined; readonly after: User };
  /** Who did it, when operations, a member or a live key did. */
  readonly change?: OperatorChange | AuditEntry | undefined;
  /** What the owners are mailed of it. */
  readonly notice?: Notice | undefined;
  /** The first daily summary of a business, in place of any that is there. */
  readonly summary?: DailySummary | undefined;
}

/** Which entries of an audit log to list; null where any will do. */
export interface AuditFilter {
  /** The member's e-mail address. */
  readonly actor: string | null;
  /** The endpoint that was called, such as `POST /v1/keys`. */
  readonly action: string | null;
  readonly from: Millis | null;
}

/** What the members of a business, and its live keys, changed: entries are added, and none is ever changed. */
export interface AuditLog {
  /**
   * Writes down what a member asks for, before it is done, decided on what is known of its business; false when the business changed
   * meanwhile. It is an entry once it is closed.
   */
  open(draft: MemberChange, business: Pick<Business, 'id' | 'version'>): Promise<boolean>;
  /** Makes an entry of what was asked for; or forgets it, where nothing was done and nothing is kept. */
  close(draft: MemberChange, entry: MemberChange | undefined): Promise<void>;
  /** Adds an entry of what was not written down before. */
  add(entry: MemberChange): Promise<void>;
  /** Makes entries of what was asked for more than a minute before `now` and not closed: its request has died, and may have done it. */
  closeDead(businessId: string, now: Millis): Promise<void>;
  /** Newest first. Reads 300 entries at most: a filtered page may be short, even empty, and still have a next one. */
  list(businessId: string, filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>>;
}

export interface BusinessReader {
  find(id: string): Promise<Business | undefined>;
  /** Those of them that there are. */
  findAll(ids: readonly string[]): Promise<readonly Business[]>;
}

/** Businesses. Keys and endpoints change only together with their business, whose version guards them. */
export interface BusinessStore extends BusinessReader {
  list(page: PageRequest): Promise<Page<Business>>;
  create(business: Business, keys: readonly ApiKey[], change: OperatorChange): Promise<void>;
  /** Writes all of the entry or nothing; false when the business changed meanwhile. */
  save(entry: BusinessEntry): Promise<boolean>;
  /** Records who did what where the change itself is not written here. */
  recordChange(change: OperatorChange): Promise<void>;
  /** What operators changed, newest first: everything, or at one business. A change of the last second may be missing. */
  listChanges(page: PageRequest, businessId?: string): Promise<Page<OperatorChange>>;
  /** The keys that the business holds, read consistently: what is read after the business is no older than it. */
  keys(owner: Business): Promise<readonly ApiKey[]>;
  /** When keys were used last, by their ids, to the hour; one without an entry was not used for 400 days, or never. */
  lastUses(keys: readonly ApiKey[]): Promise<ReadonlyMap<string, Millis>>;
  /** A key by its id. One that was created within the last second may not be found yet. */
  findKey(id: string): Promise<ApiKey | undefined>;
  endpoints(owner: Business): Promise<readonly WebhookEndpoint[]>;
  /** An endpoint by its id, of any business: for operators only. */
  findEndpoint(id: string): Promise<WebhookEndpoint | undefined>;
}

export interface UsageStore {
  /** Charges `count` (default 1) against the limit of an endpoint, or of a business for a URL, in the window of `now`; false when not enough is left. */
  take(id: string, kind: UsageKind, now: Millis, count?: number): Promise<boolean>;
}
