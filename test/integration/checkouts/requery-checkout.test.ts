import { SECOND } from '#shared/domain/kernel/time.ts';
import { apiClient } from '#test/support/worlds/api-client.ts';
import { death, providersWith, unreachable, untilReached } from '#test/support/worlds/live-faults.ts';
import { ASKED, merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { describeAtProviders } from '#test/support/worlds/provider-scenes.ts';

/* A merchant has the provider of a checkout asked now. */

openWorldForEachTest();

describeAtProviders('asking %s about a checkout', (provider) => {
  test('lands money without a notification, and asks once in ten seconds', async () => {
    await world.holdNotifications(provider);
    const { reference, accountNumber } = await merchant.checkout(provider);
    const asked = world.countLookUps(provider);
    expect(await merchant.api.requery(reference)).toMatchObject({
      status: 200,
      json: { data: { status: 'pending', version: 1 } },
    });
    const once = asked();
    expect(once).toBeGreaterThan(0);
    await world.pay(provider, accountNumber, ASKED);
    world.clock.advance(10 * SECOND - 1);
    expect(await merchant.api.requery(reference)).toMatchObject({
      status: 200,
      json: { data: { status: 'pending', version: 1 } },
    });
    expect(asked()).toBe(once);
    world.clock.advance(1);
    expect(await merchant.api.requery(reference)).toMatchObject({
      status: 200,
      json: { data: { status: 'paid', version: 2 } },
    });
    expect(await world.eventsOf(reference)).toEqual(['checkout.paid']);
    await world.expectBooksToAgree();
  });

  test('by ten at once asks once, and every one is answered', async () => {
    const { reference } = await merchant.checkout(provider);
    const asked = world.countLookUps(provider);
    await merchant.api.requery(reference);
    const once = asked();
    world.clock.advance(10 * SECOND);
    const answers = await Promise.all(Array.from({ length: 10 }, () => merchant.api.requery(reference)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(asked()).toBe(2 * once);
  });

  test('is 502 and changes nothing while it is unreachable, and then may be repeated at once', async () => {
    await world.holdNotifications(provider);
    const { reference } = await merchant.paidCheckout(provider);
    const away = merchant.apiWith(providersWith(world, unreachable(world, [provider])));
    for (let i = 0; i < 2; i++) {
      expect(await away.requery(reference)).toMatchObject({
        status: 502,
        json: { code: 'provider_error', message: `${provider} could not complete the request.` },
      });
    }
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'pending', version: 1 });
    expect((await merchant.api.requery(reference)).json.data.status).toBe('paid');
  });

  test('by a process that dies on the way keeps nobody waiting for more than ten seconds', async () => {
    await world.holdNotifications(provider);
    const { reference } = await merchant.paidCheckout(provider);
    const { die, dead } = death();
    await untilReached(dead, merchant.apiWith({ ledger: { ...world.deps.ledger, record: die } }).requery(reference));
    expect((await merchant.api.requery(reference)).json.data.status).toBe('pending');
    world.clock.advance(10 * SECOND);
    expect((await merchant.api.requery(reference)).json.data.status).toBe('paid');
    expect(await world.eventsOf(reference)).toEqual(['checkout.paid']);
  });
});

test('a checkout of nobody, of another business or of test mode asks nobody', async () => {
  const stranger = await world.addBusiness([], 'live');
  const { reference } = await merchant.checkout('paystack');
  const asked = world.countLookUps('paystack');
  expect((await merchant.api.requery('PAY-00000000000000000000')).json.code).toBe('checkout_not_found');
  const theirs = apiClient(world, stranger.keys.secret_live);
  expect(await theirs.requery(reference)).toMatchObject({ status: 404, json: { code: 'checkout_not_found' } });
  const test = apiClient(world, stranger.keys.secret_test);
  const opened = (await test.initialize({ amount: 100, payer_email: 'a@example.com' })).json.data;
  expect((await test.requery(opened.reference)).json.data).toEqual(opened);
  expect(asked()).toBe(0);
});
