import { MINUTE } from '#shared/platform/kernel/time.ts';
import { type FaultProxy, startFaultProxy } from '#test/support/emulators/fault-proxy.ts';
import { merchant, openWorld, world } from '#test/support/worlds/live-merchant.ts';

/* DynamoDB writes, its answer gets lost, and the client writes again. The client recognises its own first write, so the work goes on at once. */

let proxy: FaultProxy;
beforeEach(async () => {
  proxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
  await openWorld({ dynamoDbEndpoint: proxy.endpoint });
});
afterEach(async () => {
  await world.stop();
  await proxy.stop();
});

/** Loses the answer to the first call with a matching input. Returns a function that counts such calls. */
const loseAnswer = (input: RegExp): (() => number) => {
  let calls = 0;
  proxy.inject((operation, fields) => {
    if (!/^(Put|Update)Item$/.test(operation) || !input.test(JSON.stringify(fields))) return undefined;
    calls += 1;
    return calls === 1 ? 'lose-answer' : undefined;
  });
  return () => calls;
};
const pay = async (): Promise<void> => {
  const account = await merchant.account('monnify');
  await world.pay('monnify', account.accountNumber, 1_250_000);
};
const isSettled = async () => (await world.itemsOf('NTF')).every(({ dueAt, why }) => dueAt === null && why === null);

test.each([
  ['stores the notification', /savedBy = :own/],
  ['takes the lease', /leasedBy = :own/],
  ['stores that the notification is settled', /:nextDueAt/],
])('money lands at once if the answer to the call that %s gets lost', async (_, input) => {
  const calls = loseAnswer(input);
  await pay();
  expect(calls()).toBeGreaterThan(1);
  expect(await world.recordedAmounts()).toEqual([1_250_000]);
  expect(await isSettled()).toBe(true);
});

test('work is sent at once if the answer to the call that moves its due time gets lost', async () => {
  world.holdMoneyWork(true);
  await pay();
  await world.takeTickets('monnify');
  world.holdMoneyWork(false);
  const calls = loseAnswer(/sentAs = if_not_exists/);
  world.clock.advance(MINUTE);
  await world.dispatch(world.withoutReconciliation());
  expect(calls()).toBeGreaterThan(1);
  await world.consumeMoney();
  expect(await world.recordedAmounts()).toEqual([1_250_000]);
});
