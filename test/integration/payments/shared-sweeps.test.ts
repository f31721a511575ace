import type { Context } from 'aws-lambda';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import { sweepPaymentsFunction } from '#test/support/worlds/handlers.ts';
import { merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';

openWorldForEachTest();

test('runs that share a sweep send all due work together, and none of it twice', async () => {
  world.holdMoneyWork(true);
  for (let n = 0; n < 8; n++) {
    const { accountNumber } = await merchant.account('korapay');
    await world.pay('korapay', accountNumber, 500_000);
  }
  await world.takeTickets('korapay');
  world.clock.advance(MINUTE);
  const context = { getRemainingTimeInMillis: () => 50_000 } as Context;
  const run = sweepPaymentsFunction({ ...world.deps, ...world.withoutReconciliation() });
  const sent = [];
  for (const part of [0, 1]) {
    await run({ part, parts: 2 }, context);
    sent.push(await world.takeTickets('korapay'));
  }
  const due = (await world.itemsOf('NTF')).map(({ pk }) => pk).sort();
  expect(
    sent
      .flat()
      .map(({ pk }) => pk)
      .sort(),
  ).toEqual(due);
  expect(sent.every((share) => share.length > 0)).toBe(true);
});
