import type { Notice } from '#shared/businesses/domain/notice.ts';
import { memberUsageId } from '#shared/businesses/domain/usage-limits.ts';
import type { UsageStore } from '#shared/businesses/ports.ts';
import { chargeUsageLimit, type UsageLimitDeps } from './charge-usage-limit.ts';

export interface TakeNoticeDeps extends Pick<UsageLimitDeps, 'now'> {
  /** Absent where only operators make changes, of which nobody is mailed. */
  readonly usage?: UsageStore;
}

/** What is under way and has been counted: it is decided anew after a conflict. */
const counted = new WeakSet<object>();

/**
 * Takes the notice of a change out of what its author may have owners mailed, so that nobody fills a mailbox or keeps other notices waiting.
 * `request`: the same object however often the change is decided, which counts once. @throws the refusal rate_limited.
 */
export const takeNotice = async (
  { now, usage }: TakeNoticeDeps,
  notice: Notice | undefined,
  request: object,
): Promise<void> => {
  if (notice?.about.kind !== 'change' || counted.has(request)) return;
  if (!usage) throw new Error('Members and keys make changes under a limit.');
  const { change } = notice.about;
  const deps = { now, usage };
  counted.add(request);
  if ('keyId' in change) return chargeUsageLimit(deps, 'key_change', [change.businessId]);
  await chargeUsageLimit(deps, 'member_change', [memberUsageId(change.businessId, change.userId)]);
  await chargeUsageLimit(deps, 'members_change', [change.businessId]);
};
