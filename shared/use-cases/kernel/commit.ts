import type { Runtime } from '#shared/ports/kernel.ts';
import type { Answered, NotCommitted, StoredAnswer, Transactions, Write } from '#shared/ports/requests.ts';
import { type GiveUp, PERSISTENT } from './until-committed.ts';

/** What a use case has decided. Nothing is written before `commit`, or in a request `commit` of ApiRequest, has written it. */
export interface Decision<T> {
  readonly result: T;
  /** What makes the result true. They are written in one transaction, with the answer to the request; none where nothing changes. */
  readonly writes: readonly Write[];
  /** Decides again where the writes do not hold any more. Absent: as before, at first by starting the use case over. */
  readonly again?: (reason: NotCommitted) => Promise<Decided<T>>;
  /** After how many conflicts, and how, the request is refused; by default after some seconds, as service_unavailable. */
  readonly giveUp?: GiveUp;
  /** What is done once it is written, such as to queue deliveries. */
  readonly afterwards?: () => Promise<void>;
}

/** The outcome of a use case: a decision to write, or the answer that an equal request has got meanwhile. */
export type Decided<T> = Decision<T> | Answered;

/** Whether an equal request was answered first. */
export const isAnswered = (outcome: object | string): outcome is Answered =>
  typeof outcome === 'object' && 'kind' in outcome && outcome.kind === 'answered';

export interface CommitDeps extends Pick<Runtime, 'pause'> {
  readonly transactions: Transactions;
}

/**
 * Writes what `decide` has decided, in one transaction with the answer that `answerTo` makes of the result. Where the writes do not hold,
 * it is decided again, and the answer is made of the new result. Nothing was written where the outcome is `answered`.
 * @throws the refusal of `giveUp`; whatever a decision throws.
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
    // Who holds a merchant reference is known now: taking it over is the normal way, not contention.
    if (outcome === 'conflict') await pause(conflicts);
    if (conflicts >= giveUp.after) throw giveUp.refusal();
    decided = await decideAgain(outcome);
  }
};

/** The same for a caller without an Idempotency-Key: returns the result. */
export const commit = async <T>(deps: CommitDeps, decide: () => Promise<Decided<T>>): Promise<T> => {
  const outcome = await commitWithAnswer(deps, decide, () => undefined);
  if (outcome.kind === 'answered') throw new Error('A request without an Idempotency-Key was answered before.');
  return outcome.result;
};
