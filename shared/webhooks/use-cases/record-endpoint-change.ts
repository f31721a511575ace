import type { Business } from '#shared/businesses/domain/business.ts';
import type { BusinessEntry } from '#shared/businesses/ports.ts';
import { type ChargeNoticeDeps, chargeNotice } from '#shared/businesses/use-cases/charge-notice.ts';
import { noticeOfChange } from '#shared/businesses/use-cases/notice-of-change.ts';
import type { Recorder } from '#shared/businesses/use-cases/record-change.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import type { Runtime } from '#shared/platform/ports.ts';

export interface RecordDeps extends Pick<Runtime, 'now' | 'newId'>, ChargeNoticeDeps {}

/**
 * Builds the record of a change of an endpoint and, in live mode, the mail to owners, both to be written with the change. Returns no record if
 * `record` is undefined. The mail counts against a limit. The mail about a deletion (`ends`) by a member does not count, because another
 * deletion is possible only after another endpoint was created.
 * @throws rate_limited if the limit of mails is used up.
 */
export const buildChangeRecord = async (
  deps: RecordDeps,
  business: Business,
  { mode, ends = false }: { readonly mode: Mode; readonly ends?: boolean },
  record: Recorder | undefined,
  what: string,
): Promise<Pick<BusinessEntry, 'change' | 'notice'>> => {
  if (!record) return {};
  const change = record(what);
  const notice = noticeOfChange(deps, business, change, { hasNotice: mode === 'live' });
  if (!(ends && 'userId' in change)) await chargeNotice(deps, notice, record);
  return { change, notice };
};
