import type { FunctionSpec } from '#infra/function-spec.ts';
import { refusalReply } from '#shared/http/kernel/answer.ts';
import type { Answer } from './answer.ts';

/** Milliseconds that a request waits for its turn: with the work before it, a refusal is answered within a second. */
const TURN_WITHIN_MS = 500;
/** Requests that wait for each that is worked on: a burst gets its turns, a flood is refused at once. */
const WAITING_PER_PLACE = 3;
/** Seconds, for Retry-After. */
const RETRY_AFTER = 1;

/** A turn: given back with `end` when the work is done. */
interface Turn {
  end(): void;
}

/** Runs at most `most` at once; others wait in the order of their arrival, but no longer than `waitMs`. */
const turns = (most: number, waitMs: number) => {
  let working = 0;
  const waiting = new Set<(turn: Turn) => void>();
  const take = (): Turn => {
    working += 1;
    return {
      end: () => {
        working -= 1;
        const [next] = waiting;
        if (next) next(take());
      },
    };
  };
  /** Undefined when there was none in time. */
  return (): Promise<Turn | undefined> => {
    if (working < most) return Promise.resolve(take());
    if (waiting.size >= WAITING_PER_PLACE * most) return Promise.resolve(undefined);
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
};

const refused = (requestId: string): Answer => {
  const { status, body } = refusalReply('service_unavailable', requestId);
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
  const byFunction = new Map<string, ReturnType<typeof turns>>();
  return async (
    { name }: Pick<FunctionSpec, 'name'>,
    requestId: string,
    work: () => Promise<Answer>,
  ): Promise<Answer> => {
    const nextTurn = byFunction.get(name) ?? turns(most, waitMs);
    byFunction.set(name, nextTurn);
    const turn = await nextTurn();
    if (!turn) return refused(requestId);
    try {
      return await work();
    } finally {
      turn.end();
    }
  };
};
