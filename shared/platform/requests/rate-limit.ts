import * as z from 'zod/mini';
import type { KeyKind } from '#shared/platform/kernel/key-kind.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import { count } from '#shared/platform/kernel/schemas.ts';
import { type Millis, SECOND, secondsLeftIn } from '#shared/platform/kernel/time.ts';
import { addressBlock } from './address-block.ts';

/**
 * The most requests in a second: `live` and `test` of one key of that mode, `publicAddress` of one address block (address-block.ts) with one public
 * key. Zero means no limit.
 */
export const rateLimits = z.object({
  live: count,
  test: count,
  publicAddress: count,
});
export type RateLimits = z.infer<typeof rateLimits>;

/** A rate limit of a request: its name for callers, the bucket that counts it, and the quota of a window. */
export interface RateLimit {
  readonly name: 'key' | 'verify' | 'address' | 'member';
  readonly bucket: string;
  readonly quota: number;
}

/** The length of a window in milliseconds. Windows are fixed, so at worst twice the quota is accepted within this time. */
export const RATE_WINDOW: Millis = SECOND;

/** The part of a quota that a container admits by its own count, if the count of all containers is not available in time. */
const OWN_SHARE = 1 / 10;

/**
 * Lists the rate limits of a request, in the order in which they are counted. Under a public key the address comes first. A request that is
 * refused there is not counted for the key, so that no stranger uses up the requests of other payers.
 */
export const listRateLimits = (
  limits: RateLimits,
  request: { keyHash: string; kind: KeyKind; mode: Mode; ownRateLimit: boolean; sourceIp: string },
): RateLimit[] => {
  const { keyHash, kind, mode, ownRateLimit, sourceIp } = request;
  const keyLimit: RateLimit = ownRateLimit
    ? { name: 'verify', bucket: `${keyHash}#verify`, quota: limits[mode] }
    : { name: 'key', bucket: keyHash, quota: limits[mode] };
  const bucket = `${keyHash}#${addressBlock(sourceIp)}`;
  const addressLimit: RateLimit = { name: 'address', bucket, quota: limits.publicAddress };
  return (kind === 'public' ? [addressLimit, keyLimit] : [keyLimit]).filter(({ quota }) => quota > 0);
};

/**
 * A rate limit and its count in the current window, including this request. The count is of all containers; or of this container alone, if
 * the count of all was not available in time.
 */
export interface RateLimitUse {
  readonly rateLimit: RateLimit;
  readonly count: number;
  readonly countedBy: 'all' | 'this container';
}

/** The most requests that a container reports together. */
const MAX_BLOCK = 5;

/**
 * Checks whether a container may delay the report of a request, to report several together, which saves calls. It may delay at most four,
 * only after it has learnt the count of all containers in this window, and only while that count and the delayed requests are together
 * below half the quota. So no request within a quota is refused, and a container exceeds the quota by at most four requests. `sharedCount`:
 * the last count of all containers; undefined if it is not known. `unreported`: the delayed requests, including this one.
 */
export const mayReportLater = (sharedCount: number | undefined, unreported: number, { quota }: RateLimit): boolean =>
  sharedCount !== undefined && unreported < MAX_BLOCK && 2 * (sharedCount + unreported) < quota;

/** Returns the seconds until the window ends. */
export const secondsLeft = (now: Millis): number => secondsLeftIn(RATE_WINDOW, now);

/**
 * Checks whether a request is over its rate limit. If the count of all containers is not known, each container admits a tenth of the quota,
 * and at least one request.
 */
export const isOver = ({ rateLimit: { quota }, count, countedBy }: RateLimitUse): boolean =>
  count > (countedBy === 'all' ? quota : Math.max(1, Math.floor(quota * OWN_SHARE)));
