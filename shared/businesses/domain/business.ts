import * as z from 'zod/mini';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { keyKind } from '#shared/platform/kernel/key-kind.ts';
import { type Mode, mode } from '#shared/platform/kernel/mode.ts';
import { NotPossible } from '#shared/platform/kernel/not-possible.ts';
import { boolean, millis, ordinal, text } from '#shared/platform/kernel/schemas.ts';
import { type EndpointHead, endpointHead } from '#shared/webhooks/domain/endpoint-head.ts';
import type { EventType } from '#shared/webhooks/domain/event.ts';
import { type ApiKey, hasEnded } from './api-key.ts';
import { MAX_MEMBERS, member } from './member.ts';
import { businessName, businessProfile } from './profile.ts';

/** The most webhook endpoints in each mode. */
const MAX_ENDPOINTS_PER_MODE = 5;
/** The most API keys of a business. Suspending a business writes all of its keys in one transaction, and this number bounds the transaction. */
export const MAX_KEYS_PER_BUSINESS = 50;

/** A business, with its profile, its members, the heads of its endpoints (endpoint-head.ts) and the hashes of its keys. */
export const business = z.object({
  id: idSchema('biz'),
  name: businessName,
  suspended: boolean,
  endpoints: z.array(endpointHead).check(z.maxLength(2 * MAX_ENDPOINTS_PER_MODE)),
  keys: z
    .array(z.object({ id: idSchema('key'), hash: text, mode, kind: keyKind }))
    .check(z.maxLength(MAX_KEYS_PER_BUSINESS)),
  createdAt: millis,
  version: ordinal,
  profile: businessProfile,
  members: z.array(member).check(z.maxLength(MAX_MEMBERS)),
});
export type Business = z.infer<typeof business>;

/**
 * Lists the endpoints that get an event: endpoints of the event's mode that subscribe to its type. The list includes disabled endpoints, because
 * their deliveries are parked.
 */
export const subscribers = (owner: Business, type: EventType, eventMode: Mode): EndpointHead[] =>
  owner.endpoints.filter(
    (head) => head.mode === eventMode && (head.events.includes('*') || head.events.includes(type)),
  );

/** Returns the next version of a business, with changed fields. */
export const nextBusiness = (before: Business, set: Partial<Omit<Business, 'id' | 'version'>> = {}): Business => ({
  ...before,
  ...set,
  version: before.version + 1,
});

/** Checks that a business may have one more endpoint in a mode. @throws ApiError `endpoint_limit_reached` if it has the maximum. */
export const ensureRoomForEndpoint = ({ endpoints }: Business, endpointMode: Mode): void => {
  const inMode = endpoints.filter((head) => head.mode === endpointMode);
  if (inMode.length >= MAX_ENDPOINTS_PER_MODE) throw new ApiError('endpoint_limit_reached');
};

/** Adds an endpoint to a business. @throws ApiError `endpoint_limit_reached` if its mode is full. */
export const addEndpoint = (before: Business, added: EndpointHead): Business => {
  ensureRoomForEndpoint(before, added.mode);
  return nextBusiness(before, { endpoints: [...before.endpoints, added] });
};

/** Replaces the head of one of a business's endpoints. */
export const changeHead = (before: Business, changed: EndpointHead): Business =>
  nextBusiness(before, { endpoints: before.endpoints.map((head) => (head.id === changed.id ? changed : head)) });

/** Removes the head of one of a business's endpoints. */
export const removeEndpointHead = (before: Business, id: string): Business =>
  nextBusiness(before, { endpoints: before.endpoints.filter((head) => head.id !== id) });

/**
 * Adds a key to a business. `stored`: the keys of the business. If the business's list of keys is full, ended keys are removed from the list.
 * @throws NotPossible if the list is full of keys that still work.
 */
export const addKey = (before: Business, stored: readonly ApiKey[], added: ApiKey, now: number): Business => {
  const ended = new Set(stored.filter((key) => hasEnded(key, now)).map(({ id }) => id));
  const isFull = before.keys.length >= MAX_KEYS_PER_BUSINESS;
  const remaining = isFull ? before.keys.filter(({ id }) => !ended.has(id)) : before.keys;
  if (remaining.length >= MAX_KEYS_PER_BUSINESS) {
    throw new NotPossible(
      `Business ${before.id} has ${MAX_KEYS_PER_BUSINESS} keys, the maximum. Revoke a key that is not needed.`,
    );
  }
  const { id, hash, mode: keyMode, kind } = added;
  return nextBusiness(before, { keys: [...remaining, { id, hash, mode: keyMode, kind }] });
};
