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

/** Reads logos. A logo is written and deleted together with its business. */
export interface LogoReader {
  find(id: string): Promise<StoredLogo | undefined>;
}

export interface KeyUses {
  /** Records that a key is used now, unless this container has recorded a use of the key in the same hour. */
  note(keyId: string, now: Millis): Promise<void>;
}

/** The writes of one transaction for a business: the business itself, and what changes only together with it. */
export interface BusinessEntry {
  readonly business: Change<Business>;
  readonly newKeys?: readonly ApiKey[];
  readonly changedKeys?: readonly ApiKey[];
  /** The keys whose copy of the profile changes. Nothing else of these keys changes. */
  readonly namedKeys?: ProfileOnKeys;
  readonly newLogo?: StoredLogo;
  /** The id of the logo that the business no longer has. */
  readonly removedLogoId?: string;
  readonly newEndpoint?: WebhookEndpoint;
  readonly changedEndpoint?: WebhookEndpoint;
  readonly goneEndpoint?: WebhookEndpoint;
  /** The event that announces the change. */
  readonly event?: Event;
  readonly deliveries?: readonly Delivery[];
  /** A user whose item changes together with the business. */
  readonly user?: { readonly before: User | undefined; readonly after: User };
  /** The record of who made the change: operations, a member or a live key. */
  readonly change?: OperatorChange | AuditEntry | undefined;
  /** The mail to the owners about the change. */
  readonly notice?: Notice | undefined;
  /** The first daily summary of a business. It replaces a summary that exists already. */
  readonly summary?: DailySummary | undefined;
}

/** A filter for the entries of an audit log; null allows any value. */
export interface AuditFilter {
  /** The member's e-mail address. */
  readonly actor: string | null;
  /** The endpoint that was called, such as `POST /v1/keys`. */
  readonly action: string | null;
  readonly from: Millis | null;
}

/** The audit log of a business: changes by its members and live keys. Entries are added, and never changed. */
export interface AuditLog {
  /**
   * Writes a draft of the entry of a member's request, before the request is carried out. Returns false, and writes nothing, if `business` has
   * changed since it was read. Closing the draft makes it an entry.
   */
  open(draft: MemberChange, business: Pick<Business, 'id' | 'version'>): Promise<boolean>;
  /** Replaces a draft by `entry`. Without an entry it only deletes the draft. */
  close(draft: MemberChange, entry: MemberChange | undefined): Promise<void>;
  /** Adds an entry that had no draft. */
  add(entry: MemberChange): Promise<void>;
  /** Replaces drafts that are older than a minute by entries with an unknown outcome: their requests have died, perhaps after they took effect. */
  closeDeadDrafts(businessId: string, now: Millis): Promise<void>;
  /**
   * Lists entries, newest first. It reads at most 300 entries, so a filtered list page may be short, even empty, and another list page may still
   * follow.
   */
  list(businessId: string, filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>>;
}

export interface BusinessReader {
  find(id: string): Promise<Business | undefined>;
  /** Finds the businesses that exist among these ids. */
  findAll(ids: readonly string[]): Promise<readonly Business[]>;
}

/** Stores businesses. Keys and endpoints change only together with their business, whose version guards them. */
export interface BusinessStore extends BusinessReader {
  list(page: PageRequest): Promise<Page<Business>>;
  create(business: Business, keys: readonly ApiKey[], change: OperatorChange): Promise<void>;
  /** Writes all of the entry or nothing; false if the business changed meanwhile. */
  save(entry: BusinessEntry): Promise<boolean>;
  /** Records an operator's change that this store does not write itself. */
  recordChange(change: OperatorChange): Promise<void>;
  /** Lists the changes by operators, newest first: all, or at one business. A change of the last second may be missing. */
  listChanges(page: PageRequest, businessId?: string): Promise<Page<OperatorChange>>;
  /** Reads the keys of a business consistently. If they are read after the business, they are at least as new as the business that was read. */
  keys(owner: Business): Promise<readonly ApiKey[]>;
  /** Reads the last use of each key, to the hour. Returns it by the id of the key. A key without an entry was not used for 400 days, or never. */
  lastUses(keys: readonly ApiKey[]): Promise<ReadonlyMap<string, Millis>>;
  /** Finds a key by its id. A key of the last second may not be found yet. */
  findKey(id: string): Promise<ApiKey | undefined>;
  endpoints(owner: Business): Promise<readonly WebhookEndpoint[]>;
  /** Finds an endpoint of any business by its id; for operators only. */
  findEndpoint(id: string): Promise<WebhookEndpoint | undefined>;
}

export interface UsageStore {
  /** Takes `count` (default 1) from a limit, in the window of `now`; false if not enough is left. `id`: the endpoint, business or member. */
  take(id: string, kind: UsageKind, now: Millis, count?: number): Promise<boolean>;
}
