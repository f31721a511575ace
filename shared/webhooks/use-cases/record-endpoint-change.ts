import type { Business } from '#shared/businesses/domain/business.ts';
import type { BusinessEntry } from '#shared/businesses/ports.ts';
import { noticeOfChange } from '#shared/businesses/use-cases/notice-of-change.ts';
import type { Recorder } from '#shared/businesses/use-cases/record-change.ts';
import { type TakeNoticeDeps, takeNotice } from '#shared/businesses/use-cases/take-notice.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import type { Runtime } from '#shared/platform/ports.ts';

export interface RecordDeps extends Pick<Runtime, 'now' | 'newId'>, TakeNoticeDeps {}

/**
 * The record of a change of an endpoint that is about to be written, and what owners are mailed of it in live mode; nothing for a request that
 * has no record. The mail comes out of a limit; of a member's not where an endpoint ends (`ends`), which nobody can repeat without making
 * another. @throws the refusal rate_limited.
 */
export const recordedChange = async (
  deps: RecordDeps,
  business: Business,
  { mode, ends = false }: { readonly mode: Mode; readonly ends?: boolean },
  record: Recorder | undefined,
  what: string,
): Promise<Pick<BusinessEntry, 'change' | 'notice'>> => {
  if (!record) return {};
  const change = record(what);
  const notice = noticeOfChange(deps, business, change, { isTold: mode === 'live' });
  if (!(ends && 'userId' in change)) await takeNotice(deps, notice, record);
  return { change, notice };
};
