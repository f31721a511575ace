import * as z from 'zod/mini';
import type { KeyKind } from '#shared/domain/kernel/key-kind.ts';
import type { Mode } from '#shared/domain/kernel/mode.ts';
import { count } from '#shared/domain/kernel/schemas.ts';
import { type Millis, SECOND } from '#shared/domain/kernel/time.ts';

/** Requests a second: of a key by its mode, and of one source address under a public key (api-decisions.md section 1). Zero: no limit. */
export const rateLimits = z.object({
  live: count,
  test: count,
  publicAddress: count,
});
export type RateLimits = z.infer<typeof rateLimits>;

/** One limit: its name in the headers, the bucket that it counts, and the quota of a window. */
export interface Allowance {
  readonly name: 'key' | 'verify' | 'address';
  readonly bucket: string;
  readonly quota: number;
}

/** Milliseconds. Fixed windows: at worst twice the quota is accepted within a second that spans two of them. */
export const RATE_WINDOW: Millis = SECOND;

/** The allowances of a request. Counting does not wait for the key's look-up, so `keyHash` may be of an unknown key. */
export const allowancesOf = (
  limits: RateLimits,
  request: { keyHash: string; kind: KeyKind; mode: Mode; ownAllowance: boolean; sourceIp: string },
): Allowance[] => {
  const { keyHash, kind, mode, ownAllowance, sourceIp } = request;
  const ofKey: Allowance = ownAllowance
    ? { name: 'verify', bucket: `${keyHash}#verify`, quota: limits[mode] }
    : { name: 'key', bucket: keyHash, quota: limits[mode] };
  const ofAddress: Allowance = { name: 'address', bucket: `${keyHash}#${sourceIp}`, quota: limits.publicAddress };
  return (kind === 'public' ? [ofKey, ofAddress] : [ofKey]).filter(({ quota }) => quota > 0);
};

/** An allowance and how much of it the current window has used, this request among it. */
export interface Used {
  readonly allowance: Allowance;
  readonly count: number;
}

/** Seconds until the window ends, for Retry-After. */
export const secondsLeft = (now: Millis): number =>
  Math.max(1, Math.ceil((RATE_WINDOW - (now % RATE_WINDOW)) / SECOND));

export const isOver = ({ allowance, count }: Used): boolean => count > allowance.quota;

/** The fields of draft-ietf-httpapi-ratelimit-headers. */
export const rateLimitHeaders = (used: readonly Used[], now: Millis): Record<string, string> => {
  if (used.length === 0) return {};
  const policy = used.map(({ allowance: { name, quota } }) => `"${name}";q=${quota};w=${RATE_WINDOW / SECOND}`);
  const left = used.map(
    ({ allowance: { name, quota }, count }) => `"${name}";r=${Math.max(0, quota - count)};t=${secondsLeft(now)}`,
  );
  return { 'ratelimit-policy': policy.join(', '), ratelimit: left.join(', ') };
};
