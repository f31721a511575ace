import { ApiError } from '#shared/platform/kernel/errors.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import { HOUR, MINUTE, type Millis, SECOND, secondsLeftIn } from '#shared/platform/kernel/time.ts';

/**
 * What a business causes by hand. For an endpoint: a `send` (a test event or a redelivery), a `recovery`, a delivery within a recovery.
 * For the business itself: a `url` of an endpoint, whose host is looked up at name servers that anybody may run; a change of a live endpoint by
 * one of its keys, of which its owners are mailed; the same of all its members together, and of one of them; a refusal of one of them that the audit log keeps; a simulation on a payment
 * page; a `search` of a list, which reads more than it shows, and an `export`, each in one mode.
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

/** What owners are mailed of, and what their log keeps. */
const HOURLY: ReadonlySet<UsageKind> = new Set(['key_change', 'members_change', 'member_change', 'refused_change']);

/** Milliseconds. Fixed windows: at worst twice the limit passes within a minute, or an hour, that spans two of them. */
export const usageWindowLength = (kind: UsageKind): Millis => (HOURLY.has(kind) ? HOUR : MINUTE);

/**
 * How many of each a window allows (0020-send-and-search-limits.md). Sends: as many as the first step of a drain releases, so that a script sends a thousand
 * lost events again in 17 minutes. Recoveries: few, as each reads lists. Deliveries in recoveries: more than the 6,000 a minute that a
 * drain releases at most. URLs: one for each of a business's ten endpoints. Changes by keys: as many mails as members may cause in an hour by inviting. Changes by members: one of them leaves the others theirs, and thirty readers of all of them are fewer mails than are sent in an hour. Searches and exports: what a person and a script need, at some
 * thousand read units a second (0020-send-and-search-limits.md).
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
  url: 'A business gives webhook endpoints at most 10 URLs a minute.',
  key_change:
    'The keys of a business change live webhook endpoints at most 60 times an hour; members do it in the dashboard.',
  members_change:
    'The members of a business make at most 120 changes an hour of which owners are mailed. Keys are revoked and endpoints deleted all the same.',
  member_change:
    'A member makes at most 30 changes an hour of which owners are mailed. Keys are revoked and endpoints deleted all the same, and other members go on.',
  refused_change: 'The audit log keeps at most 20 refused changes of a member an hour.',
  page_simulation: 'The payment pages of a business simulate at most 120 payments a minute.',
  search: 'A business searches its lists with filters at most 120 times a minute in a mode.',
  export: 'A business exports payments at most 12 times a minute in a mode.',
};

/** The field of a request that names what has reached its limit, where there is one. */
const FIELDS: { readonly [Kind in UsageKind]?: string } = {
  send: 'endpoint_id',
  recovery: 'endpoint_id',
  recovered_delivery: 'endpoint_id',
  url: 'url',
};

/**
 * A recovery that has not ended after this has crashed, and the next one may begin. Longer than its function may run (`timeoutSeconds`).
 * Milliseconds.
 */
export const RECOVERY_LEASE: Millis = 30 * SECOND;

/** What the searches and exports of a business in one mode are counted under: a test of its own takes nothing from its live mode. */
export const searchUsageId = ({ businessId, mode }: Tenant): string => `${businessId}#${mode}`;

/** What the changes of one member of a business are counted under. */
export const memberUsageId = (businessId: string, userId: string): string => `${businessId}#${userId}`;

/** The number of the window of a kind that a time is in. */
export const usageWindow = (kind: UsageKind, now: Millis): number => Math.floor(now / usageWindowLength(kind));

/** The refusal when the limit of endpoints (`ids`), or of a business, is used up, until the next window begins. */
export const usageLimitReached = (kind: UsageKind, ids: readonly string[], now: Millis): ApiError => {
  const retryAfterSeconds = secondsLeftIn(usageWindowLength(kind), now);
  const message = `${SENTENCES[kind]} Try again in ${retryAfterSeconds} s.`;
  const field = FIELDS[kind];
  const errors = field && ids.map((id) => ({ field, message: `${id} has reached its limit.` }));
  return new ApiError('rate_limited', { message, retryAfterSeconds, ...(errors && { errors }) });
};

/** The refusal of a recovery while another one of the same endpoint is under way, until that one has ended at the latest. */
export const recoveryUnderWay = (endpointId: string): ApiError => {
  const retryAfterSeconds = RECOVERY_LEASE / SECOND;
  const message = `A recovery of this webhook endpoint is under way. Try again in ${retryAfterSeconds} s.`;
  const errors = [{ field: 'id', message: `${endpointId} is being recovered.` }];
  return new ApiError('rate_limited', { message, retryAfterSeconds, errors });
};
