import { errorReply } from '#shared/api/http/answer.ts';
import type { Answer } from './answer.ts';

/** Milliseconds that a request waits for its turn: with the work before it, a refusal is answered within a second. */
const TURN_WITHIN_MS = 500;
/** Requests that wait for each that is worked on: a burst gets its turns, a flood is refused at once. */
const WAITING_PER_PLACE = 3;
/** Seconds, for Retry-After. */
const RETRY_AFTER = 1;

interface Named {
  readonly name: string;
}

/** A turn: given back with `end` when the work is done. */
interface Turn {
  end(): void;
}

/** Lets at most `most` work at once; others wait in the order of their arrival, but no longer than `waitMs`. */
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
  /** Whether no more may wait. */
  const isFull = (): boolean => waiting.size >= WAITING_PER_PLACE * most;
  /** Undefined when there was none in time. */
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
    'retry-after': String(RETRY_AFTER),
    'x-request-id': requestId,
    'cache-control': 'no-store',
  };
  return { status, headers, cookies: [], body: JSON.stringify(body) };
};

/**
 * Limits how many requests each function works on at once, as its concurrency in Lambda does. So a flood does not slow down everything
 * else on this machine: a request that gets no turn in time is refused, and may be repeated.
 */
export const limitConcurrency = (most: number, waitMs = TURN_WITHIN_MS) => {
  const byFunction = new Map<string, ReturnType<typeof openTurns>>();
  return {
    /** The refusal of a request that would get no turn. */
    answerIfFull: ({ name }: Named, requestId: string): Answer | undefined =>
      byFunction.get(name)?.isFull() ? unavailableAnswer(requestId) : undefined,
    /** Does the work when it is its turn, or refuses it when that does not come in time. */
    inTurn: async ({ name }: Named, requestId: string, work: () => Promise<Answer>): Promise<Answer> => {
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
