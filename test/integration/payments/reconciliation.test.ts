import { ulid } from 'ulid';
import { checkout } from '#shared/checkouts/domain/checkout.ts';
import { checkoutItem } from '#shared/checkouts/store/items.ts';
import { landMoney } from '#shared/payments/use-cases/land-money.ts';
import { matchWaiting } from '#shared/payments/use-cases/match-waiting.ts';
import { DAY, HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import { longTest, testRows } from '#test/support/jest/long.ts';
import { breakOpening } from '#test/support/worlds/live-faults.ts';
import {
  ASKED,
  merchant,
  newCustomer,
  openWorld,
  openWorldForEachTest,
  world,
} from '#test/support/worlds/live-merchant.ts';
import { LIST, LOOK_UP } from '#test/support/worlds/provider-calls.ts';
import { describeAtProviders, longTestOnceAt } from '#test/support/worlds/provider-scenes.ts';
import { makeCumulativeReport } from '#test/support/worlds/reports.ts';
import { putAll } from '#test/support/worlds/table.ts';

openWorldForEachTest();

/** Makes a fault strike only the n-th call from now on. */
const onlyCall = (number: number) => {
  let calls = 0;
  const random = (): number => {
    calls += 1;
    return calls === number ? 0 : 1;
  };
  return { probability: 0.5, random };
};

describeAtProviders('unmatched money at %s', (provider) => {
  const longTestOnce = longTestOnceAt(provider);
  /** Opens an account at the provider without us, under a reference in our form. */
  const unknownAccount = async (): Promise<{ id: string; accountNumber: string }> => {
    const id = `va_${ulid(world.clock.now())}`;
    const { accountNumber } = await world.provider(provider).createAccount(newCustomer(), id);
    return { id, accountNumber };
  };
  const payUnknownAccount = async (): Promise<string> =>
    (await world.pay(provider, (await unknownAccount()).accountNumber, 310_000)).transferId;

  longTestOnce('gets stored once, without an event, and matched again after 1, 5 and 60 minutes', async () => {
    const transferId = await payUnknownAccount();
    await world.simulator.resend(transferId);
    expect(await world.unmatched()).toMatchObject([{ provider, tries: 0, money: { amount: 310_000 } }]);
    expect(world.loggedTimes('payment_unmatched')).toBe(1);
    const tries = async () => (await world.unmatched()).map((item) => item.tries);
    for (const [minutes, each, tried] of [
      [1, 1, 1],
      [3, 1, 1],
      [1, 1, 2],
      [54, 6, 2],
      [1, 1, 3],
    ] as const) {
      await world.minutesPass(minutes, each);
      expect(await tries()).toEqual([tried]);
    }
    // Operators are alerted after the last try.
    expect(world.measuredSum('payments_unmatched')).toBe(1);
    await world.minutesPass(300, 60);
    expect(await tries()).toEqual([3]);
    expect(await world.deps.unmatched.oldest(10)).toMatchObject([{ provider, money: { amount: 310_000 } }]);
    expect(await world.recorded()).toEqual([]);
    expect(await world.itemsOf('EVT')).toEqual([]);
  });

  test('lands when its account is found, if the provider did not answer its creation', async () => {
    breakOpening(world, provider, 'accounts', { kind: 'lost_answer' });
    expect((await merchant.askForAccount(provider)).status).toBe(422);
    expect(await world.itemsOf('VA')).toContainEqual(expect.objectContaining({ status: 'pending' }));
    const accountNumber = world.simulator.books.accounts()[0]?.number ?? '';
    await world.pay(provider, accountNumber, 640_000);
    expect(await world.unmatched()).toHaveLength(1);
    await world.minutesPass(1);
    expect(await world.recorded()).toMatchObject([{ amount: 640_000, owner: { kind: 'virtual_account' } }]);
    expect((await world.events()).map(({ type }) => type).sort()).toEqual([
      'virtual_account.activated',
      'virtual_account.payment_received',
    ]);
    expect(await world.unmatched()).toEqual([]);
    await world.minutesPass(70, 10);
    expect(await world.recorded()).toHaveLength(1);
    await world.expectBooksToAgree();
  });

  test('leaves the list if the provider returns it, and an older report changes nothing', async () => {
    const transferId = await payUnknownAccount();
    const [kept] = await world.unmatched();
    if (!kept) throw new Error('It is not unmatched.');
    await world.simulator.reverse(provider, transferId);
    if (provider === 'paystack') {
      const data = { transaction_reference: kept.money.providerReference };
      await world.notify(provider, world.signed(provider, { event: 'refund.processed', data }));
    }
    await world.minutesPass(20, 10);
    const expectGone = async () => {
      expect(await world.unmatched()).toEqual([]);
      expect(await world.deps.unmatched.oldest(10)).toEqual([]);
      expect(await world.recorded()).toEqual([]);
    };
    await expectGone();
    const { money, askedAt } = kept;
    expect(await landMoney(world.deps, provider, money, { askedAt })).toBe('unmatched');
    await expectGone();
    // After the last try it is in no index, and it expires after a month.
    await world.minutesPass(120, 30);
    await expectGone();
    const [entry] = await world.itemsOf('PAY');
    expect(entry).toMatchObject({ money: { outcome: 'reversed' }, ttl: expect.any(Number) });
    expect(entry).not.toHaveProperty('gsi1pk');
    expect(entry).not.toHaveProperty('gsi2pk');
    expect(world.measuredSum('payments_unmatched')).toBe(0);
    expect(await world.itemsOf('EVT')).toEqual([]);
  });
});

test('an unmatched cumulative report that grew before its checkout existed counts once', async () => {
  const { reference } = await merchant.checkout('monnify');
  const { ledger } = world.deps;
  const noOwner: typeof ledger = {
    ...ledger,
    locate: async (...args) => ({ ...(await ledger.locate(...args)), tenant: undefined, owner: undefined }),
  };
  const noon = world.clock.now();
  // The reports were asked for one, five and three minutes after noon, and come in this order.
  for (const [amount, minutes] of [
    [200_000, 1],
    [850_000, 5],
    [350_000, 3],
  ] as const) {
    const askedAt = noon + minutes * MINUTE;
    const landed = landMoney({ ...world.deps, ledger: noOwner }, 'monnify', makeCumulativeReport(reference, amount), {
      askedAt,
    });
    expect(await landed).toBe('unmatched');
  }
  expect(await world.unmatched()).toMatchObject([{ money: { kept: 850_000 } }]);
  world.clock.advance(5 * MINUTE);
  const scripted = world.scripted('monnify', () => ({
    lookUp: async () => ({ money: [makeCumulativeReport(reference, 850_000)], state: 'complete' }),
  }));
  await matchWaiting(world.deps, [{ provider: 'monnify', reference, accountNumber: null }]);
  await world.consumeMoney(['monnify'], scripted);
  expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', paid_amount: 8_500 });
  expect(await world.unmatched()).toEqual([]);
  expect((await world.eventsOf(reference)).filter((type) => type === 'checkout.paid')).toHaveLength(1);
});

describeAtProviders('the expiry of a checkout at %s', (provider) => {
  const longTestOnce = longTestOnceAt(provider);
  const advanceTo = (at: number): void => world.clock.advance(at - world.clock.now());

  longTest(
    'leads to look-ups at the expiry and 5 and 60 minutes later; a reliable list makes the last one unnecessary',
    async () => {
      const { reference, expiresAt } = await merchant.checkout(provider);
      const lookUps = world.countLookUps(provider);
      const expected: readonly (readonly [string, number, readonly number[]])[] = [
        ['pending', 0, [-1]],
        ['pending', 1, [0, 1, 4]],
        ['expired', 2, [5, 6, 30, 59]],
        ['expired', provider === 'paystack' ? 2 : 3, [60, 61, 120, 600]],
      ];
      for (const [status, calls, minutes] of expected) {
        for (const minute of minutes) {
          advanceTo(expiresAt + minute * MINUTE);
          await world.sweep();
          expect([minute, lookUps(), await merchant.statusOf(reference)]).toEqual([minute, calls, status]);
        }
      }
      expect(await world.eventsOf(reference)).toEqual(['checkout.expired']);
      await world.expectBooksToAgree();
    },
  );

  testRows([0, 5, 60])('finds a payment without a notification %i minutes after the expiry', async (minute) => {
    world.simulator.fault(provider, { kind: 'lost' });
    // The list fails, so that only the look-ups can find the payment.
    world.simulator.fault(provider, { kind: 'server_fault', path: LIST[provider] });
    const { reference, expiresAt, accountNumber } = await merchant.checkout(provider);
    for (const earlier of [0, 5].filter((time) => time < minute)) {
      advanceTo(expiresAt + earlier * MINUTE);
      await world.sweep();
    }
    await world.pay(provider, accountNumber, ASKED, { paidAt: expiresAt - MINUTE });
    advanceTo(expiresAt + minute * MINUTE);
    await world.sweep();
    expect(await merchant.statusOf(reference)).toBe('paid');
    expect(await world.eventsOf(reference)).toEqual(
      minute === 60 ? ['checkout.expired', 'checkout.paid'] : ['checkout.paid'],
    );
    await world.expectBooksToAgree();
  });

  /** Writes one checkout that the provider knows, and copies of it, which saves API calls. */
  const manyCheckouts = async (count: number): Promise<void> => {
    await merchant.checkout(provider);
    const first = checkout.parse((await world.itemsOf('CHK'))[0]);
    const copies = Array.from({ length: count - 1 }, (_, n) =>
      checkoutItem(world.table, { ...first, reference: `PAY-${String(n).padStart(20, '0')}` }),
    );
    await putAll(world.table, copies);
  };
  const DUE = 120;
  longTestOnce(`waits while the provider is down, without a flood of look-ups of ${DUE} checkouts`, async () => {
    await manyCheckouts(DUE);
    const statuses = async () => (await world.itemsOf('CHK')).map(({ status }) => status);
    world.simulator.fault(provider, { kind: 'server_fault' });
    const before = world.simulator.books.requests(provider);
    world.clock.advance(HOUR);
    for (let minute = 0; minute < 4; minute += 1) {
      await world.sweep();
      world.clock.advance(MINUTE);
    }
    expect(new Set(await statuses())).toEqual(new Set(['pending']));
    expect(await world.itemsOf('EVT')).toEqual([]);
    // Only the calls under way when the breaker opened, and then one probe a minute.
    expect(world.simulator.books.requests(provider) - before).toBeLessThan(25);
    expect(world.simulator.books.maxConcurrent(provider)).toBeLessThanOrEqual(8);
    expect(world.measuredSum('provider_failures')).toBeGreaterThanOrEqual(DUE);
    world.simulator.fault(provider, null);
    // Each checkout is looked up again after at most half an hour.
    for (let waited = 0; waited < 40; waited += 10) {
      await world.sweep();
      world.clock.advance(10 * MINUTE);
    }
    expect(await statuses()).toHaveLength(DUE);
    expect(new Set(await statuses())).toEqual(new Set(['expired']));
    expect(await world.itemsOf('EVT')).toHaveLength(DUE);
  });

  testRows([
    ['the amount of the second', 850_000],
    ['another amount', 640_000],
  ])('credits late money on a recycled number to no wrong checkout: %s', async (_, amount) => {
    await world.stop();
    await openWorld({ recycleNumbers: true });
    const first = await merchant.checkout(provider, { amount: amount / 100 });
    await world.minutesPass(50, 10);
    expect(await merchant.statusOf(first.reference)).toBe('expired');
    const second = await merchant.checkout(provider);
    expect(second.accountNumber).toBe(first.accountNumber);
    await world.pay(provider, first.accountNumber, amount);
    await world.minutesPass(120, 10);
    expect(await merchant.fetch(first.reference)).toMatchObject({ status: 'expired', paid_amount: 0 });
    expect((await merchant.fetch(second.reference)).paid_amount).toBe(
      world.simulator.books.keptFor(second.reference) / 100,
    );
    await world.expectBooksToAgree();
  });
});

describeAtProviders('reconciliation with %s', (provider) => {
  const longTestOnce = longTestOnceAt(provider);
  const PAGE = { paystack: 100, monnify: 100, korapay: 50 }[provider];
  const payMany = async (accountNumber: string, count: number): Promise<void> => {
    for (let n = 1; n <= count; n += 1) {
      await world.simulator.pay({ provider, accountNumber, amount: 10_000 + n, senderName: 'Funke Adeyemi' });
    }
    await world.simulator.settled();
  };
  const expectEachOnce = async (id: string, count: number): Promise<void> => {
    const amounts = (await world.recorded()).map(({ amount }) => amount);
    expect(amounts).toHaveLength(count);
    expect(new Set(amounts).size).toBe(count);
    expect(await world.eventsOf(id)).toHaveLength(count);
    await world.expectBooksToAgree();
  };
  /** Opens an account whose notifications get lost, and lets the first reconciliation run. */
  const accountWithoutNotifications = async () => {
    world.simulator.fault(provider, { kind: 'lost' });
    const account = await merchant.account(provider);
    await world.sweep();
    return account;
  };
  /** Makes `count` payments without notifications. Returns the account's id. */
  const paidUnnotified = async (count: number): Promise<string> => {
    const { id, accountNumber } = await accountWithoutNotifications();
    await payMany(accountNumber, count);
    return id;
  };

  longTest('finds every payment with a lost notification once, over more than a page, within 20 minutes', async () => {
    const id = await paidUnnotified(PAGE + 12);
    const lists = world.countLists(provider);
    await world.minutesPass(20, 2);
    expect(lists()).toBeGreaterThanOrEqual(2);
    await expectEachOnce(id, PAGE + 12);
    // This metric alerts operators that notifications do not come. No stranger can raise it.
    expect(world.measuredSum('payments_not_notified')).toBe(PAGE + 12);
  });

  test('covers a week on its first run: it reverses a payment of six days ago that was returned silently', async () => {
    await world.stop();
    await openWorld({ isNew: true });
    const { accountNumber } = await merchant.account(provider);
    const paidAt = world.clock.now() - 6 * DAY;
    const { transferId } = await world.pay(provider, accountNumber, 640_000, { paidAt });
    expect(await world.recorded()).toMatchObject([{ amount: 640_000, outcome: 'accepted' }]);
    await world.simulator.reverse(provider, transferId, false);
    await world.sweep();
    expect(await world.recorded()).toMatchObject([{ amount: 640_000, outcome: 'reversed' }]);
    await world.expectBooksToAgree();
  });

  test('lands payments once when the list names them twice', async () => {
    const id = await paidUnnotified(12);
    const doubling = world.scripted(provider, (real) => ({
      listPayments: async (span) => {
        const page = await real.listPayments(span);
        return { ...page, payments: page.payments.flatMap((payment) => [payment, payment]) };
      },
    }));
    await world.minutesPass(20, 10, doubling);
    expect(world.loggedTimes('work_failed')).toBe(0);
    await expectEachOnce(id, 12);
  });

  test('looks a listed payment up again if the look-up does not know it yet', async () => {
    const id = await paidUnnotified(2);
    const forgetful = world.scripted(provider, () => ({ lookUp: async () => 'unknown' }));
    await world.minutesPass(10, 10, forgetful);
    expect(await world.recorded()).toEqual([]);
    // The list fails, so that it cannot name the payment a second time.
    world.simulator.fault(provider, { kind: 'server_fault', path: LIST[provider] });
    await world.minutesPass(1);
    await expectEachOnce(id, 2);
  });

  test('does not look up recorded payments', async () => {
    const { id, accountNumber } = await merchant.account(provider);
    const lookUps = world.countLookUps(provider);
    await payMany(accountNumber, 5);
    expect(lookUps()).toBe(5);
    await world.minutesPass(60, 10);
    expect(lookUps()).toBe(5);
    await expectEachOnce(id, 5);
  });

  longTestOnce('catches up after a pause of three days', async () => {
    const { id, accountNumber } = await accountWithoutNotifications();
    for (let n = 1; n <= 36; n += 1) {
      world.clock.advance(2 * HOUR);
      await world.simulator.pay({ provider, accountNumber, amount: 10_000 + n });
    }
    expect(world.clock.now()).toBe(Date.UTC(2026, 10, 20, 12) + 3 * DAY);
    await world.minutesPass(20, 10);
    await expectEachOnce(id, 36);
  });

  longTestOnce('continues at the second page after that page failed', async () => {
    const id = await paidUnnotified(PAGE + 12);
    world.simulator.fault(provider, { kind: 'server_fault', path: LIST[provider], ...onlyCall(2) });
    const lists = world.countLists(provider);
    world.clock.advance(10 * MINUTE);
    await world.sweep();
    expect(await world.recorded()).not.toHaveLength(PAGE + 12);
    const progress = (await world.itemsOf('RECON')).find(
      (item) => item.provider === provider && item.pass === 'recent',
    );
    expect(progress?.cursor).not.toBeNull();
    const [before, recorded] = [lists(), (await world.recorded()).length];
    expect(recorded).toBeGreaterThan(0);
    await world.minutesPass(1);
    // The first page is not asked for again.
    expect(lists() - before).toBe(1);
    await world.minutesPass(20, 10);
    await expectEachOnce(id, PAGE + 12);
  });

  test('continues after a run that died in the middle of a page, without landing anything twice', async () => {
    const id = await paidUnnotified(20);
    world.clock.advance(10 * MINUTE);
    let started = 0;
    let finished = 0;
    const ledger: typeof world.deps.ledger = {
      ...world.deps.ledger,
      record: async (entry) => {
        started += 1;
        // The call never continues, as in a function that was killed.
        if (started > 7) return new Promise(() => {});
        const outcome = await world.deps.ledger.record(entry);
        finished += 1;
        return outcome;
      },
    };
    const dying = world.sweep({ ledger });
    // Several landings run in parallel, so the eighth may start before the seventh is written.
    while (started <= 7 || finished < 7) await new Promise((resolve) => setImmediate(resolve));
    expect(await world.recorded()).toHaveLength(7);
    await world.minutesPass(1);
    await expectEachOnce(id, 20);
    expect(await Promise.race([dying.then(() => 'ended'), Promise.resolve('dead')])).toBe('dead');
  });

  longTestOnce('lands each payment once when three runs overlap', async () => {
    const id = await paidUnnotified(20);
    world.clock.advance(10 * MINUTE);
    await Promise.all([world.sweep(), world.sweep(), world.sweep()]);
    await world.minutesPass(10);
    await expectEachOnce(id, 20);
  });

  longTestOnce('finds payments whose look-ups failed for three hours while lists were answered', async () => {
    const id = await paidUnnotified(3);
    world.simulator.fault(provider, { kind: 'server_fault', path: LOOK_UP[provider] });
    await world.minutesPass(180, 10);
    expect(await world.recorded()).toEqual([]);
    world.simulator.fault(provider, null);
    await world.minutesPass(30, 10);
    await expectEachOnce(id, 3);
  });
});
