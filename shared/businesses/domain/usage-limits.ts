import { ApiError } from '#shared/platform/kernel/errors.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import { HOUR, MINUTE, type Millis, SECOND, secondsLeftIn } from '#shared/platform/kernel/time.ts';

/**
 * A kind of action. Each endpoint, business or member may do it only so often within a window.
 * For an endpoint: `send` (a test event or a redelivery), `recovery`, `recovered_delivery` (a delivery within a recovery).
 * For a business: `url` (setting the URL of an endpoint; its host is looked up, at name servers that anybody may run), `key_change` (a key
 * changes a live endpoint, and owners get a mail), `members_change` (all members' changes that owners get a mail about), `page_simulation` (on a
 * payment page).
 * For a business in each mode: `search` (of a list; it reads more items than it returns) and `export`.
 * For a member: `member_change` (as `members_change`, but by this member alone), `refused_change` (a request that failed, and that the audit
 * log records).
 */
export type UsageKind =
  | 'send'
  | 'recovery'
  | 'recovered_delivery'
  | 'url'
  | 'key_change'
  | 'members_change'
  | 'member_change'
  | 'refused_change'
  | 'page_simulation'
  | 'search'
  | 'export';

/** The kinds with a window of an hour. The others have a minute. */
const HOURLY: ReadonlySet<UsageKind> = new Set(['key_change', 'members_change', 'member_change', 'refused_change']);

/** Returns the length of a window in milliseconds. Windows are fixed, so at worst twice the limit passes within this time. */
export const usageWindowLength = (kind: UsageKind): Millis => (HOURLY.has(kind) ? HOUR : MINUTE);

/**
 * The limits of a window (0020-send-and-search-limits.md).
 * `send`: as many as the first step of a drain releases; a script sends a thousand lost events again in 17 minutes.
 * `recovery`: few, because each reads lists. `recovered_delivery`: more than the 6,000 a minute that a drain releases at most.
 * `url`: one for each of a business's ten endpoints.
 * `key_change`: as many mails as members may cause in an hour by inviting.
 * `member_change`: one member cannot use up `members_change`.
 * `members_change`: if a business has thirty owners, 120 changes cause 3,600 mails, fewer than are sent in an hour.
 * `search` and `export`: enough for a person and a script; both together read some thousand units a second.
 */
export const USAGE_LIMITS: Readonly<Record<UsageKind, number>> = {
  send: 60,
  recovery: 10,
  recovered_delivery: 10_000,
  url: 10,
  key_change: 60,
  members_change: 120,
  member_change: 30,
  refused_change: 20,
  page_simulation: 120,
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
 * Returns the id under which the searches and exports of a business in one mode are counted. So test mode takes nothing from the limit of live
 * mode.
 */
export const searchUsageId = ({ businessId, mode }: Tenant): string => `${businessId}#${mode}`;

/** Returns the id under which the changes of one member of a business are counted. */
export const memberUsageId = (businessId: string, userId: string): string => `${businessId}#${userId}`;

/** Returns the number of the window of a kind that contains a time. */
export const usageWindow = (kind: UsageKind, now: Millis): number => Math.floor(now / usageWindowLength(kind));

/** Makes the error for a used-up limit of endpoints (`ids`) or of a business. The caller may try again when the next window begins. */
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
