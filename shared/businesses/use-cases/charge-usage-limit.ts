import { type UsageKind, usageLimitReached } from '#shared/businesses/domain/usage-limits.ts';
import type { UsageStore } from '#shared/businesses/ports.ts';
import type { Runtime } from '#shared/platform/ports.ts';

export interface UsageLimitDeps extends Pick<Runtime, 'now'> {
  readonly usage: UsageStore;
}

/**
 * Takes one, or `count`, from the limit of each id: of endpoints, of a business or of a member. The caller charges before it does the work that
 * the limit bounds. If one limit has not enough left, the action must not be done; the counts of the other ids stay taken until their window
 * ends.
 * @throws ApiError `rate_limited`.
 */
export const chargeUsageLimit = async (
  { usage, now }: UsageLimitDeps,
  kind: UsageKind,
  ids: readonly string[],
  count = 1,
): Promise<void> => {
  const at = now();
  const taken = await Promise.all(ids.map((id) => usage.take(id, kind, at, count)));
  const exhausted = ids.filter((_, i) => !taken[i]);
  if (exhausted.length > 0) throw usageLimitReached(kind, exhausted, at);
};
