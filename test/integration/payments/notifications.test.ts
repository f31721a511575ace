import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { DAY, HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import { credentialsVariable } from '#shared/providers/credentials.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { apiEvent, lambdaContext } from '#test/support/worlds/api-event.ts';
import { receiveNotification } from '#test/support/worlds/handlers.ts';
import { merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import type { Sent } from '#test/support/worlds/live-steps.ts';
import type { LiveWorld } from '#test/support/worlds/live-world.ts';
import { LOOK_UP } from '#test/support/worlds/provider-calls.ts';
import { describeAtProviders, longTestOnceAt } from '#test/support/worlds/provider-scenes.ts';

openWorldForEachTest();

/** Calls the function that receives notifications, with any dependencies, as API Gateway would. Nothing consumes what it queues. */
const receive = async (deps: LiveWorld['deps'], provider: string, { headers, body }: Sent) => {
  const path = `/providers/${provider}/notifications`;
  const event = apiEvent({ method: 'POST', path, params: { provider }, headers, body });
  const answer = await receiveNotification(deps)(event, lambdaContext());
  return { status: answer.statusCode, json: JSON.parse(String(answer.body)) as Record<string, unknown> };
};

const expectNothingStored = async (): Promise<void> => {
  expect(await world.itemsOf('NTF')).toEqual([]);
  expect(await world.itemsOf('PAY')).toEqual([]);
  expect(await world.itemsOf('EVT')).toEqual([]);
};

test('copies of a signed notification of Korapay, changed where it is not signed, are no new notifications', async () => {
  const held = await world.holdNotifications('korapay');
  await merchant.paidAccount('korapay', 1_000_000);
  const [first] = await held.held();
  if (!first) throw new Error('The simulator has sent no notification.');
  const lookUps = world.countLookUps('korapay');
  const { event, data } = JSON.parse(first.body);
  const copies = [
    ...Array.from({ length: 50 }, (_, n) => JSON.stringify({ event, data, note: n })),
    ...Array.from({ length: 50 }, (_, n) => `{"event": "${event}",${' '.repeat(n)}"data":${JSON.stringify(data)}}`),
    ...Array.from({ length: 50 }, (_, n) => JSON.stringify({ event: `charge.${n}`, data })),
  ];
  // The first of them takes nothing from the original, which comes afterwards.
  const answers = await Promise.all(copies.toReversed().map((body) => world.notify('korapay', { ...first, body })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await world.notify('korapay', first)).status).toBe(200);
  expect(lookUps()).toBe(1);
  // One about money and one about nothing, as the name of the event is not signed.
  expect(await world.itemsOf('NTF')).toHaveLength(2);
  expect(await world.recordedAmounts()).toEqual([1_000_000]);
});

describeAtProviders('a notification from %s', (provider) => {
  const longTestOnce = longTestOnceAt(provider);
  /** A paid virtual account, and the notifications about it, which have not reached us. */
  const paidAccount = async (...amounts: readonly number[]) => {
    const { held } = await world.holdNotifications(provider);
    const account = await merchant.account(provider);
    for (const amount of amounts) await world.pay(provider, account.accountNumber, amount);
    const sent = await held();
    return { account, sent, first: sent[0] as Sent };
  };
  const expectOneLanding = async (id: string, amount: number): Promise<void> => {
    expect(await world.recorded()).toMatchObject([{ amount, outcome: 'accepted', owner: { id } }]);
    expect(await world.events()).toMatchObject([
      {
        type: 'virtual_account.payment_received',
        data: { payment: { amount: amount / 100, outcome: 'accepted' }, virtual_account: { id } },
      },
    ]);
    expect(await world.itemsOf('DLV#')).toHaveLength(1);
    expect(await world.unmatched()).toEqual([]);
    await world.expectBooksToAgree();
  };

  /** The one notification that was received is due no more. */
  const expectSettled = async (): Promise<void> => {
    // Reconciliation stores its own entries of what it could not look up; those have a query.
    const received = (await world.itemsOf('NTF')).filter(({ query }) => query === null);
    expect(received).toMatchObject([{ dueAt: null }]);
  };

  test('is stored as received, looked up once, and its money lands', async () => {
    const { account, first } = await paidAccount(250_075);
    const lookUps = world.countLookUps(provider);
    expect(await world.notify(provider, first)).toMatchObject({ status: 200, json: { status: true } });
    const [kept, ...more] = await world.itemsOf('NTF');
    expect(more).toEqual([]);
    expect(kept).toMatchObject({ provider, tries: 0, dueAt: null, receivedAt: world.clock.now() });
    expect(Buffer.from(String(kept?.raw), 'base64').toString()).toBe(first.body);
    expect(lookUps()).toBe(1);
    await expectOneLanding(account.id, 250_075);
    expect(await world.takeJobs()).toHaveLength(1);
  });

  test('is 500 when it could not be stored, and nothing is looked up', async () => {
    const { first } = await paidAccount(250_075);
    const lookUps = world.countLookUps(provider);
    const save = () => Promise.reject(new Error('The table is down.'));
    const deps = { ...world.deps, notifications: { ...world.deps.notifications, save } };
    expect((await receive(deps, provider, first)).status).toBe(500);
    expect(lookUps()).toBe(0);
    await expectNothingStored();
  });

  test('is stored with its due time and queued before it is answered, and nobody is asked', async () => {
    const { first } = await paidAccount(250_075);
    const lookUps = world.countLookUps(provider);
    expect((await receive(world.deps, provider, first)).status).toBe(200);
    const [kept] = await world.itemsOf('NTF');
    expect(kept).toMatchObject({ provider, tries: 0, dueAt: world.clock.now() + MINUTE, gsi2sk: expect.any(String) });
    expect(await world.takeTickets(provider)).toEqual([
      { family: 'payments', pk: kept?.pk, sk: kept?.sk, entry: kept?.gsi2sk },
    ]);
    expect(lookUps()).toBe(0);
  });

  test('is 200 although the queue takes nothing, and its money lands by the sweeper', async () => {
    const { account, first } = await paidAccount(250_075);
    const moneyQueue = { send: () => Promise.reject(new Error('The queue is down.')) };
    expect((await receive({ ...world.deps, moneyQueue }, provider, first)).status).toBe(200);
    expect(world.loggedTimes('work_not_queued')).toBe(1);
    await world.minutesPass(1, 1, world.withoutReconciliation());
    await expectOneLanding(account.id, 250_075);
    await expectSettled();
  });

  describe('that must be refused', () => {
    const withChangedByte = (body: string): string => {
      const at = body.indexOf('eference":"') + 'eference":"'.length;
      const bytes = Buffer.from(body);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      return bytes.toString();
    };
    const other = provider === 'monnify' ? 'paystack' : 'monnify';
    const emptied = ({ headers }: Sent) => Object.fromEntries(Object.keys(headers).map((name) => [name, '']));
    test.each<[string, (genuine: Sent) => Partial<Sent>]>([
      [
        'a signature under another secret',
        ({ body }) => world.signed(provider, JSON.parse(body), 'sk_live_of_somebody'),
      ],
      ['no signature', () => ({ headers: { 'content-type': 'application/json' } })],
      ['an empty signature', (genuine) => ({ headers: emptied(genuine) })],
      ['one byte that differs', ({ body }) => ({ body: withChangedByte(body) })],
      ['another provider’s signature', ({ body }) => ({ headers: world.signed(other, JSON.parse(body)).headers })],
    ])('is 401 with %s, and only counted', async (_, forge) => {
      const { first } = await paidAccount(250_075);
      const lookUps = world.countLookUps(provider);
      const answer = await world.notify(provider, { ...first, ...forge(first) });
      expect(answer).toMatchObject({ status: 401, json: { status: false, code: 'invalid_signature' } });
      expect(world.measuredSum('notifications_refused')).toBe(1);
      expect(lookUps()).toBe(0);
      await expectNothingStored();
    });

    test('is 413 over 64 KiB', async () => {
      const filling = 'x'.repeat(64 * 1024);
      const big = { event: 'charge.success', eventType: 'SUCCESSFUL_TRANSACTION', data: {}, filling };
      const answer = await world.notify(provider, world.signed(provider, big));
      expect(answer).toMatchObject({ status: 413, json: { code: 'payload_too_large' } });
      await expectNothingStored();
    });

    test('is 404 where the stage has not enabled its provider', async () => {
      const { first } = await paidAccount(250_075);
      const liveProviders = (name: ProviderName) => (name === provider ? undefined : world.deps.liveProviders(name));
      const answer = await receive({ ...world.deps, liveProviders }, provider, first);
      expect(answer).toMatchObject({ status: 404, json: { code: 'not_found' } });
      await expectNothingStored();
    });
  });

  test.each([2, 20])(
    'that comes %i times at once, and again days later, makes one payment and one event',
    async (times) => {
      const { account, first } = await paidAccount(1_000_000);
      const lookUps = world.countLookUps(provider);
      const answers = await Promise.all(Array.from({ length: times }, () => world.notify(provider, first)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(lookUps()).toBe(1);
      world.clock.advance(3 * DAY);
      expect((await world.notify(provider, first)).status).toBe(200);
      expect(lookUps()).toBe(1);
      await expectOneLanding(account.id, 1_000_000);
      expect(world.measuredSum('payments_not_notified')).toBe(0);
    },
  );

  test('that is repeated after its stored copy expired makes no second payment', async () => {
    const { account, first } = await paidAccount(1_000_000);
    await world.notify(provider, first);
    world.clock.advance(31 * DAY);
    for (const { pk, sk } of await world.itemsOf('NTF')) {
      await world.table.client.send(new DeleteCommand({ TableName: world.table.name, Key: { pk, sk } }));
    }
    expect((await world.notify(provider, first)).status).toBe(200);
    await expectOneLanding(account.id, 1_000_000);
  });

  test('of each of several payments, newest first, lands each once', async () => {
    const { account, sent } = await paidAccount(100_000, 200_050, 300_000);
    for (const one of [...sent].reverse()) expect((await world.notify(provider, one)).status).toBe(200);
    expect(await world.recordedAmounts()).toEqual([100_000, 200_050, 300_000]);
    expect(await world.eventsOf(account.id)).toHaveLength(3);
    await world.expectBooksToAgree();
  });

  /** A notification of the same transfer with other bytes, properly signed. */
  const variant = ({ body }: Sent, n: number): Sent => {
    const content = JSON.parse(body);
    const member = provider === 'monnify' ? 'eventData' : 'data';
    return world.signed(provider, { ...content, [member]: { ...content[member], note: `sent ${n} times` } });
  };

  test('of one transfer in four versions at once makes one payment', async () => {
    const { account, first } = await paidAccount(777_700);
    const ways = [first, variant(first, 2), variant(first, 3), variant(first, 4)];
    const answers = await Promise.all(ways.map((one) => world.notify(provider, one)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await world.itemsOf('NTF')).toHaveLength(4);
    await expectOneLanding(account.id, 777_700);
  });

  test('of one checkout payment, repeated and in three versions at once, pays the checkout once', async () => {
    const { held } = await world.holdNotifications(provider);
    const { reference } = await merchant.paidCheckout(provider);
    const [first] = (await held()) as [Sent];
    const ways = [first, first, variant(first, 2), variant(first, 3)];
    const answers = await Promise.all(ways.map((one) => world.notify(provider, one)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await world.recorded()).toHaveLength(1);
    expect(await world.eventsOf(reference)).toEqual(['checkout.paid']);
    expect(world.loggedTimes('work_failed')).toBe(0);
    await world.expectBooksToAgree();
  });

  test('is accepted under the previous secret during a rotation, and refused under a third', async () => {
    const { account, first } = await paidAccount(250_075);
    const variable = credentialsVariable(provider);
    const before = process.env[variable];
    const given = world.simulator.credentials[provider];
    const rotated = { ...given, secretKey: 'sk_live_brand_new', previousSecretKey: given.secretKey };
    process.env[variable] = JSON.stringify(rotated);
    world.clock.advance(6 * MINUTE);
    const forged = world.signed(provider, JSON.parse(first.body), 'sk_live_of_somebody');
    expect((await world.notify(provider, forged)).status).toBe(401);
    expect((await world.notify(provider, first)).status).toBe(200);
    expect(await world.itemsOf('NTF')).toHaveLength(1);
    const renewed = world.signed(provider, JSON.parse(variant(first, 2).body), 'sk_live_brand_new');
    expect((await world.notify(provider, renewed)).status).toBe(200);
    // The simulator knows only the previous secret, and refuses look-ups until it is restored.
    expect(await world.recorded()).toEqual([]);
    process.env[variable] = before;
    await world.minutesPass(12);
    await expectOneLanding(account.id, 250_075);
  });

  test('that comes before the account is written lands once the account exists', async () => {
    world.simulator.fault(provider, { kind: 'before_answer', times: 1 });
    const account = await merchant.account(provider);
    expect(world.loggedTimes('payment_unmatched')).toBe(1);
    await world.consumeMoney();
    await expectOneLanding(account.id, 500_000);
    await world.minutesPass(12);
    await expectOneLanding(account.id, 500_000);
  });

  test('that comes before the checkout is written lands once the checkout exists', async () => {
    world.simulator.fault(provider, { kind: 'before_answer', times: 1 });
    const { reference } = await merchant.checkout(provider);
    expect(world.loggedTimes('payment_unmatched')).toBe(1);
    await world.consumeMoney();
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', paid_amount: 8_500, version: 2 });
    expect(await world.eventsOf(reference)).toEqual(['checkout.paid']);
    await world.minutesPass(12);
    expect(await world.recorded()).toHaveLength(1);
    expect(await world.unmatched()).toEqual([]);
    await world.expectBooksToAgree();
  });

  longTestOnce('whose look-up fails for an hour is 200 all the time, and makes one payment in the end', async () => {
    const { account, first } = await paidAccount(250_075);
    world.simulator.fault(provider, { kind: 'server_fault', path: LOOK_UP[provider] });
    expect((await world.notify(provider, first)).status).toBe(200);
    for (let quarter = 0; quarter < 4; quarter += 1) {
      await world.minutesPass(15);
      expect((await world.notify(provider, first)).status).toBe(200);
    }
    expect(await world.recorded()).toEqual([]);
    expect(world.loggedTimes('look_up_failed')).toBeGreaterThan(3);
    expect(world.measuredSum('provider_failures')).toBeGreaterThan(3);
    world.simulator.fault(provider, null);
    // Tries are at most an hour apart.
    await world.minutesPass(60);
    await expectOneLanding(account.id, 250_075);
    await expectSettled();
  });

  test('whose payment the look-up does not know yet is looked up again', async () => {
    const { account, first } = await paidAccount(250_075);
    let asked = 0;
    const slow = world.scripted(provider, (real) => ({
      lookUp: async (query) => {
        asked += 1;
        return asked <= 2 ? 'unknown' : real.lookUp(query);
      },
      listPayments: async () => ({ payments: [], next: null }),
    }));
    expect((await receive(world.deps, provider, first)).status).toBe(200);
    await world.consumeMoney([provider], slow);
    expect(await world.recorded()).toEqual([]);
    expect(await world.itemsOf('NTF')).toMatchObject([{ tries: 1, dueAt: world.clock.now() + MINUTE }]);
    await world.minutesPass(4, 1, slow);
    expect(asked).toBe(3);
    await expectOneLanding(account.id, 250_075);
  });

  longTestOnce('whose look-up fails for 72 hours is asked about daily from then on', async () => {
    const { first } = await paidAccount(250_075);
    world.simulator.fault(provider, { kind: 'server_fault' });
    await world.notify(provider, first);
    const before = world.simulator.books.requests(provider);
    for (let hour = 0; hour < 71; hour += 1) await world.sweepAfter(HOUR);
    await world.minutesPass(180, 30);
    const [received] = (await world.itemsOf('NTF')).filter(({ query }) => query === null);
    expect(received?.dueAt).toBeGreaterThan(world.clock.now() + 20 * HOUR);
    expect(world.loggedTimes('notification_stuck')).toBe(1);
    // Each hour has one try of the notification and three passes of reconciliation at most, one call each while the breaker is open.
    expect(world.simulator.books.requests(provider) - before).toBeLessThan(5 * 74);
  });

  test('with a wrong amount lands the amount of the look-up', async () => {
    world.simulator.fault(provider, { kind: 'wrong_amount' });
    await merchant.paidAccount(provider, 123_456);
    const { reference } = await merchant.paidCheckout(provider);
    expect(await world.recordedAmounts()).toEqual([123_456, 850_000]);
    expect(await world.eventsOf(reference)).toEqual(['checkout.paid']);
    await world.expectBooksToAgree();
  });

  test('about anything but money is stored, and starts no look-up', async () => {
    const lookUps = world.countLookUps(provider);
    const content = { event: 'transfer.success', eventType: 'SETTLEMENT', data: { id: 1 }, eventData: { id: 1 } };
    expect((await world.notify(provider, world.signed(provider, content))).status).toBe(200);
    expect(lookUps()).toBe(0);
    await expectSettled();
    expect(await world.itemsOf('PAY')).toEqual([]);
  });
});

test('a notification of an unknown provider is 404', async () => {
  const sent = world.signed('paystack', { event: 'charge.success', data: { reference: 'ref-1' } });
  expect(await world.notify('flutterwave', sent)).toMatchObject({ status: 404, json: { code: 'not_found' } });
  await expectNothingStored();
});
