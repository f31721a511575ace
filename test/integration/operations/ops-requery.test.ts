import type { Stage } from '#infra/ops/connect.ts';
import { toEventCheckout } from '#test/support/worlds/answers.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { type LiveWorld, makeLiveWorld } from '#test/support/worlds/live-world.ts';
import { runOpsAsJson, runOpsAsText } from '#test/support/worlds/operations.ts';

const UNKNOWN = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';

let world: LiveWorld;
let stage: Stage;
beforeAll(async () => {
  world = await makeLiveWorld();
  stage = { ...world.deps, operator: async () => 'amaka' };
});
afterAll(() => world.stop());
afterEach(() => world.simulator.fault('korapay', null));

const open = async () => {
  const business = await world.addBusiness(['https://ada.example/hooks'], 'live');
  const api = world.live(business);
  const order = { amount: 8_500.75, payer_email: 'tunde@example.com', provider: 'korapay' };
  const { reference, account_number: accountNumber } = (await api.initialize(order)).json.data;
  return { business, api, reference: reference as string, accountNumber: accountNumber as string };
};
const readChanges = async (businessId: string): Promise<unknown[]> =>
  (await runOpsAsJson(stage, 'audit', 'list', businessId)).changes.map(({ what }: { what: string }) => what);

describe('checkout requery', () => {
  test('lands money without a notification once, with its webhook, and is recorded', async () => {
    const { business, api, reference, accountNumber } = await open();
    const nothing = await runOpsAsJson(stage, 'checkout', 'requery', reference);
    expect(nothing).toMatchObject({ changed: false, checkout: { reference, status: 'pending' } });
    world.simulator.notifyAt('korapay', null);
    await world.simulator.pay({ provider: 'korapay', accountNumber, amount: 850_075 });
    const text = await runOpsAsText(stage, 'checkout', 'requery', ` ${reference.toLowerCase()}-2 `);
    expect(text).toContain('The answer of korapay changed the checkout.');
    expect(text).toMatch(/^ {2}status +pending → paid$/m);
    expect(text).toMatch(/^ {2}naira +0\.00 → 8500\.75 of 8500\.75 paid$/m);
    expect((await world.takeJobs()).length).toBe(1);
    const { changed, checkout } = await runOpsAsJson(stage, 'checkout', 'requery', reference);
    expect([changed, checkout]).toEqual([false, toEventCheckout((await api.verify(reference)).json.data)]);
    expect(await world.takeJobs()).toEqual([]);
    expect(await readChanges(business.id)).toEqual(Array(3).fill(`asked korapay about ${reference}`));
    world.simulator.notifyAt('korapay', world.notificationUrl('korapay'));
  });

  test('says why it fails, and changes nothing', async () => {
    const { business, api, reference, accountNumber } = await open();
    world.simulator.notifyAt('korapay', null);
    await world.simulator.pay({ provider: 'korapay', accountNumber, amount: 850_075 });
    world.simulator.fault('korapay', { kind: 'server_fault' });
    await expect(runOpsAsJson(stage, 'checkout', 'requery', reference)).rejects.toThrow('korapay does not answer');
    expect((await api.verify(reference)).json.data).toMatchObject({ status: 'pending', paid_amount: 0 });
    expect(await readChanges(business.id)).toHaveLength(1);

    const test = createApiClient(world, business.keys.secret_test);
    const { data } = (await test.initialize({ amount: 100, payer_email: 'tunde@example.com' })).json;
    await expect(runOpsAsJson(stage, 'checkout', 'requery', data.reference)).rejects.toThrow('is a test checkout');
    await expect(runOpsAsJson(stage, 'checkout', 'requery', UNKNOWN)).rejects.toThrow(
      `There is no checkout ${UNKNOWN}.`,
    );
    await expect(runOpsAsJson(stage, 'checkout', 'requery', 'INV-1')).rejects.toThrow('not a checkout reference');
    expect(await readChanges(business.id)).toHaveLength(1);
  });
});
