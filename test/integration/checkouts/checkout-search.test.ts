import { SECOND } from '#shared/domain/kernel/time.ts';
import { apiClient } from '#test/support/worlds/api-client.ts';
import {
  merchant as live,
  world as liveWorld,
  openWorld as openLiveWorld,
} from '#test/support/worlds/live-merchant.ts';
import { api, business, openMerchantForEachTest, world } from '#test/support/worlds/test-merchant.ts';

openMerchantForEachTest({ urls: [] });

const open = async (payer_email: string, more: Record<string, unknown> = {}): Promise<string> => {
  world.clock.advance(SECOND);
  return (await api.initialize({ amount: 2_500, payer_email, ...more })).json.data.reference;
};
const list = (query: Record<string, string>) => api.listCheckouts(undefined, {}, query);
const found = async (query: Record<string, string>): Promise<string[]> =>
  (await list(query)).json.data.map(({ reference }: { reference: string }) => reference);
const at = (seconds: number) => `2026-11-20T12:00:0${seconds}Z`;

test('checkouts are found by payer, status and time, and by all of them together', async () => {
  const ada = await open('Ada@example.com');
  const bola = await open('bola@example.com', { merchant_reference: 'order-1' });
  const again = await open('ada@EXAMPLE.com');
  await api.simulate({ reference: again });
  expect(await found({ payer_email: 'ADA@example.com' })).toEqual([again, ada]);
  expect(await found({ payer_email: 'nobody@example.com' })).toEqual([]);
  expect(await found({ status: 'pending' })).toEqual([bola, ada]);
  expect(await found({ status: 'paid' })).toEqual([again]);
  expect(await found({ payer_email: 'ada@example.com', status: 'pending' })).toEqual([ada]);
  expect(await found({ from: at(2) })).toEqual([again, bola]);
  expect(await found({ from: at(1), to: at(3) })).toEqual([bola, ada]);
  expect(await found({ payer_email: 'ada@example.com', to: at(3) })).toEqual([ada]);
  expect(await found({ payer_email: 'ada@example.com', from: at(2) })).toEqual([again]);
  expect(await found({ merchant_reference: 'order-1', payer_email: 'bola@example.com' })).toEqual([bola]);
  expect(await found({ merchant_reference: 'order-1', payer_email: 'ada@example.com' })).toEqual([]);
  expect(await found({ merchant_reference: 'order-1', from: at(3) })).toEqual([]);
  expect(await list({ status: 'open' })).toMatchObject({ status: 422, json: { errors: [{ field: 'status' }] } });
});

test('pages of a filtered list go on where the last one ended, and a cursor belongs to its filters', async () => {
  const references: string[] = [];
  for (let i = 0; i < 5; i++) references.unshift(await open(i % 2 === 0 ? 'ada@example.com' : 'bola@example.com'));
  const wanted = references.filter((_, i) => i % 2 === 0);
  for (const query of [{ payer_email: 'ada@example.com' }, { payer_email: 'ada@example.com', status: 'pending' }]) {
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await list({ ...query, limit: '1', ...(cursor && { cursor }) });
      seen.push(...page.json.data.map(({ reference }: { reference: string }) => reference));
      cursor = page.json.meta.next_cursor;
    }
    expect(seen).toEqual(wanted);
  }
  const { next_cursor: cursor } = (await list({ payer_email: 'ada@example.com', limit: '1' })).json.meta;
  expect((await list({ payer_email: 'bola@example.com', cursor })).status).toBe(422);
});

test('another business and the other mode find nothing', async () => {
  await open('ada@example.com');
  const other = await world.addBusiness([]);
  for (const key of [other.keys.secret_test, business.keys.secret_live]) {
    const listed = await apiClient(world, key).listCheckouts(undefined, {}, { payer_email: 'ada@example.com' });
    expect(listed.json.data).toEqual([]);
  }
});

test('a live checkout is found by its payer once it is open, also when the sweeper opened it', async () => {
  await openLiveWorld();
  try {
    const payer_email = 'emeka@example.com';
    const listed = async () =>
      (await live.api.listCheckouts(undefined, {}, { payer_email })).json.data.map(
        ({ reference }: { reference: string }) => reference,
      );
    const { reference } = await live.checkout('paystack', { payer_email });
    const lost = await live.lostCheckout('korapay', { payer_email });
    expect(await listed()).toEqual([reference]);
    await liveWorld.minutesPass(8);
    expect((await listed()).sort()).toEqual([reference, lost.reference].sort());
  } finally {
    await liveWorld.stop();
  }
});
