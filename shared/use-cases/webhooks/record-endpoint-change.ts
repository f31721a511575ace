import type { Business } from '#shared/domain/businesses/business.ts';
import type { Mode } from '#shared/domain/kernel/mode.ts';
import type { BusinessEntry } from '#shared/ports/businesses.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { AllowanceStore } from '#shared/ports/webhooks.ts';
import { noticeOfChange } from '#shared/use-cases/kernel/notice-of-change.ts';
import type { Recorder } from '#shared/use-cases/kernel/record-change.ts';
import { takeAllowance } from '#shared/use-cases/kernel/take-allowance.ts';

export interface RecordDeps extends Pick<Runtime, 'now' | 'newId'> {
  /** Absent where only operators make changes, of which nobody is mailed. */
  readonly allowances?: AllowanceStore;
}

/**
 * The record of a change of an endpoint that is about to be written, and what owners are mailed of it in live mode; nothing for a request that
 * has no record. The mail of a change by a key comes out of an allowance. @throws the refusal rate_limited.
 */
export const recordedChange = async (
  { allowances, ...deps }: RecordDeps,
  business: Business,
  mode: Mode,
  record: Recorder | undefined,
  what: string,
): Promise<Pick<BusinessEntry, 'change' | 'notice'>> => {
  if (!record) return {};
  const change = record(what);
  const notice = noticeOfChange(deps, business, change, { isTold: mode === 'live' });
  if (notice && 'keyId' in change) {
    if (!allowances) throw new Error('Keys change live endpoints under an allowance.');
    await takeAllowance({ ...deps, allowances }, 'key_change', [business.id]);
  }
  return { change, notice };
};
