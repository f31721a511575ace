import type { ApiDeps, ApiEvent } from '#shared/api/http/types.ts';
import { type ApiKey, hashKey, isUsable, isWellFormedKey, parseKeyType } from '#shared/businesses/domain/api-key.ts';
import { isWhitelisted, normalizeIp } from '#shared/businesses/domain/ip-whitelist.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';
import { ApiError, KeyError } from '#shared/platform/kernel/errors.ts';
import { stateOfNewestWindow } from '#shared/platform/kernel/newest-window.ts';
import type { Caller } from '#shared/platform/kernel/tenant.ts';
import { addressBlock } from '#shared/platform/requests/address-block.ts';
import {
  isOver,
  listRateLimits,
  RATE_WINDOW,
  type RateLimitUse,
  secondsLeft,
} from '#shared/platform/requests/rate-limit.ts';
import type { Admit } from './admission.ts';
import { readRecord } from './idempotency.ts';

/** If this container has refused a key so many times in the present second, it checks the key against its memory before it reads the key. */
const ERRORS_BEFORE_MEMORY = 5;
/** Bounds the memory, which is emptied when it holds this many keys. */
const MAX_REMEMBERED_KEYS = 1_000;

/** A key that this container has refused in the present second. */
interface RefusedKey {
  /** The key as the table last returned it; null if it was never issued. */
  readonly key: ApiKey | null;
  /** Errors in this second. */
  readonly times: number;
  /** The rate limits that are used up in this second, by their buckets. */
  readonly usedUp: Map<string, RateLimitUse>;
}

/** Reads the key of the Authorization header, or returns an error. Two such headers arrive joined, and are malformed. */
const readKey = ({ headers }: ApiEvent): string | ApiError => {
  const header = headers.authorization?.trim() ?? '';
  if (!/^bearer +\S/i.test(header)) return new ApiError('missing_api_key');
  const key = /^bearer +(\S+)$/i.exec(header)?.[1];
  return key !== undefined && isWellFormedKey(key) ? key : new ApiError('invalid_api_key');
};

/** Checks a key. The order of the checks is part of the API. Returns the caller, or an error. */
const checkKey = (contract: Contract, event: ApiEvent, key: ApiKey | null, now: number): Caller | ApiError => {
  // The key and its business: an unknown, a revoked and a suspended key get one answer.
  if (!key || !isUsable(key, now)) return new ApiError('invalid_api_key');
  // The kind, which the endpoint must take.
  if (!contract.keys.includes(key.kind)) return new ApiError('public_key_not_permitted');
  // The business, which a browser must name.
  if (key.kind === 'public') {
    const businessId = event.headers['x-business-id']?.trim();
    if (!businessId) return new ApiError('business_id_required');
    if (businessId !== key.businessId) return new ApiError('business_id_mismatch');
  }
  // The address that API Gateway saw, never one from a header.
  const { sourceIp } = event.requestContext.http;
  if (key.kind === 'secret' && !isWhitelisted(key.ipWhitelist, sourceIp)) {
    const message = `ip ${normalizeIp(sourceIp)} is not on the whitelist of this key. Add it in the dashboard under API keys, or ask whoever runs this service to add it.`;
    return new KeyError('ip_not_whitelisted', { errors: [{ field: 'ip', message }] });
  }
  // The mode.
  if (contract.testOnly && key.mode !== 'test') return new ApiError('simulation_requires_test_key');
  return {
    businessId: key.businessId,
    mode: key.mode,
    actor: { kind: 'key', id: key.id },
    kind: key.kind,
    displayName: key.businessDisplayName,
    isRouted: key.businessIsRouted,
    addressBlock: addressBlock(sourceIp),
  };
};

/**
 * Makes the admission of requests with an API key. It checks key, kind, business, address, mode and rate, in this order. The key is read
 * consistently for each request, so a changed whitelist, a revocation or a suspension holds for the very next request. Before the key has passed
 * the checks, only the key is read, and no request is counted. So a thief whose address is not on the key's whitelist uses up no rate limit of the
 * business.
 */
export const admit = (
  contract: Contract,
  deps: Pick<ApiDeps, 'keys' | 'countRequest' | 'idempotency' | 'rateLimits' | 'now'>,
): Admit => {
  const refusedIn = stateOfNewestWindow(() => new Map<string, RefusedKey>());
  const rateLimited = () => new KeyError('rate_limited', { retryAfterSeconds: secondsLeft(deps.now()) });

  return async (event) => {
    const keyOrError = readKey(event);
    if (keyOrError instanceof ApiError) return { error: keyOrError };
    const keyHash = hashKey(keyOrError);
    // The key's text names its kind and mode, so the rate limits are known before the key is read.
    const limits = listRateLimits(deps.rateLimits, {
      keyHash,
      ...parseKeyType(keyOrError),
      ownRateLimit: contract.ownRateLimit ?? false,
      sourceIp: event.requestContext.http.sourceIp,
    });

    // A flood with one key would exhaust the partition that its owner's requests read. So a key that was refused often in this second is first
    // checked as this container remembers it. If this check refuses it, it is not read. Otherwise it is read and checked as usual: no request is
    // admitted from memory.
    const refused = refusedIn(Math.floor(deps.now() / RATE_WINDOW));
    const refusedKey = refused.get(keyHash);
    if (refusedKey && refusedKey.times >= ERRORS_BEFORE_MEMORY) {
      const { key } = refusedKey;
      const caller = checkKey(contract, event, key, deps.now());
      if (caller instanceof ApiError) return { key, error: caller };
      const used = limits.flatMap(({ bucket }) => refusedKey.usedUp.get(bucket) ?? []);
      if (used.length > 0) return { key, used, error: rateLimited() };
    }

    const key = (await deps.keys.findByHash(keyHash)) ?? null;
    /** Remembers an error, and returns it. */
    const refuse = (error: ApiError, used: readonly RateLimitUse[] = []) => {
      const { times, usedUp } = refused.get(keyHash) ?? { times: 0, usedUp: new Map() };
      for (const exceeded of used.filter(isOver)) usedUp.set(exceeded.rateLimit.bucket, exceeded);
      if (refused.size >= MAX_REMEMBERED_KEYS) refused.clear();
      refused.set(keyHash, { key, times: times + 1, usedUp });
      return { key, used, error };
    };

    const caller = checkKey(contract, event, key, deps.now());
    if (caller instanceof ApiError) return refuse(caller);

    // The Idempotency-Key's record and the count need only the caller, so they run side by side.
    const record = readRecord(contract, deps, event, caller);
    const used: RateLimitUse[] = [];
    for (const rateLimit of limits) {
      used.push(await deps.countRequest(rateLimit, deps.now()));
      // The address is the first limit: a request of an address beyond its limit is not counted for the key.
      if (used.some(isOver)) return refuse(rateLimited(), used);
    }
    return { key, caller, used, record };
  };
};
