import { KINDS } from '#test/bench/load/hooks.ts';
import { runLoad } from '#test/bench/load/run.ts';
import { type Stack, startStack, watched } from '#test/support/worlds/stack.ts';

/** It takes some ten seconds; the limit is for a busy machine. */
const WITHIN_MS = 600_000;

describe('ten merchants at once, a small version of npm run load', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack();
  }, WITHIN_MS);
  afterAll(() => stack.stop());

  test(
    'get paid while endpoints are slow, dead, flapping or gone: payments, events and deliveries agree one by one',
    async () => {
      const options = { merchants: 10, seconds: 4, warmUpSeconds: 0, perSecond: 20, slowMs: 500, seed: 20 };
      const { books, traffic } = await runLoad(stack, options, watched());
      expect(traffic.wrong).toEqual([]);
      expect(books.wrong).toEqual([]);
      const { payments, failures, tests, switchedOff, events, checkouts } = books.totals;
      expect(events).toBe(payments + failures + tests + switchedOff);
      expect(checkouts).toBeGreaterThan(10);
      expect(payments).toBeGreaterThan(10);
      expect(books.kobo.answered).toBeGreaterThan(0);
      // On a busy machine a delivery can time out and arrive a second time, under the same id.
      for (const kind of KINDS) {
        const { deliveries = 0, receivedOnce = 0, receivedAgain = 0 } = books.kinds.get(kind) ?? {};
        expect(receivedOnce).toBeGreaterThan(0);
        expect(receivedOnce + receivedAgain).toBe(deliveries);
      }
      // Events of dead or gone endpoints arrived late.
      for (const kind of ['dead', 'gone'] as const) expect(books.kinds.get(kind)?.late).toBeGreaterThan(0);
      expect(switchedOff).toBeGreaterThan(0);
    },
    WITHIN_MS,
  );
});
