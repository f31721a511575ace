import type { Answered, NotCommitted, StoredAnswer, Transactions, Write } from '#shared/platform/requests/ports.ts';
import type { Runtime } from './ports.ts';
import { type GiveUp, PERSISTENT } from './until-committed.ts';

/** The decision of a use case, not written yet: `commitWithAnswer` writes it. Handlers call that function as `commit` of ApiRequest. */
export interface Decision<T> {
  readonly result: T;
  /** The writes that make the result true, for one transaction with the answer to the request; none if nothing changes. */
  readonly writes: readonly Write[];
  /**
   * Decides again if a condition of the writes did not hold. If it is absent, the `again` of the previous decision is used; without one, the
   * use case runs from its start.
   */
  readonly again?: (reason: NotCommitted) => Promise<Decided<T>>;
  /** The number of conflicts after which the request gets an error, and the error. Default: PERSISTENT. */
  readonly giveUp?: GiveUp;
  /** Runs once after the transaction, for example to queue deliveries. If the process dies before, it never runs. */
  readonly afterwards?: () => Promise<void>;
}

/** The outcome of a use case: its decision, or the answer that an equal request with the same Idempotency-Key has got meanwhile. */
export type Decided<T> = Decision<T> | Answered;

/** Checks whether an equal request was answered first. */
export const isAnswered = (outcome: object | string): outcome is Answered =>
  typeof outcome === 'object' && 'kind' in outcome && outcome.kind === 'answered';

export interface CommitDeps extends Pick<Runtime, 'pause'> {
  readonly transactions: Transactions;
}

/**
 * Writes the decision of `decide` in one transaction with the answer that `answerTo` makes of its result. If a condition does not hold, it
 * decides again and makes a new answer. Returns `answered` if an equal request was answered first; then nothing was written.
 * @throws the error of `giveUp`, and any error of a decision.
 */
export const commitWithAnswer = async <T>(
  { transactions, pause }: CommitDeps,
  decide: () => Promise<Decided<T>>,
  answerTo: (result: T) => StoredAnswer | undefined,
): Promise<{ readonly kind: 'committed'; readonly result: T } | Answered> => {
  let decideAgain: (reason: NotCommitted) => Promise<Decided<T>> = decide;
  let decided = await decide();
  for (let conflicts = 1; ; conflicts += 1) {
    if (isAnswered(decided)) return decided;
    const { result, writes, giveUp = PERSISTENT, afterwards } = decided;
    decideAgain = decided.again ?? decideAgain;
    const outcome = await transactions.commit(writes, answerTo(result));
    if (outcome === 'committed') {
      await afterwards?.();
      return { kind: 'committed', result };
    }
    if (isAnswered(outcome)) return outcome;
    // Only a conflict needs a pause. If a merchant reference or an account number is taken, nobody else is writing.
    if (outcome === 'conflict') await pause(conflicts);
    if (conflicts >= giveUp.after) throw giveUp.error();
    decided = await decideAgain(outcome);
  }
};

/** Writes a decision for a caller without an Idempotency-Key, and returns its result. */
export const commit = async <T>(deps: CommitDeps, decide: () => Promise<Decided<T>>): Promise<T> => {
  const outcome = await commitWithAnswer(deps, decide, () => undefined);
  if (outcome.kind === 'answered') throw new Error('A request without an Idempotency-Key was answered before.');
  return outcome.result;
};
