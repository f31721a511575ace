import { type FaultProxy, makeTransactionConflict, startFaultProxy } from '#test/support/emulators/fault-proxy.ts';
import { isLongRun, longerTest } from '#test/support/jest/long.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { PATIENCE } from '#test/support/worlds/table.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

const RIVALS = 100;
/** The SDK's retry budget is 500 tokens. A retry takes 14 tokens, and only a success gives them back. */
const MOST_LOST = 30;
/** Maximum number of conflicts of one transaction, which is tried ten times. */
const MOST_CONFLICTS = 5;
const emulator = () => process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '';

const race = async (world: World) => {
  const business = await world.addBusiness(['http://127.0.0.1:9/unused']);
  const api = createApiClient(world, business.keys.secret_test);
  const { reference } = (await api.initialize({ amount: 8_500.75, payer_email: 'ngozi.eze@example.com' })).json.data;
  const answers = await Promise.all(Array.from({ length: RIVALS }, () => api.simulate({ reference })));
  return { api, reference, answers };
};

const expectOneLanding = async (world: World, { api, reference, answers }: Awaited<ReturnType<typeof race>>) => {
  // This comes first, so that an internal error shows its name.
  expect(world.logged.filter(({ error_name }) => error_name !== undefined)).toEqual([]);
  const paid = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 409);
  expect(paid).toHaveLength(1);
  expect(refused).toHaveLength(RIVALS - 1);
  expect(new Set(refused.map(({ json }) => `${json.code}: ${json.message}`))).toEqual(
    new Set(['checkout_not_payable: Checkout is already paid.']),
  );
  expect(await world.itemsOf('PAY')).toHaveLength(1);
  expect(await world.itemsOf('EVT')).toHaveLength(1);
  expect(await world.itemsOf('DLV#')).toHaveLength(1);
  expect((await api.verify(reference)).json.data).toMatchObject({
    status: 'paid',
    paid: true,
    paid_amount: 8_500.75,
    version: 2,
    payments: [{ amount: 8_500.75, outcome: 'accepted' }],
  });
};

describe('landing money exactly once', () => {
  let proxy: FaultProxy | undefined;
  afterEach(() => proxy?.stop());

  test('100 simultaneous simulations of one checkout make one payment, one event and one delivery', async () => {
    const world = await makeWorld();
    await expectOneLanding(world, await race(world));
    expect(await world.takeJobs()).toHaveLength(1);
  });

  test('100 simultaneous simulations with random transaction conflicts make one payment', async () => {
    proxy = await startFaultProxy(emulator());
    const world = await makeWorld({ dynamoDbEndpoint: proxy.endpoint, tableAnswerMs: PATIENCE });
    // No transaction meets so many conflicts that it gives up. The first transaction always meets one, because it may be the only transaction.
    const conflicts = new Map<unknown, number>();
    proxy.inject((operation, { ClientRequestToken: token, TransactItems: items }) => {
      const past = conflicts.get(token) ?? 0;
      if (operation !== 'TransactWriteItems' || past === MOST_CONFLICTS) return undefined;
      if (conflicts.size > 0 && Math.random() > 0.4) return undefined;
      conflicts.set(token, past + 1);
      return makeTransactionConflict((items as unknown[]).length);
    });
    await expectOneLanding(world, await race(world));
    expect(conflicts.size).toBeGreaterThan(0);
  });

  test('100 simultaneous simulations with lost answers of committed transactions make one payment', async () => {
    proxy = await startFaultProxy(emulator());
    const world = await makeWorld({ dynamoDbEndpoint: proxy.endpoint, tableAnswerMs: PATIENCE });
    // Only the first answer of a transaction gets lost. The SDK retries under the same token and gets the committed result.
    const lost = new Set<unknown>();
    proxy.inject((operation, { ClientRequestToken: token }) => {
      const isSpared = lost.has(token) || lost.size === MOST_LOST || (lost.size > 0 && Math.random() > 0.5);
      if (operation !== 'TransactWriteItems' || isSpared) return undefined;
      lost.add(token);
      return 'lose-answer';
    });
    await expectOneLanding(world, await race(world));
    expect(lost.size).toBeGreaterThan(0);
  });

  longerTest.each(isLongRun ? [25, 60] : [25])(
    '%i parallel part payments add up exactly, and each is announced',
    async (count) => {
      const world = await makeWorld();
      const business = await world.addBusiness();
      const api = createApiClient(world, business.keys.secret_test);
      const { reference } = (await api.initialize({ amount: 1_000, payer_email: 'ngozi.eze@example.com' })).json.data;
      const amounts = Array.from({ length: count }, (_, i) => (1 + 10 * i) / 100);
      // Many payments contend for the checkout. A 429 means that nothing has landed, so the payment is sent again.
      const land = async (amount: number): Promise<number> => {
        for (;;) {
          const { status } = await api.simulate({ reference, amount: Number(amount.toFixed(2)) });
          if (status !== 429) return status;
        }
      };
      expect(await Promise.all(amounts.map(land))).toEqual(amounts.map(() => 200));
      const { data } = (await api.verify(reference)).json;
      expect(data).toMatchObject({
        status: 'underpaid',
        paid: false,
        paid_amount: (count + 5 * count * (count - 1)) / 100,
        version: count + 1,
        paid_at: null,
      });
      expect(await world.itemsOf('EVT')).toHaveLength(count);
      const rest = await api.simulate({ reference });
      expect(rest.json.data).toMatchObject({ status: 'paid', paid_amount: 1_000 });
    },
  );
});
