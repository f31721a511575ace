import { runLoad } from '#test/bench/load/run.ts';
import { type Stack, startStack } from '#test/support/stack.ts';

/** All is over in some ten seconds; a busy machine gets as long as it needs. */
const WITHIN_MS = 600_000;

describe('ten merchants at once, in small what npm run load does with fifty', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack();
  }, WITHIN_MS);
  afterAll(() => stack.stop());

  test(
    'trade while endpoints are slow, dead, flapping or gone: payments, events and deliveries agree one by one',
    async () => {
      const options = { merchants: 10, seconds: 4, warmUpSeconds: 0, perSecond: 20, slowMs: 500, seed: 20 };
      const { books, traffic } = await runLoad(stack, options);
      expect(traffic.wrong).toEqual([]);
      expect(books.wrong).toEqual([]);
      const { payments, failures, tests, events, checkouts } = books.totals;
      expect(events).toBe(payments + failures + tests);
      expect(checkouts).toBeGreaterThan(10);
      expect(payments).toBeGreaterThan(10);
      expect(books.kobo.answered).toBeGreaterThan(0);
      const { healthy, slow, dead, gone } = Object.fromEntries(books.kinds);
      for (const kind of [healthy, slow]) {
        // A machine that stands still for a time-out of a delivery gets it again, under the same id.
        expect(kind?.receivedOnce).toBeGreaterThan(0);
        expect((kind?.receivedOnce ?? 0) + (kind?.receivedAgain ?? 0)).toBe(kind?.deliveries);
      }
      // Whatever landed once they were dead or gone still waits for them.
      for (const kind of [dead, gone]) expect((kind?.retrying ?? 0) + (kind?.parked ?? 0)).toBeGreaterThan(0);
    },
    WITHIN_MS,
  );
});
