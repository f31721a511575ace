import * as z from 'zod/mini';
import type { KeyKind } from '#shared/platform/kernel/key-kind.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import { count } from '#shared/platform/kernel/schemas.ts';
import { type Millis, SECOND, secondsLeftIn } from '#shared/platform/kernel/time.ts';
import { addressBlock } from './address-block.ts';

/** Requests a second: of a key by its mode, and of one source address under a public key (api-decisions.md section 1). Zero: no limit. */
export const rateLimits = z.object({
  live: count,
  test: count,
  publicAddress: count,
});
export type RateLimits = z.infer<typeof rateLimits>;

/** One limit of a request: its name for callers, the bucket that it is counted in, and the quota per window. */
export interface RateLimit {
  readonly name: 'key' | 'verify' | 'address' | 'member';
  readonly bucket: string;
  readonly quota: number;
}

/** Milliseconds. Fixed windows: at worst twice the quota is accepted within a second that spans two of them. */
export const RATE_WINDOW: Millis = SECOND;

/** The part of a quota that one container admits by its own count, when the count of all containers is not available in time. */
const OWN_SHARE = 1 / 10;

/**
 * The allowances of a request, in the order in which they are counted. Under a public key the address comes first: what is refused there
 * is not counted for the key, so that no stranger uses up what other payers need.
 */
export const listRateLimits = (
  limits: RateLimits,
  request: { keyHash: string; kind: KeyKind; mode: Mode; ownRateLimit: boolean; sourceIp: string },
): RateLimit[] => {
  const { keyHash, kind, mode, ownRateLimit, sourceIp } = request;
  const ofKey: RateLimit = ownRateLimit
    ? { name: 'verify', bucket: `${keyHash}#verify`, quota: limits[mode] }
    : { name: 'key', bucket: keyHash, quota: limits[mode] };
  const bucket = `${keyHash}#${addressBlock(sourceIp)}`;
  const ofAddress: RateLimit = { name: 'address', bucket, quota: limits.publicAddress };
  return (kind === 'public' ? [ofAddress, ofKey] : [ofKey]).filter(({ quota }) => quota > 0);
};

/**
 * An rateLimit and how much of it was used in the current window, including this request: by the count of all containers or, where that
 * was not available in time, of this one alone.
 */
export interface Used {
  readonly rateLimit: RateLimit;
  readonly count: number;
  readonly countedBy: 'all' | 'this container';
}

/** The most requests that a container reports together. */
const MAX_BLOCK = 5;

/**
 * Whether a container may keep a request to itself until it reports several together, which saves calls (api-decisions.md section 1):
 * never the first of a window, and only while all that it knows of is below half the quota. `seen`: the last count of all containers;
 * undefined without one. `unreported`: what it has kept to itself, this request among it. So nothing within a quota is refused, and at
 * most four requests of a container come on top of it.
 */
export const mayReportLater = (seen: number | undefined, unreported: number, { quota }: RateLimit): boolean =>
  seen !== undefined && unreported < MAX_BLOCK && 2 * (seen + unreported) < quota;

/** Seconds until the window ends. */
export const secondsLeft = (now: Millis): number => secondsLeftIn(RATE_WINDOW, now);

/** Whether a request is beyond its rateLimit. Without the count of all containers each admits a tenth of the quota, and at least one request. */
export const isOver = ({ rateLimit: { quota }, count, countedBy }: Used): boolean =>
  count > (countedBy === 'all' ? quota : Math.max(1, Math.floor(quota * OWN_SHARE)));
