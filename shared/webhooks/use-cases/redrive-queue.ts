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

/** The queues of messages that the consumer could not process. */
export interface DeadLetterQueues {
  countWaiting(lane: Lane): Promise<number>;
  startMove(lane: Lane): Promise<void>;
  latestMove(lane: Lane): Promise<Move | undefined>;
}

export interface RedriveDeps {
  readonly deadLetters: DeadLetterQueues;
  /** Records an operator's action in the audit log. */
  readonly record: (what: string) => Promise<void>;
  /** Resolves after this many milliseconds, and keeps the process alive until then. */
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

const POLL_INTERVAL_MS = 1_000;
/** SQS lists a move some seconds after its start. If it is missing after this many polls, something is wrong. */
const MAX_POLLS_WITHOUT_MOVE = 30;

const formatProgress = ({ moved, toMove }: Move): string =>
  toMove === null ? `Moved ${moved} messages so far.` : `Moved ${moved} of about ${toMove} messages.`;

const describeRedrive = (lane: Lane): string => `of the dead letters of the queue "${lane}"`;

/** Describes an error for the record. For an unexpected error this is only the name, because the message may quote data. */
const describeFailure = (error: unknown): string =>
  error instanceof NotPossible ? error.message : error instanceof Error ? error.name : typeof error;

/** Does a redrive whose request is already recorded, and records its outcome. */
const recordOutcome = async <T extends { readonly moved: number }>(
  { record }: RedriveDeps,
  lane: Lane,
  work: () => Promise<T>,
): Promise<T> => {
  let result: T;
  try {
    result = await work();
  } catch (error) {
    // The error of the redrive matters more than an error of its record, which is ignored.
    await record(`the redrive ${describeRedrive(lane)} failed: ${describeFailure(error)}`).catch(() => {});
    throw error;
  }
  await record(`the redrive ${describeRedrive(lane)} moved ${result.moved} messages`);
  return result;
};

const ensureNotFailed = ({ state, moved, failure }: Move): void => {
  if (state === 'running' || state === 'completed') return;
  const ended = state === 'failed' ? 'failed' : 'was cancelled';
  const reason = failure ? ` SQS says: ${failure}.` : '';
  throw new NotPossible(`The move ${ended} after ${moved} messages.${reason} Move the rest with another redrive.`);
};

/** Waits until a move is done. `previousStart`: the start of the previous, finished move, which SQS may still show. */
const followMove = async (
  deps: RedriveDeps,
  lane: Lane,
  previousStart: number | null,
  report: (progress: string) => void,
): Promise<{ readonly moved: number }> => {
  report('SQS moves the messages in the background. If you leave this command, the move goes on.');
  let lastProgress = '';
  for (let pollsWithoutMove = 0; pollsWithoutMove < MAX_POLLS_WITHOUT_MOVE; await deps.sleep(POLL_INTERVAL_MS)) {
    const move = await deps.deadLetters.latestMove(lane);
    if (!move || move.startedAt === previousStart) {
      pollsWithoutMove += 1;
      continue;
    }
    ensureNotFailed(move);
    if (move.state === 'completed') return { moved: move.moved };
    if (formatProgress(move) !== lastProgress) report(formatProgress(move));
    lastProgress = formatProgress(move);
  }
  throw new NotPossible(
    'SQS accepted the request, but does not report its progress. Look at the queue in the AWS console.',
  );
};

/**
 * Moves all messages from a lane's dead-letter queue back to its queue, and waits until that is done. If a move already runs, it follows that
 * one. The consumer drops outdated messages, so nothing is delivered twice. The request for a new move is recorded before the move, and the
 * outcome after it.
 * @throws NotPossible if the move failed, or if SQS does not show it.
 */
export const redriveQueue = async (
  deps: RedriveDeps,
  lane: Lane,
  report: (progress: string) => void,
): Promise<{ readonly moved: number }> => {
  const { deadLetters, record } = deps;
  const latest = await deadLetters.latestMove(lane);
  if (latest?.state === 'running') return followMove(deps, lane, null, report);
  if ((await deadLetters.countWaiting(lane)) === 0) return { moved: 0 };
  await record(`asked for the redrive ${describeRedrive(lane)}`);
  return recordOutcome(deps, lane, async () => {
    await deadLetters.startMove(lane);
    return followMove(deps, lane, latest?.startedAt ?? null, report);
  });
};
