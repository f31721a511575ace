import { MINUTE } from '#shared/platform/kernel/time.ts';
import { expectReplay } from '#test/support/worlds/answers.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { api, business, ORDER, openMerchantForEachTest, world } from '#test/support/worlds/test-merchant.ts';

/* Tests expiring a checkout by hand in test mode. Live mode is in live-expire-checkout.test.ts. */

const KEY = { 'idempotency-key': 'end-order-0042' };

openMerchantForEachTest();

const open = async (): Promise<string> => (await api.initialize(ORDER)).json.data.reference;

describe('POST /checkouts/{reference}/expire', () => {
  test('expires a pending checkout, announces it once, and has no effect when repeated', async () => {
    const { data } = (await api.initialize(ORDER)).json;
    const first = await api.expire(data.reference, undefined, KEY);
    expect(first).toMatchObject({ status: 200, json: { status: true } });
    expect(first.json.data).toEqual({ ...data, status: 'expired', version: 2 });
    expect(await api.expire(data.reference, undefined, KEY)).toMatchObject(expectReplay(first));
    expect(await api.expire(data.reference)).toMatchObject({ status: 200, json: { data: { version: 2 } } });
    expect(await world.eventsOf(data.reference)).toEqual(['checkout.expired']);
    expect(await world.takeJobs()).toHaveLength(1);
    await world.sweepAfter(31 * MINUTE);
    expect(await world.eventsOf(data.reference)).toEqual(['checkout.expired']);
  });

  test('leaves a failed checkout without money unchanged', async () => {
    const reference = await open();
    await api.simulate({ reference, status: 'failed' });
    const answer = await api.expire(reference);
    expect(answer).toMatchObject({ status: 200, json: { data: { status: 'failed', version: 2 } } });
  });

  test.each([
    ['paid', {}, 'Checkout is already paid.'],
    ['underpaid', { amount: 1 }, 'Checkout has accepted money.'],
  ])('answers 409 for a checkout that is %s', async (status, payment, message) => {
    const reference = await open();
    await api.simulate({ reference, ...payment });
    expect(await api.expire(reference)).toMatchObject({ status: 409, json: { code: 'checkout_not_payable', message } });
    expect((await api.verify(reference)).json.data.status).toBe(status);
  });

  test('answers 404 for another business’s or mode’s checkout, and 403 for a public key', async () => {
    const reference = await open();
    const other = await world.addBusiness([]);
    for (const key of [other.keys.secret_test, business.keys.secret_live]) {
      expect((await createApiClient(world, key).expire(reference)).status).toBe(404);
    }
    const headers = { 'x-business-id': business.id };
    const refused = await createApiClient(world, business.keys.public_test).expire(reference, undefined, headers);
    expect(refused).toMatchObject({ status: 403, json: { code: 'public_key_not_permitted' } });
    expect((await api.expire('PAY-7H2KQ9XW4M1ZB8T5RC3N')).status).toBe(404);
    expect((await api.verify(reference)).json.data.status).toBe('pending');
  });

  test('lets later money count, and the checkout becomes paid', async () => {
    const reference = await open();
    await api.expire(reference);
    expect((await api.simulate({ reference })).json.data).toMatchObject({ status: 'paid', version: 3 });
    expect(await world.eventsOf(reference)).toEqual(['checkout.expired', 'checkout.paid']);
  });

  test('loses no money that arrives at the same time, and every change is announced once', async () => {
    for (let round = 0; round < 12; round++) {
      const reference = await open();
      const [ended, paid] = await Promise.all([api.expire(reference), api.simulate({ reference })]);
      expect([200, 409]).toContain(ended.status);
      expect(paid.status).toBe(200);
      const { data } = (await api.verify(reference)).json;
      expect(data).toMatchObject({ status: 'paid', paid_amount: ORDER.amount });
      expect(await world.eventsOf(reference)).toEqual(
        ended.status === 200 ? ['checkout.expired', 'checkout.paid'] : ['checkout.paid'],
      );
    }
  });

  test('expires a checkout once, even simultaneously with itself and the sweeper', async () => {
    for (let round = 0; round < 6; round++) {
      const reference = await open();
      world.clock.advance(31 * MINUTE);
      const [, ...answers] = await Promise.all([
        world.sweep(),
        ...Array.from({ length: 5 }, () => api.expire(reference)),
      ]);
      for (const answer of answers) {
        expect(answer).toMatchObject({ status: 200, json: { data: { status: 'expired', version: 2 } } });
      }
      expect(await world.eventsOf(reference)).toEqual(['checkout.expired']);
    }
  });
});
