import { OperatorError } from '#shared/domain/kernel/operator-error.ts';
import type { Lane } from '#shared/domain/webhooks/delivery.ts';

/** How far a move has come; see the adapter, `sqs/dead-letter-queues.ts`. */
interface Move {
  readonly state: 'running' | 'completed' | 'failed' | 'cancelled';
  readonly startedAt: number;
  readonly moved: number;
  readonly toMove: number | null;
  readonly failure: string | null;
}

/** The queues of messages that the consumer failed on. */
export interface DeadLetterQueues {
  waiting(lane: Lane): Promise<number>;
  startMove(lane: Lane): Promise<void>;
  latestMove(lane: Lane): Promise<Move | undefined>;
}

export interface RedriveDeps {
  readonly deadLetters: DeadLetterQueues;
  /** Resolves after so many milliseconds, and keeps the process alive until then. */
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

const LOOK_EVERY_MS = 1_000;
/** SQS shows a move a moment after it was ordered; not after so many looks. */
const UNSEEN_LOOKS = 30;

const progressOf = ({ moved, toMove }: Move): string =>
  toMove === null ? `Moved ${moved} messages so far.` : `Moved ${moved} of about ${toMove} messages.`;

/** Starts a move, unless one runs already. Gives the start of the one that is over, which SQS may still show for a while. */
const start = async (
  { deadLetters }: RedriveDeps,
  lane: Lane,
): Promise<'nothing' | { readonly over: number | null }> => {
  const latest = await deadLetters.latestMove(lane);
  if (latest?.state === 'running') return { over: null };
  if ((await deadLetters.waiting(lane)) === 0) return 'nothing';
  await deadLetters.startMove(lane);
  return { over: latest?.startedAt ?? null };
};

const ensureWell = ({ state, moved, failure }: Move): void => {
  if (state === 'running' || state === 'completed') return;
  const ended = state === 'failed' ? 'failed' : 'was cancelled';
  const reason = failure ? ` SQS says: ${failure}.` : '';
  throw new OperatorError(`The move ${ended} after ${moved} messages.${reason} Run the command again for the rest.`);
};

/**
 * Moves everything from a lane's dead-letter queue back to its queue, and stays until that is done; joins a move that runs
 * already. Messages that are out of date by now are dropped by the consumer, so this delivers nothing twice.
 * @throws OperatorError when SQS broke off, or does not tell how far it is.
 */
export const redriveQueue = async (
  deps: RedriveDeps,
  lane: Lane,
  tell: (progress: string) => void,
): Promise<{ readonly moved: number }> => {
  const started = await start(deps, lane);
  if (started === 'nothing') return { moved: 0 };
  tell('SQS moves them on its own: leaving this command does not stop it.');
  let told = '';
  for (let unseen = 0; unseen < UNSEEN_LOOKS; await deps.sleep(LOOK_EVERY_MS)) {
    const move = await deps.deadLetters.latestMove(lane);
    if (!move || move.startedAt === started.over) {
      unseen += 1;
      continue;
    }
    ensureWell(move);
    if (move.state === 'completed') return { moved: move.moved };
    if (progressOf(move) !== told) tell(progressOf(move));
    told = progressOf(move);
  }
  throw new OperatorError('SQS took the order and does not tell how far it is. Look at the queue in the AWS console.');
};
