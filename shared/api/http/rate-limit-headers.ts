import { type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import { RATE_WINDOW, type RateLimitUse, secondsLeft } from '#shared/platform/requests/rate-limit.ts';

/** Builds the fields of draft-ietf-httpapi-ratelimit-headers, from the limits that are counted over all containers. */
export const rateLimitHeaders = (used: readonly RateLimitUse[], now: Millis): Record<string, string> => {
  const countedByAll = used.filter(({ countedBy }) => countedBy === 'all');
  if (countedByAll.length === 0) return {};
  const policy = countedByAll.map(({ rateLimit: { name, quota } }) => `"${name}";q=${quota};w=${RATE_WINDOW / SECOND}`);
  const remaining = countedByAll.map(
    ({ rateLimit: { name, quota }, count }) => `"${name}";r=${Math.max(0, quota - count)};t=${secondsLeft(now)}`,
  );
  return { 'ratelimit-policy': policy.join(', '), ratelimit: remaining.join(', ') };
};
