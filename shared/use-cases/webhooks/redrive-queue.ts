import { OperatorError } from '#shared/domain/kernel/operator-error.ts';
import type { Lane } from '#shared/domain/webhooks/delivery.ts';

/** The progress of a move (sqs/dead-letter-queues.ts). */
interface Move {
  readonly state: 'running' | 'completed' | 'failed' | 'cancelled';
  readonly startedAt: number;
  readonly moved: number;
  readonly toMove: number | null;
  readonly failure: string | null;
}

/** The queues of messages on which the consumer failed. */
export interface DeadLetterQueues {
  waiting(lane: Lane): Promise<number>;
  startMove(lane: Lane): Promise<void>;
  latestMove(lane: Lane): Promise<Move | undefined>;
}

export interface RedriveDeps {
  readonly deadLetters: DeadLetterQueues;
  /** Resolves after this many milliseconds, and keeps the process alive until then. */
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

const POLL_INTERVAL_MS = 1_000;
/** SQS lists a move some seconds after it was started. After so many polls without it, something is wrong. */
const MAX_POLLS_WITHOUT_MOVE = 30;

const progressOf = ({ moved, toMove }: Move): string =>
  toMove === null ? `Moved ${moved} messages so far.` : `Moved ${moved} of about ${toMove} messages.`;

/** Starts a move, unless one runs already. Returns the start of a finished one, which SQS may still show for a while. */
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

const ensureNotFailed = ({ state, moved, failure }: Move): void => {
  if (state === 'running' || state === 'completed') return;
  const ended = state === 'failed' ? 'failed' : 'was cancelled';
  const reason = failure ? ` SQS says: ${failure}.` : '';
  throw new OperatorError(`The move ${ended} after ${moved} messages.${reason} Run the command again for the rest.`);
};

/**
 * Moves everything from a lane's dead-letter queue back to its queue, and waits until that is done; follows a move that runs
 * already. The consumer drops messages that are out of date, so nothing is delivered twice.
 * @throws OperatorError when the move failed, or SQS does not show it.
 */
export const redriveQueue = async (
  deps: RedriveDeps,
  lane: Lane,
  report: (progress: string) => void,
): Promise<{ readonly moved: number }> => {
  const started = await start(deps, lane);
  if (started === 'nothing') return { moved: 0 };
  report('SQS moves them on its own: leaving this command does not stop it.');
  let reported = '';
  for (let without = 0; without < MAX_POLLS_WITHOUT_MOVE; await deps.sleep(POLL_INTERVAL_MS)) {
    const move = await deps.deadLetters.latestMove(lane);
    if (!move || move.startedAt === started.over) {
      without += 1;
      continue;
    }
    ensureNotFailed(move);
    if (move.state === 'completed') return { moved: move.moved };
    if (progressOf(move) !== reported) report(progressOf(move));
    reported = progressOf(move);
  }
  throw new OperatorError(
    'SQS accepted the request and does not report its progress. Look at the queue in the AWS console.',
  );
};
