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

/** Calls the function that receives notifications, as API Gateway does. No consumer handles the queued work. */
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

test('copies of Korapay’s notification with other unsigned parts are not new notifications', async () => {
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
  // The copies come first, and do not prevent the original from landing.
  const answers = await Promise.all(copies.toReversed().map((body) => world.notify('korapay', { ...first, body })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await world.notify('korapay', first)).status).toBe(200);
  expect(lookUps()).toBe(1);
  // One notification is about money. Copies with an unknown event name, which is not signed, make the other: it is about no money.
  expect(await world.itemsOf('NTF')).toHaveLength(2);
  expect(await world.recordedAmounts()).toEqual([1_000_000]);
});

describeAtProviders('a notification from %s', (provider) => {
  const longTestOnce = longTestOnceAt(provider);
  /** Pays into a virtual account, and holds the notifications back. */
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

  /** Expects that the received notification is no longer due. */
  const expectSettled = async (): Promise<void> => {
    // Entries of reconciliation have a query.
    const received = (await world.itemsOf('NTF')).filter(({ query }) => query === null);
    expect(received).toMatchObject([{ dueAt: null }]);
  };

  test('gets stored as received and looked up once, and its money lands', async () => {
    const { account, first } = await paidAccount(250_075);
    const lookUps = world.countLookUps(provider);
    expect(await world.notify(provider, first)).toMatchObject({ status: 200, json: { status: true } });
    const [stored, ...more] = await world.itemsOf('NTF');
    expect(more).toEqual([]);
    expect(stored).toMatchObject({ provider, tries: 0, dueAt: null, receivedAt: world.clock.now() });
    expect(Buffer.from(String(stored?.raw), 'base64').toString()).toBe(first.body);
    expect(lookUps()).toBe(1);
    await expectOneLanding(account.id, 250_075);
    expect(await world.takeJobs()).toHaveLength(1);
  });

  test('gets a 500 if it cannot be stored, and nothing is looked up', async () => {
    const { first } = await paidAccount(250_075);
    const lookUps = world.countLookUps(provider);
    const save = () => Promise.reject(new Error('The table is down.'));
    const deps = { ...world.deps, notifications: { ...world.deps.notifications, save } };
    expect((await receive(deps, provider, first)).status).toBe(500);
    expect(lookUps()).toBe(0);
    await expectNothingStored();
  });

  test('gets stored with its due time and queued before the answer, and no provider is asked', async () => {
    const { first } = await paidAccount(250_075);
    const lookUps = world.countLookUps(provider);
    expect((await receive(world.deps, provider, first)).status).toBe(200);
    const [stored] = await world.itemsOf('NTF');
    expect(stored).toMatchObject({ provider, tries: 0, dueAt: world.clock.now() + MINUTE, gsi2sk: expect.any(String) });
    expect(await world.takeTickets(provider)).toEqual([
      { family: 'payments', pk: stored?.pk, sk: stored?.sk, entry: stored?.gsi2sk },
    ]);
    expect(lookUps()).toBe(0);
  });

  test('gets a 200 even if the queue takes nothing, and its money lands by the sweeper', async () => {
    const { account, first } = await paidAccount(250_075);
    const moneyQueue = { send: () => Promise.reject(new Error('The queue is down.')) };
    expect((await receive({ ...world.deps, moneyQueue }, provider, first)).status).toBe(200);
    expect(world.loggedTimes('work_not_queued')).toBe(1);
    await world.minutesPass(1, 1, world.withoutReconciliation());
    await expectOneLanding(account.id, 250_075);
    await expectSettled();
  });

  describe('that is refused', () => {
    const withChangedByte = (body: string): string => {
      const at = body.indexOf('eference":"') + 'eference":"'.length;
      const bytes = Buffer.from(body);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      return bytes.toString();
    };
    const other = provider === 'monnify' ? 'paystack' : 'monnify';
    const withEmptyHeaders = ({ headers }: Sent) => Object.fromEntries(Object.keys(headers).map((name) => [name, '']));
    test.each<[string, (genuine: Sent) => Partial<Sent>]>([
      [
        'a signature under another secret',
        ({ body }) => world.signed(provider, JSON.parse(body), 'sk_live_of_somebody'),
      ],
      ['no signature', () => ({ headers: { 'content-type': 'application/json' } })],
      ['an empty signature', (genuine) => ({ headers: withEmptyHeaders(genuine) })],
      ['one byte that differs', ({ body }) => ({ body: withChangedByte(body) })],
      ['another provider’s signature', ({ body }) => ({ headers: world.signed(other, JSON.parse(body)).headers })],
    ])('gets a 401 for %s, and is only counted', async (_, forge) => {
      const { first } = await paidAccount(250_075);
      const lookUps = world.countLookUps(provider);
      const answer = await world.notify(provider, { ...first, ...forge(first) });
      expect(answer).toMatchObject({ status: 401, json: { status: false, code: 'invalid_signature' } });
      expect(world.measuredSum('notifications_refused')).toBe(1);
      expect(lookUps()).toBe(0);
      await expectNothingStored();
    });

    test('gets a 413 if it is larger than 64 KiB', async () => {
      const filling = 'x'.repeat(64 * 1024);
      const big = { event: 'charge.success', eventType: 'SUCCESSFUL_TRANSACTION', data: {}, filling };
      const answer = await world.notify(provider, world.signed(provider, big));
      expect(answer).toMatchObject({ status: 413, json: { code: 'payload_too_large' } });
      await expectNothingStored();
    });

    test('gets a 404 if the stage has not enabled its provider', async () => {
      const { first } = await paidAccount(250_075);
      const liveProviders = (name: ProviderName) => (name === provider ? undefined : world.deps.liveProviders(name));
      const answer = await receive({ ...world.deps, liveProviders }, provider, first);
      expect(answer).toMatchObject({ status: 404, json: { code: 'not_found' } });
      await expectNothingStored();
    });
  });

  test.each([2, 20])(
    'makes one payment and one event if it comes %i times at once, and again days later',
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

  test('makes no second payment if it is repeated after its stored copy expired', async () => {
    const { account, first } = await paidAccount(1_000_000);
    await world.notify(provider, first);
    world.clock.advance(31 * DAY);
    for (const { pk, sk } of await world.itemsOf('NTF')) {
      await world.table.client.send(new DeleteCommand({ TableName: world.table.name, Key: { pk, sk } }));
    }
    expect((await world.notify(provider, first)).status).toBe(200);
    await expectOneLanding(account.id, 1_000_000);
  });

  test('lands each of several payments once if the newest comes first', async () => {
    const { account, sent } = await paidAccount(100_000, 200_050, 300_000);
    for (const notification of [...sent].reverse())
      expect((await world.notify(provider, notification)).status).toBe(200);
    expect(await world.recordedAmounts()).toEqual([100_000, 200_050, 300_000]);
    expect(await world.eventsOf(account.id)).toHaveLength(3);
    await world.expectBooksToAgree();
  });

  /** Builds a correctly signed notification of the same transfer with other bytes. */
  const variant = ({ body }: Sent, n: number): Sent => {
    const content = JSON.parse(body);
    const member = provider === 'monnify' ? 'eventData' : 'data';
    return world.signed(provider, { ...content, [member]: { ...content[member], note: `sent ${n} times` } });
  };

  test('makes one payment if it comes in four versions at once', async () => {
    const { account, first } = await paidAccount(777_700);
    const versions = [first, variant(first, 2), variant(first, 3), variant(first, 4)];
    const answers = await Promise.all(versions.map((sent) => world.notify(provider, sent)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await world.itemsOf('NTF')).toHaveLength(4);
    await expectOneLanding(account.id, 777_700);
  });

  test('pays a checkout once if it is repeated and comes in three versions at once', async () => {
    const { held } = await world.holdNotifications(provider);
    const { reference } = await merchant.paidCheckout(provider);
    const [first] = (await held()) as [Sent];
    const versions = [first, first, variant(first, 2), variant(first, 3)];
    const answers = await Promise.all(versions.map((sent) => world.notify(provider, sent)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await world.recorded()).toHaveLength(1);
    expect(await world.eventsOf(reference)).toEqual(['checkout.paid']);
    expect(world.loggedTimes('work_failed')).toBe(0);
    await world.expectBooksToAgree();
  });

  test('gets accepted under the previous secret during a rotation, and refused under a third secret', async () => {
    const { account, first } = await paidAccount(250_075);
    const variable = credentialsVariable(provider);
    const before = process.env[variable];
    const current = world.simulator.credentials[provider];
    const rotated = { ...current, secretKey: 'sk_live_brand_new', previousSecretKey: current.secretKey };
    process.env[variable] = JSON.stringify(rotated);
    world.clock.advance(6 * MINUTE);
    const forged = world.signed(provider, JSON.parse(first.body), 'sk_live_of_somebody');
    expect((await world.notify(provider, forged)).status).toBe(401);
    expect((await world.notify(provider, first)).status).toBe(200);
    expect(await world.itemsOf('NTF')).toHaveLength(1);
    const renewed = world.signed(provider, JSON.parse(variant(first, 2).body), 'sk_live_brand_new');
    expect((await world.notify(provider, renewed)).status).toBe(200);
    // The simulator knows only the previous secret, and rejects look-ups until it is restored.
    expect(await world.recorded()).toEqual([]);
    process.env[variable] = before;
    await world.minutesPass(12);
    await expectOneLanding(account.id, 250_075);
  });

  test('lands after its account is written if it comes before that write', async () => {
    world.simulator.fault(provider, { kind: 'before_answer', times: 1 });
    const account = await merchant.account(provider);
    expect(world.loggedTimes('payment_unmatched')).toBe(1);
    await world.consumeMoney();
    await expectOneLanding(account.id, 500_000);
    await world.minutesPass(12);
    await expectOneLanding(account.id, 500_000);
  });

  test('lands after its checkout is written if it comes before that write', async () => {
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

  longTestOnce(
    'gets a 200 each time while its look-up fails for an hour, and makes one payment in the end',
    async () => {
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
    },
  );

  test('gets looked up again if the provider does not know its payment yet', async () => {
    const { account, first } = await paidAccount(250_075);
    let lookUps = 0;
    const slow = world.scripted(provider, (real) => ({
      lookUp: async (query) => {
        lookUps += 1;
        return lookUps <= 2 ? 'unknown' : real.lookUp(query);
      },
      listPayments: async () => ({ payments: [], next: null }),
    }));
    expect((await receive(world.deps, provider, first)).status).toBe(200);
    await world.consumeMoney([provider], slow);
    expect(await world.recorded()).toEqual([]);
    expect(await world.itemsOf('NTF')).toMatchObject([{ tries: 1, dueAt: world.clock.now() + MINUTE }]);
    await world.minutesPass(4, 1, slow);
    expect(lookUps).toBe(3);
    await expectOneLanding(account.id, 250_075);
  });

  longTestOnce('gets looked up daily after its look-ups failed for 72 hours', async () => {
    const { first } = await paidAccount(250_075);
    world.simulator.fault(provider, { kind: 'server_fault' });
    await world.notify(provider, first);
    const before = world.simulator.books.requests(provider);
    for (let hour = 0; hour < 71; hour += 1) await world.sweepAfter(HOUR);
    await world.minutesPass(180, 30);
    const [received] = (await world.itemsOf('NTF')).filter(({ query }) => query === null);
    expect(received?.dueAt).toBeGreaterThan(world.clock.now() + 20 * HOUR);
    expect(world.loggedTimes('notification_stuck')).toBe(1);
    // Each hour has at most one try of the notification and three passes of reconciliation. Each makes one call while the breaker is open.
    expect(world.simulator.books.requests(provider) - before).toBeLessThan(5 * 74);
  });

  test('lands the amount of the look-up, even if its own amount is wrong', async () => {
    world.simulator.fault(provider, { kind: 'wrong_amount' });
    await merchant.paidAccount(provider, 123_456);
    const { reference } = await merchant.paidCheckout(provider);
    expect(await world.recordedAmounts()).toEqual([123_456, 850_000]);
    expect(await world.eventsOf(reference)).toEqual(['checkout.paid']);
    await world.expectBooksToAgree();
  });

  test('gets stored without a look-up if it is not about money', async () => {
    const lookUps = world.countLookUps(provider);
    const content = { event: 'transfer.success', eventType: 'SETTLEMENT', data: { id: 1 }, eventData: { id: 1 } };
    expect((await world.notify(provider, world.signed(provider, content))).status).toBe(200);
    expect(lookUps()).toBe(0);
    await expectSettled();
    expect(await world.itemsOf('PAY')).toEqual([]);
  });
});

test('a notification of an unknown provider gets a 404', async () => {
  const sent = world.signed('paystack', { event: 'charge.success', data: { reference: 'ref-1' } });
  expect(await world.notify('flutterwave', sent)).toMatchObject({ status: 404, json: { code: 'not_found' } });
  await expectNothingStored();
});
