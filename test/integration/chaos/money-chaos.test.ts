import { describeMoneyCrashes } from '#test/support/chaos/money-crashes.ts';
import { runChaos } from '#test/support/chaos/money-run.ts';

/* A small run; test/long/money-chaos.test.ts makes the large one, and lets processes die at every call. */

test('100 landings under every fault at once: what is kept is credited once, to the kobo, what goes back is not, and each is told once', async () => {
  const size = { seed: import.meta.jest.getSeed(), landings: 100, checkouts: 25, customers: 3, businesses: 2 };
  const { problems, isDone, figures } = await runChaos(size);
  expect(problems).toEqual([]);
  expect(isDone).toBe(true);
  expect(figures.landings).toBeGreaterThanOrEqual(size.landings);
});

/** The writes that decide whether money is credited once. */
const DECISIVE = new Set([
  'notifications.keep',
  'ledger.record',
  'ledger.assignReference',
  'reconciliations.save',
  'checkoutIntents.settle',
  'accountIntents.settle',
]);
describeMoneyCrashes((call) => DECISIVE.has(call));
