import { NotPossible } from '#shared/platform/kernel/not-possible.ts';
import type { Lane } from '#shared/webhooks/domain/delivery.ts';

/** The progress of a move (shared/webhooks/queue/dead-letter-queues.ts). */
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
  /** Records what the operator does, in the audit log. */
  readonly record: (what: string) => Promise<void>;
  /** Resolves after this many milliseconds, and keeps the process alive until then. */
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

const POLL_INTERVAL_MS = 1_000;
/** SQS lists a move some seconds after it was started. After so many polls without it, something is wrong. */
const MAX_POLLS_WITHOUT_MOVE = 30;

const formatProgress = ({ moved, toMove }: Move): string =>
  toMove === null ? `Moved ${moved} messages so far.` : `Moved ${moved} of about ${toMove} messages.`;

const describeRedrive = (lane: Lane): string => `of the dead letters of the queue "${lane}"`;

/** What went wrong, for the record. Of an unexpected error only its name: its message may quote data. */
const describeFailure = (error: unknown): string =>
  error instanceof NotPossible ? error.message : error instanceof Error ? error.name : typeof error;

/** Does a redrive that is on record as asked for, and records how it ended. */
const recordingOutcome = async <T extends { readonly moved: number }>(
  { record }: RedriveDeps,
  lane: Lane,
  work: () => Promise<T>,
): Promise<T> => {
  let done: T;
  try {
    done = await work();
  } catch (error) {
    // What went wrong with the redrive says more than what went wrong with its record.
    await record(`the redrive ${describeRedrive(lane)} failed: ${describeFailure(error)}`).catch(() => {});
    throw error;
  }
  await record(`the redrive ${describeRedrive(lane)} moved ${done.moved} messages`);
  return done;
};

const ensureNotFailed = ({ state, moved, failure }: Move): void => {
  if (state === 'running' || state === 'completed') return;
  const ended = state === 'failed' ? 'failed' : 'was cancelled';
  const reason = failure ? ` SQS says: ${failure}.` : '';
  throw new NotPossible(`The move ${ended} after ${moved} messages.${reason} Move the rest with another redrive.`);
};

/** Waits until a move is done. SQS may still show the finished one that began at `over`. */
const follow = async (
  deps: RedriveDeps,
  lane: Lane,
  over: number | null,
  report: (progress: string) => void,
): Promise<{ readonly moved: number }> => {
  report('SQS moves them on its own: leaving this command does not stop it.');
  let reported = '';
  for (let without = 0; without < MAX_POLLS_WITHOUT_MOVE; await deps.sleep(POLL_INTERVAL_MS)) {
    const move = await deps.deadLetters.latestMove(lane);
    if (!move || move.startedAt === over) {
      without += 1;
      continue;
    }
    ensureNotFailed(move);
    if (move.state === 'completed') return { moved: move.moved };
    if (formatProgress(move) !== reported) report(formatProgress(move));
    reported = formatProgress(move);
  }
  throw new NotPossible(
    'SQS accepted the request and does not report its progress. Look at the queue in the AWS console.',
  );
};

/**
 * Moves everything from a lane's dead-letter queue back to its queue, and waits until that is done; follows a move that runs
 * already. The consumer drops messages that are out of date, so nothing is delivered twice. A move that is started here is recorded
 * before, and its outcome after.
 * @throws NotPossible when the move failed, or SQS does not show it.
 */
export const redriveQueue = async (
  deps: RedriveDeps,
  lane: Lane,
  report: (progress: string) => void,
): Promise<{ readonly moved: number }> => {
  const { deadLetters, record } = deps;
  const latest = await deadLetters.latestMove(lane);
  if (latest?.state === 'running') return follow(deps, lane, null, report);
  if ((await deadLetters.waiting(lane)) === 0) return { moved: 0 };
  await record(`asked for the redrive ${describeRedrive(lane)}`);
  return recordingOutcome(deps, lane, async () => {
    await deadLetters.startMove(lane);
    return follow(deps, lane, latest?.startedAt ?? null, report);
  });
};
