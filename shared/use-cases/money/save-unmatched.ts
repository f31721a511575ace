import { isReinstated, isReturned, type MoneyReport, sourceOf } from '#shared/domain/money/report.ts';
import { supersedes } from '#shared/domain/money/unmatched-payment.ts';
import type { Log } from '#shared/observability/log.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { Located, UnmatchedStore } from '#shared/ports/money.ts';

export interface SaveUnmatchedDeps extends Pick<Runtime, 'now' | 'newId'> {
  readonly unmatched: UnmatchedStore;
  readonly log: Log;
}

/**
 * Saves money whose owner is not known. Returned money is saved as well: an older report that it was accepted may still be under way,
 * and its owner is notified as soon as it is known. `conflict`: somebody else has recorded something of the same money meanwhile.
 */
export const saveUnmatched = async (
  deps: SaveUnmatchedDeps,
  { provider, money, state, askedAt }: MoneyReport,
  { unmatched }: Pick<Located, 'unmatched'>,
): Promise<'saved' | 'conflict'> => {
  if (unmatched && !supersedes(unmatched, money, askedAt)) return 'saved';
  const returned = isReturned(money);
  const first = { id: deps.newId('pay'), mode: 'live', provider, source: sourceOf(money) } as const;
  // Matching begins anew when money was returned: an owner who appears within the hour is notified of it.
  const since =
    unmatched && isReturned(unmatched.money) === returned ? unmatched : { recordedAt: deps.now(), tries: 0 };
  const { recordedAt, tries } = since;
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
  return 'saved';
};
