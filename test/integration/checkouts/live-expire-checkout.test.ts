import { DependencyUnavailable } from '#shared/platform/kernel/errors.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import { ProviderUnavailable } from '#shared/providers/domain/errors.ts';
import {
  createDeath,
  makeProvidersWith,
  makeUnreachableSettings,
  untilReached,
} from '#test/support/worlds/live-faults.ts';
import { ASKED, merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { describeAtProviders } from '#test/support/worlds/provider-scenes.ts';

/* Tests expiring a live checkout by hand. First its provider is asked whether money came. */

openWorldForEachTest();
const KEY = { 'idempotency-key': 'end-0042' };
const EXPIRED = { status: 200, json: { data: { status: 'expired' } } };

describeAtProviders('expiring a checkout of %s', (provider) => {
  test('asks the provider once, announces the expiry, and does not ask again afterwards', async () => {
    const { reference } = await merchant.checkout(provider);
    const asked = world.countLookUps(provider);
    expect(await merchant.api.expire(reference)).toMatchObject(EXPIRED);
    const once = asked();
    expect(once).toBeGreaterThan(0);
    expect((await merchant.api.expire(reference)).status).toBe(200);
    expect(asked()).toBe(once);
    expect(await world.eventsOf(reference)).toEqual(['checkout.expired']);
  });

  test('answers 409 if the provider reports money without a notification, and the money counts', async () => {
    await world.holdNotifications(provider);
    const { reference } = await merchant.paidCheckout(provider);
    expect(await merchant.statusOf(reference)).toBe('pending');
    expect(await merchant.api.expire(reference)).toMatchObject({
      status: 409,
      json: { code: 'checkout_not_payable', message: 'Checkout is already paid.' },
    });
    expect(await merchant.statusOf(reference)).toBe('paid');
    expect(await world.eventsOf(reference)).toEqual(['checkout.paid']);
  });

  test('answers 409 if money lands between the provider’s answer and ours', async () => {
    const { reference, accountNumber } = await merchant.checkout(provider);
    let isPaid = false;
    const paying = world.scripted(provider, (real) => ({
      requery: async (query) => {
        const before = await real.requery(query);
        if (!isPaid) {
          isPaid = true;
          await world.pay(provider, accountNumber, ASKED);
        }
        return before;
      },
    }));
    expect((await merchant.apiWith(paying).expire(reference)).status).toBe(409);
    expect(await world.eventsOf(reference)).toEqual(['checkout.paid']);
    await world.expectBooksToAgree();
  });

  test('keeps the look-ups around the expiry time, so that late money still counts', async () => {
    await world.holdNotifications(provider);
    const { reference, accountNumber } = await merchant.checkout(provider);
    await merchant.api.expire(reference);
    await world.pay(provider, accountNumber, ASKED);
    await world.minutesPass(120, 10);
    expect(await merchant.statusOf(reference)).toBe('paid');
    expect(await world.eventsOf(reference)).toEqual(['checkout.expired', 'checkout.paid']);
    await world.expectBooksToAgree();
  });

  test.each(['unreachable', 'not enabled any more', 'rejecting our credentials'])(
    'answers 502 and changes nothing while the provider is %s',
    async (away) => {
      const { reference } = await merchant.checkout(provider);
      const changed = {
        unreachable: () => makeProvidersWith(world, makeUnreachableSettings(world, [provider])),
        'not enabled any more': () => ({ liveProviders: () => undefined }),
        'rejecting our credentials': () => {
          world.simulator.fault(provider, { kind: 'unauthorised' });
          return {};
        },
      }[away];
      const api = merchant.apiWith(changed?.() ?? {});
      for (const headers of [{}, KEY, KEY]) {
        expect(await api.expire(reference, undefined, headers)).toMatchObject({
          status: 502,
          json: { code: 'provider_error', message: `${provider} could not complete the request.` },
        });
      }
      world.simulator.fault(provider, null);
      expect(await world.eventsOf(reference)).toEqual([]);
      expect(await merchant.fetch(reference)).toMatchObject({ status: 'pending', version: 1 });
      expect((await merchant.api.expire(reference, undefined, KEY)).status).toBe(200);
    },
  );

  test('answers 503 and changes nothing while Secrets Manager is too busy for the credentials, and works later', async () => {
    const { reference } = await merchant.checkout(provider);
    const busy = world.scripted(provider, () => ({
      requery: async () => {
        throw new ProviderUnavailable('Its credentials cannot be read.', { cause: new DependencyUnavailable('Busy.') });
      },
    }));
    for (const headers of [{}, KEY, KEY]) {
      expect(await merchant.apiWith(busy).expire(reference, undefined, headers)).toMatchObject({
        status: 503,
        json: { code: 'service_unavailable' },
        headers: { 'retry-after': '1' },
      });
    }
    expect(await world.eventsOf(reference)).toEqual([]);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'pending', version: 1 });
    const expired = await merchant.api.expire(reference, undefined, KEY);
    expect(expired).toMatchObject(EXPIRED);
    expect(expired.headers['idempotent-replayed']).toBeUndefined();
    expect(await world.eventsOf(reference)).toEqual(['checkout.expired']);
  });

  test('loses no money that arrives at the same time, and the books agree', async () => {
    for (let round = 0; round < 4; round++) {
      const { reference, accountNumber } = await merchant.checkout(provider);
      const [ended] = await Promise.all([merchant.api.expire(reference), world.pay(provider, accountNumber, ASKED)]);
      expect([200, 409]).toContain(ended.status);
      expect(await merchant.statusOf(reference)).toBe('paid');
    }
    await world.expectBooksToAgree();
  });

  test('announces the expiry once, even if the sweeper runs at the same time', async () => {
    const { reference, expiresAt } = await merchant.checkout(provider);
    world.clock.advance(expiresAt - world.clock.now() + 6 * MINUTE);
    const expire = () => merchant.api.expire(reference);
    const [first, , second] = await Promise.all([expire(), world.sweep(), expire()]);
    await world.sweep();
    for (const answer of [first, second]) expect(answer).toMatchObject({ status: 200, json: { data: { version: 2 } } });
    expect(await world.eventsOf(reference)).toEqual(['checkout.expired']);
  });

  test('changes nothing if the process dies before it writes, and a retry succeeds', async () => {
    const { reference } = await merchant.checkout(provider);
    const { die, dead } = createDeath();
    const dying = merchant.apiWith({ transactions: { commit: die } });
    await untilReached(dead, dying.expire(reference, undefined, KEY));
    expect(await merchant.statusOf(reference)).toBe('pending');
    expect((await merchant.api.expire(reference, undefined, KEY)).status).toBe(200);
    expect(await world.eventsOf(reference)).toEqual(['checkout.expired']);
  });

  test('replays the first answer and sends the event if the process dies after it wrote', async () => {
    const { reference } = await merchant.checkout(provider);
    const { die, dead } = createDeath();
    const dying = merchant.apiWith({ queue: { ...world.deps.queue, send: die } });
    await untilReached(dead, dying.expire(reference, undefined, KEY));
    const retried = await merchant.api.expire(reference, undefined, KEY);
    expect([retried.status, retried.headers['idempotent-replayed']]).toEqual([200, 'true']);
    await world.minutesPass(1);
    expect(await world.takeJobs()).toHaveLength(1);
    expect(await world.eventsOf(reference)).toEqual(['checkout.expired']);
  });
});

test.each(['paystack', 'monnify'] as const)(
  'a payment that %s rejected does not prevent the expiry',
  async (provider) => {
    const { reference } = await merchant.paidCheckout(provider, ASKED - 100);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'pending', payments: [{ outcome: 'rejected' }] });
    expect(await merchant.api.expire(reference)).toMatchObject(EXPIRED);
    expect(await world.eventsOf(reference)).toEqual(['checkout.payment_rejected', 'checkout.expired']);
  },
);
