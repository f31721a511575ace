import { longTest } from '#test/support/jest/long.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { api, business, openMerchantForEachTest, world } from '#test/support/worlds/test-merchant.ts';

/* Tests many simultaneous simulations of one checkout. They contend for one item, and anybody with a test key can send them. */

openMerchantForEachTest({ urls: [] });

const AT_ONCE = 40;
const AMOUNT = 100;

/** Sends `AT_ONCE` requests. Returns how many were accepted; the others got 429, which is no failure of ours. */
const sendAtOnce = async (simulate: () => Promise<{ status: number; headers: Record<string, unknown> }>) => {
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, simulate));
  const refused = answers.filter(({ status }) => status !== 200);
  for (const answer of refused) expect(answer).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
  return AT_ONCE - refused.length;
};

longTest('simultaneous simulations of a checkout are recorded once each, or get 429', async () => {
  const { reference } = (await api.initialize({ amount: AMOUNT * AT_ONCE, payer_email: 'sade@example.com' })).json.data;
  const accepted = await sendAtOnce(() => api.simulate({ reference, amount: AMOUNT }));
  expect(accepted).toBeGreaterThan(0);
  expect((await api.verify(reference)).json.data.paid_amount).toBe(AMOUNT * accepted);
  // The next simulation is accepted.
  expect((await api.simulate({ reference, amount: AMOUNT })).status).toBe(200);
});

test('a simulation gives up after about a second if every try conflicts, and gets 429', async () => {
  const { reference } = (await api.initialize({ amount: AMOUNT, payer_email: 'sade@example.com' })).json.data;
  let tries = 0;
  const commit = async () => {
    tries += 1;
    return 'conflict' as const;
  };
  const contended = { ...world, deps: { ...world.deps, transactions: { commit }, pause: async () => {} } };
  expect(await createApiClient(contended, business.keys.secret_test).simulate({ reference })).toMatchObject({
    status: 429,
    json: {
      code: 'rate_limited',
      message: 'Too many requests change this at once. Send them one after the other, and try again in 1 s.',
    },
  });
  expect(tries).toBe(10);
});
