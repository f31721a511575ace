import { ApiError } from '#shared/platform/kernel/errors.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import { HOUR, MINUTE, type Millis, SECOND, secondsLeftIn } from '#shared/platform/kernel/time.ts';

/**
 * An action with a limit for each endpoint, business or member.
 * Endpoint: `send` (a test event or a redelivery), `recovery`, `recovered_delivery` (a delivery within a recovery).
 * Business: `url` (a URL of an endpoint, whose host is looked up at name servers that anybody may run), `key_change` (a change of a live
 * endpoint by a key, of which owners are mailed), `members_change` (changes of which owners are mailed, by all members),
 * `page_simulation` (on a payment page); and in each mode `search` (of a list, which reads more than it shows) and `export`.
 * Member: `member_change` (as `members_change`, by one member), `refused_change` (an error that the audit log keeps).
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
 * `member_change` and `members_change`: one member leaves some to the others, and all of them cause fewer mails for thirty readers than are
 * sent in an hour.
 * `search` and `export`: enough for a person and a script, at some thousand read units a second.
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
 * The time after which a recovery that has not ended has crashed, and the next one may begin. It is longer than its function may run
 * (`timeoutSeconds`). Milliseconds.
 */
export const RECOVERY_LEASE: Millis = 30 * SECOND;

/** Returns the id that the searches and exports of a business in one mode are counted under. Test mode takes nothing from live mode. */
export const searchUsageId = ({ businessId, mode }: Tenant): string => `${businessId}#${mode}`;

/** Returns the id that the changes of one member of a business are counted under. */
export const memberUsageId = (businessId: string, userId: string): string => `${businessId}#${userId}`;

/** Returns the number of the window of a kind that contains a time. */
export const usageWindow = (kind: UsageKind, now: Millis): number => Math.floor(now / usageWindowLength(kind));

/** Makes the error for a used-up limit of endpoints (`ids`) or of a business. It lasts until the next window begins. */
export const usageLimitReached = (kind: UsageKind, ids: readonly string[], now: Millis): ApiError => {
  const retryAfterSeconds = secondsLeftIn(usageWindowLength(kind), now);
  const message = `${SENTENCES[kind]} Try again in ${retryAfterSeconds} s.`;
  const field = FIELDS[kind];
  const errors = field && ids.map((id) => ({ field, message: `${id} has reached its limit.` }));
  return new ApiError('rate_limited', { message, retryAfterSeconds, ...(errors && { errors }) });
};

/** Makes the error for a recovery while another one of the same endpoint is under way. It lasts at most as long as that one's lease. */
export const recoveryUnderWay = (endpointId: string): ApiError => {
  const retryAfterSeconds = RECOVERY_LEASE / SECOND;
  const message = `A recovery of this webhook endpoint is under way. Try again in ${retryAfterSeconds} s.`;
  const errors = [{ field: 'id', message: `${endpointId} is being recovered.` }];
  return new ApiError('rate_limited', { message, retryAfterSeconds, errors });
};
