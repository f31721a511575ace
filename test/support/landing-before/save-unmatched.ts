import { supersedes } from '#shared/payments/domain/unmatched-payment.ts';
import type { Log } from '#shared/platform/observability/log.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import type { CommitResult } from '#shared/platform/until-committed.ts';
import { isReinstated, isReturned, type MoneyReport, sourceOf } from '#shared/providers/domain/report.ts';
import type { Located, UnmatchedStore } from './ports-before.ts';

export interface SaveUnmatchedDeps extends Pick<Runtime, 'now' | 'newId'> {
  readonly unmatched: UnmatchedStore;
  readonly log: Log;
}

/**
 * Saves money whose owner is not known. Returned money is saved as well: an older report that it was accepted may still be under way,
 * and its owner is notified as soon as it is known. `conflict`: something of the same money was recorded since it was read.
 */
export const saveUnmatched = async (
  deps: SaveUnmatchedDeps,
  { provider, money, state, askedAt }: MoneyReport,
  { unmatched }: Pick<Located, 'unmatched'>,
): Promise<CommitResult<'unmatched'>> => {
  if (unmatched && !supersedes(unmatched, money, askedAt)) return { done: 'unmatched' };
  const returned = isReturned(money);
  const first = { id: deps.newId('pay'), mode: 'live', provider, source: sourceOf(money) } as const;
  // After a return, matching starts again: an owner that is known within the hour is notified of it.
  const { recordedAt, tries } =
    unmatched && isReturned(unmatched.money) === returned ? unmatched : { recordedAt: deps.now(), tries: 0 };
  const saved = {
    ...(unmatched ?? first),
    money,
    state,
    // A notification of a return carries no time.
    askedAt: Math.max(askedAt, unmatched?.askedAt ?? 0),
    recordedAt,
    tries,
  };
  if (!(await deps.unmatched.save(saved, unmatched))) return 'conflict';
  if (!unmatched && !returned) {
    const event = isReinstated(money) ? 'payment_reinstated' : 'payment_unmatched';
    deps.log(event, { provider, payment_id: saved.id });
  }
  return { done: 'unmatched' };
};
