import { memberAllowanceId } from '#shared/businesses/domain/allowance.ts';
import type { Notice } from '#shared/businesses/domain/notice.ts';
import type { AllowanceStore } from '#shared/businesses/ports.ts';
import { type AllowanceDeps, takeAllowance } from './take-allowance.ts';

export interface TakeNoticeDeps extends Pick<AllowanceDeps, 'now'> {
  /** Absent where only operators make changes, of which nobody is mailed. */
  readonly allowances?: AllowanceStore;
}

/** What is under way and has been counted: it is decided anew after a conflict. */
const counted = new WeakSet<object>();

/**
 * Takes the notice of a change out of what its author may have owners mailed, so that nobody fills a mailbox or keeps other notices waiting.
 * `request`: the same object however often the change is decided, which counts once. @throws the refusal rate_limited.
 */
export const takeNotice = async (
  { now, allowances }: TakeNoticeDeps,
  notice: Notice | undefined,
  request: object,
): Promise<void> => {
  if (notice?.about.kind !== 'change' || counted.has(request)) return;
  if (!allowances) throw new Error('Members and keys make changes under an allowance.');
  const { change } = notice.about;
  const deps = { now, allowances };
  counted.add(request);
  if ('keyId' in change) return takeAllowance(deps, 'key_change', [change.businessId]);
  await takeAllowance(deps, 'member_change', [memberAllowanceId(change.businessId, change.userId)]);
  await takeAllowance(deps, 'members_change', [change.businessId]);
};
