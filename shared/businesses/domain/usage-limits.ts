import { ApiError } from '#shared/platform/kernel/errors.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import { HOUR, MINUTE, type Millis, SECOND, secondsLeftIn } from '#shared/platform/kernel/time.ts';

/** A kind of action. Each endpoint, business or member may do it only so often within a window. */
export type UsageKind =
  /** At an endpoint: a test event or a redelivery. */
  | 'send'
  /** At an endpoint: a recovery. */
  | 'recovery'
  /** At an endpoint: a delivery that a recovery finds. */
  | 'recovered_delivery'
  /** At a business: setting the URL of an endpoint. The host is looked up at name servers, and anybody may run such servers. */
  | 'url'
  /** At a business: a change of a live endpoint by an API key. Owners get a mail about it. */
  | 'key_change'
  /** At a business: a change by any of its members that owners get a mail about. Changes of members have other limits (member-mails.ts). */
  | 'members_change'
  /** By one member of a business: the changes that `members_change` counts, but only those of this member. */
  | 'member_change'
  /** By one member of a business: a refused request that the audit log records. */
  | 'refused_change'
  /** At a business: a simulated payment on one of its payment pages. */
  | 'page_simulation'
  /** At a business, in one mode: a request for a list or totals that reads more items than it returns. */
  | 'search'
  /** At a business, in one mode: an export of payments. */
  | 'export';

/** The kinds with a window of an hour. The others have a minute. */
const HOURLY: ReadonlySet<UsageKind> = new Set(['key_change', 'members_change', 'member_change', 'refused_change']);

/** Returns the length of a window in milliseconds. Windows are fixed, so at worst twice the limit passes within this time. */
export const usageWindowLength = (kind: UsageKind): Millis => (HOURLY.has(kind) ? HOUR : MINUTE);

/** How many actions of each kind one window allows (0020-send-and-search-limits.md). */
export const USAGE_LIMITS: Readonly<Record<UsageKind, number>> = {
  /** The first step of a drain releases as many. A script needs 17 minutes to send a thousand lost events again. */
  send: 60,
  /** Few, because each recovery reads lists. */
  recovery: 10,
  /** More than a drain releases in a minute, which is 6,000 at most. */
  recovered_delivery: 10_000,
  /** One for each of the ten endpoints that a business may have. */
  url: 10,
  /** The same number as the mails that changes of members may cause in an hour (`BUSINESS_LIMIT`, member-mails.ts). */
  key_change: 60,
  /** If a business has thirty owners, 120 changes cause 3,600 mails. The service can send more than that in an hour. */
  members_change: 120,
  /** So few that one member cannot use up `members_change`. */
  member_change: 30,
  refused_change: 20,
  page_simulation: 120,
  /** Enough for a person and a script. If the limits of `search` and `export` are used up, both together read some thousand units a second. */
  search: 120,
  export: 12,
};

const endpointTakes = (what: string): string => `A webhook endpoint takes at most ${what} a minute.`;
const SENTENCES: Readonly<Record<UsageKind, string>> = {
  send: endpointTakes('60 test events and redeliveries'),
  recovery: endpointTakes('10 recoveries'),
  recovered_delivery: endpointTakes('10,000 deliveries in recoveries'),
  url: 'A business can set at most 10 webhook endpoint URLs a minute.',
  key_change:
    'API keys can change live webhook endpoints of a business at most 60 times an hour. Members can change them in the dashboard.',
  members_change:
    'The members of a business can make at most 120 changes an hour that owners are mailed about. You can still revoke keys and delete endpoints.',
  member_change:
    'A member can make at most 30 changes an hour that owners are mailed about. You can still revoke keys and delete endpoints, and other members can still make changes.',
  refused_change: 'The audit log keeps at most 20 refused changes of a member an hour.',
  page_simulation: 'The payment pages of a business can simulate at most 120 payments a minute.',
  search: 'A business can search its lists with filters at most 120 times a minute in each mode.',
  export: 'A business can export payments at most 12 times a minute in each mode.',
};

/** The field of a request that names the object with the used-up limit. */
const FIELDS: { readonly [Kind in UsageKind]?: string } = {
  send: 'endpoint_id',
  recovery: 'endpoint_id',
  recovered_delivery: 'endpoint_id',
  url: 'url',
};

/**
 * The lease of a recovery. A recovery that has not ended by then has crashed, and the next recovery may begin. The lease is longer than the
 * timeout of the function (`timeoutSeconds`). Milliseconds.
 */
export const RECOVERY_LEASE: Millis = 30 * SECOND;

/**
 * Returns the id under which the searches and exports of a business in one mode are counted. Each mode has a limit of its own, so test mode takes
 * nothing from live mode.
 */
export const searchUsageId = ({ businessId, mode }: Tenant): string => `${businessId}#${mode}`;

/** Returns the id under which the changes of one member of a business are counted. */
export const memberUsageId = (businessId: string, userId: string): string => `${businessId}#${userId}`;

/** Returns the number of the window of a kind that contains a time. */
export const usageWindow = (kind: UsageKind, now: Millis): number => Math.floor(now / usageWindowLength(kind));

/**
 * Makes the error for a used-up limit. `ids`: the endpoints, the business or the member that have used up their limit. The caller may try again
 * when the next window begins.
 */
export const usageLimitReached = (kind: UsageKind, ids: readonly string[], now: Millis): ApiError => {
  const retryAfterSeconds = secondsLeftIn(usageWindowLength(kind), now);
  const message = `${SENTENCES[kind]} Try again in ${retryAfterSeconds} s.`;
  const field = FIELDS[kind];
  const errors = field && ids.map((id) => ({ field, message: `${id} has reached its limit.` }));
  return new ApiError('rate_limited', { message, retryAfterSeconds, ...(errors && { errors }) });
};

/**
 * Makes the error for a recovery while another recovery of the same endpoint is under way. The caller may try again when the lease ends: by then
 * the other recovery is over.
 */
export const recoveryUnderWay = (endpointId: string): ApiError => {
  const retryAfterSeconds = RECOVERY_LEASE / SECOND;
  const message = `A recovery of this webhook endpoint is under way. Try again in ${retryAfterSeconds} s.`;
  const errors = [{ field: 'id', message: `${endpointId} is being recovered.` }];
  return new ApiError('rate_limited', { message, retryAfterSeconds, errors });
};
