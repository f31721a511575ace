import { errorReply } from '#shared/api/http/answer.ts';
import type { Answer } from './answer.ts';

/** Milliseconds for which a request waits for its turn at most. Then the gateway answers with an error, so the error comes in less than a second. */
const TURN_WAIT_MS = 500;
/** For each request that may work, this many more may wait. So a burst can wait, and a flood is refused at once. */
const WAITING_PER_TURN = 3;
const RETRY_AFTER_SECONDS = 1;

interface NamedFunction {
  readonly name: string;
}

/** A turn to work. Call `end` when the work is done. */
interface Turn {
  end(): void;
}

/** Lets at most `most` requests work at once. Others wait in the order of their arrival, for at most `waitMs`. */
const openTurns = (most: number, waitMs: number) => {
  let working = 0;
  const waiting = new Set<(turn: Turn) => void>();
  const take = (): Turn => {
    working += 1;
    return {
      end: () => {
        working -= 1;
        const [first] = waiting;
        if (first) first(take());
      },
    };
  };
  /** Whether no further request may wait. */
  const isFull = (): boolean => waiting.size >= WAITING_PER_TURN * most;
  /** Waits for a turn; undefined if no further request may wait, or if no turn comes in time. */
  const next = (): Promise<Turn | undefined> => {
    if (working < most) return Promise.resolve(take());
    if (isFull()) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const start = (turn?: Turn): void => {
        clearTimeout(timer);
        waiting.delete(start);
        resolve(turn);
      };
      const timer = setTimeout(start, waitMs).unref();
      waiting.add(start);
    });
  };
  return { isFull, next };
};

const unavailableAnswer = (requestId: string): Answer => {
  const { status, body } = errorReply('service_unavailable', requestId);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'retry-after': String(RETRY_AFTER_SECONDS),
    'x-request-id': requestId,
    'cache-control': 'no-store',
  };
  return { status, headers, cookies: [], body: JSON.stringify(body) };
};

/**
 * Limits how many requests each function handles at once, like its concurrency in Lambda. So a flood of requests for one function does not
 * slow down the others. A request that gets no turn in time gets a 503, and may be repeated.
 */
export const limitConcurrency = (most: number, waitMs = TURN_WAIT_MS) => {
  const byFunction = new Map<string, ReturnType<typeof openTurns>>();
  return {
    /** Returns the 503 for a request that would get no turn; undefined if it may wait for one. */
    answerIfFull: ({ name }: NamedFunction, requestId: string): Answer | undefined =>
      byFunction.get(name)?.isFull() ? unavailableAnswer(requestId) : undefined,
    /** Does the work in its turn; returns the 503 if the turn does not come in time. */
    inTurn: async ({ name }: NamedFunction, requestId: string, work: () => Promise<Answer>): Promise<Answer> => {
      const turns = byFunction.get(name) ?? openTurns(most, waitMs);
      byFunction.set(name, turns);
      const turn = await turns.next();
      if (!turn) return unavailableAnswer(requestId);
      try {
        return await work();
      } finally {
        turn.end();
      }
    },
  };
};
