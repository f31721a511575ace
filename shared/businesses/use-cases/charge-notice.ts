import type { Notice } from '#shared/businesses/domain/notice.ts';
import { memberUsageId } from '#shared/businesses/domain/usage-limits.ts';
import type { UsageStore } from '#shared/businesses/ports.ts';
import { chargeUsageLimit, type UsageLimitDeps } from './charge-usage-limit.ts';

export interface ChargeNoticeDeps extends Pick<UsageLimitDeps, 'now'> {
  /** Absent if only operators make changes, because nobody gets a mail about an operator's change. */
  readonly usage?: UsageStore;
}

/** The requests that were counted. A request is decided again after a conflict, and must not count twice. */
const countedRequests = new WeakSet<object>();

/**
 * Counts the notice of a change against the limits of its author, so that nobody fills a mailbox or delays other notices: for a key the limit of
 * all keys of the business, for a member the limit of this member and the limit of all members. Other notices, such as invitations, are not
 * counted here.
 * `request`: an object that is the same for every attempt of one request, so that the request counts once. @throws ApiError `rate_limited`.
 */
export const chargeNotice = async (
  { now, usage }: ChargeNoticeDeps,
  notice: Notice | undefined,
  request: object,
): Promise<void> => {
  if (notice?.about.kind !== 'change' || countedRequests.has(request)) return;
  if (!usage) throw new Error('Members and keys make changes under a limit.');
  const { change } = notice.about;
  const deps = { now, usage };
  countedRequests.add(request);
  if ('keyId' in change) return chargeUsageLimit(deps, 'key_change', [change.businessId]);
  await chargeUsageLimit(deps, 'member_change', [memberUsageId(change.businessId, change.userId)]);
  await chargeUsageLimit(deps, 'members_change', [change.businessId]);
};
