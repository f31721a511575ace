import { ulid } from 'ulid';
import { checkoutItem } from '#shared/adapters/dynamodb/checkouts/items.ts';
import { checkout } from '#shared/domain/checkouts/checkout.ts';
import { kobo } from '#shared/domain/kernel/money.ts';
import { DAY, HOUR, MINUTE } from '#shared/domain/kernel/time.ts';
import type { ReportedMoney } from '#shared/domain/money/report.ts';
import { landMoney } from '#shared/use-cases/money/land-money.ts';
import { matchWaiting } from '#shared/use-cases/money/match-waiting.ts';
import { sweepDueWork } from '#test/support/worlds/functions.ts';
import { merchant, openWorld, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import {
  announcedEvents,
  countCalls,
  eventTypesOf,
  expectBooksToAgree,
  LIST,
  LOOK_UP,
  loggedTimes,
  measuredSum,
  minutesPass,
  newCustomer,
  notify,
  recorded,
  signed,
  unmatched,
  withScriptedProvider,
} from '#test/support/worlds/live-steps.ts';
import { describeAtProviders } from '#test/support/worlds/provider-scenes.ts';
import { putAll } from '#test/support/worlds/table.ts';

openWorldForEachTest();

const ASKED = 850_000;

const statusOf = async (reference: string): Promise<string> => (await merchant.api.verify(reference)).json.data.status;
const sweepOnce = (deps = world.deps): Promise<void> => sweepDueWork(deps, world.clock.now() + 30_000);

/** Makes a fault strike only the call of this number, counted from now on. */
const onlyCall = (number: number) => {
  let calls = 0;
  const random = (): number => {
    calls += 1;
    return calls === number ? 0 : 1;
  };
  return { probability: 0.5, random };
};

describeAtProviders('unmatched money at %s', (provider) => {
  /** An account that was opened at the provider without us, under a reference in our form. */
  const unknownAccount = async (): Promise<{ id: string; accountNumber: string }> => {
    const id = `va_${ulid(world.clock.now())}`;
    const { name, email, phone, digits } = newCustomer();
    const account = await world.deps
      .liveProviders(provider)
      ?.createAccount({ name, email, phone, bvn: digits, nin: digits }, id);
    return { id, accountNumber: account?.accountNumber ?? '' };
  };
  const payUnknownAccount = async (): Promise<string> => {
    const { accountNumber } = await unknownAccount();
    const { transferId } = await world.twin.pay({ provider, accountNumber, amount: 310_000 });
    await world.twin.settled();
    return transferId;
  };

  test('is stored once, without an event, and matched again after 1, 5 and 60 minutes', async () => {
    const transferId = await payUnknownAccount();
    await world.twin.resend(transferId);
    expect(await unmatched(world)).toMatchObject([{ provider, tries: 0, money: { amount: 310_000 } }]);
    expect(loggedTimes(world, 'payment_unmatched')).toBe(1);
    const tries = async () => (await unmatched(world)).map((item) => item.tries);
    await minutesPass(world, 1);
    expect(await tries()).toEqual([1]);
    await minutesPass(world, 3);
    expect(await tries()).toEqual([1]);
    await minutesPass(world, 1);
    expect(await tries()).toEqual([2]);
    await minutesPass(world, 54, 6);
    expect(await tries()).toEqual([2]);
    await minutesPass(world, 1);
    expect(await tries()).toEqual([3]);
    // Operators are alerted once no further try is due.
    expect(measuredSum(world, 'payments_unmatched')).toBe(1);
    await minutesPass(world, 300, 60);
    expect(await tries()).toEqual([3]);
    expect(await world.deps.unmatched.oldest(10)).toMatchObject([{ provider, money: { amount: 310_000 } }]);
    expect(await recorded(world)).toEqual([]);
    expect(await world.itemsOf('EVT')).toEqual([]);
  });

  test('lands once its account, whose creation was not answered, is found', async () => {
    const opening = {
      paystack: /^\/dedicated_account$/,
      monnify: /reserved-accounts$/,
      korapay: /^\/virtual-bank-account$/,
    };
    // Paystack asks for the list of accounts under the same path first.
    const scope = onlyCall(provider === 'paystack' ? 2 : 1);
    world.twin.fault(provider, { kind: 'lost_answer', path: opening[provider], ...scope });
    expect((await merchant.askForAccount(provider)).status).toBe(422);
    expect(await world.itemsOf('VA')).toContainEqual(expect.objectContaining({ status: 'pending' }));
    const accountNumber = world.twin.books.accounts()[0]?.number ?? '';
    await world.twin.pay({ provider, accountNumber, amount: 640_000 });
    await world.twin.settled();
    expect(await unmatched(world)).toHaveLength(1);
    await minutesPass(world, 1);
    expect(await recorded(world)).toMatchObject([{ amount: 640_000, owner: { kind: 'virtual_account' } }]);
    expect((await announcedEvents(world)).map(({ type }) => type).sort()).toEqual([
      'virtual_account.activated',
      'virtual_account.payment_received',
    ]);
    expect(await unmatched(world)).toEqual([]);
    await minutesPass(world, 70, 10);
    expect(await recorded(world)).toHaveLength(1);
    await expectBooksToAgree(world);
  });

  test('that the provider returns leaves the list, and an older report of it changes nothing', async () => {
    const transferId = await payUnknownAccount();
    const [kept] = await unmatched(world);
    if (!kept) throw new Error('It is not unmatched.');
    await world.twin.reverse(provider, transferId);
    if (provider === 'paystack') {
      const data = { transaction_reference: kept.money.providerReference };
      await notify(world, provider, signed(world, provider, { event: 'refund.processed', data }));
    }
    await minutesPass(world, 20, 10);
    const expectGone = async () => {
      expect(await unmatched(world)).toEqual([]);
      expect(await world.deps.unmatched.oldest(10)).toEqual([]);
      expect(await recorded(world)).toEqual([]);
    };
    await expectGone();
    const { money, askedAt } = kept;
    expect(await landMoney(world.deps, provider, money, { askedAt })).toBe('unmatched');
    await expectGone();
    // Once no try is due, it is in no index, and it expires after a month.
    await minutesPass(world, 120, 30);
    await expectGone();
    const [entry] = await world.itemsOf('PAY');
    expect(entry).toMatchObject({ money: { outcome: 'reversed' }, ttl: expect.any(Number) });
    expect(entry).not.toHaveProperty('gsi1pk');
    expect(entry).not.toHaveProperty('gsi2pk');
    expect(measuredSum(world, 'payments_unmatched')).toBe(0);
    expect(await world.itemsOf('EVT')).toEqual([]);
  });
});

test('an unmatched running total that grew before its checkout existed counts once', async () => {
  const { reference } = await merchant.checkout('monnify');
  const total = (amount: number): ReportedMoney => ({
    kind: 'running_total',
    providerReference: 'MNFY|04|20261120130000|000001',
    payee: { by: 'our_reference', reference },
    kept: kobo.parse(amount),
    returned: kobo.parse(0),
    fee: kobo.parse(0),
    paidAt: world.clock.now(),
    senderName: null,
    senderBank: null,
  });
  const { ledger } = world.deps;
  const noOwner: typeof ledger = {
    ...ledger,
    locate: async (...asked) => ({ ...(await ledger.locate(...asked)), tenant: undefined, owner: undefined }),
  };
  const noon = world.clock.now();
  // Answers from one and from five minutes later, and then one from between them.
  for (const [amount, minutes] of [
    [200_000, 1],
    [850_000, 5],
    [350_000, 3],
  ] as const) {
    const askedAt = noon + minutes * MINUTE;
    expect(await landMoney({ ...world.deps, ledger: noOwner }, 'monnify', total(amount), { askedAt })).toBe(
      'unmatched',
    );
  }
  expect(await unmatched(world)).toMatchObject([{ money: { kept: 850_000 } }]);
  world.clock.advance(5 * MINUTE);
  const { deps } = withScriptedProvider(world, 'monnify', () => ({
    lookUp: async () => ({ money: [total(850_000)], state: 'complete' }),
  }));
  await matchWaiting(deps, [{ provider: 'monnify', reference, accountNumber: null }]);
  expect((await merchant.api.verify(reference)).json.data).toMatchObject({ status: 'paid', paid_amount: 8_500 });
  expect(await unmatched(world)).toEqual([]);
  expect((await eventTypesOf(world, reference)).filter((type) => type === 'checkout.paid')).toHaveLength(1);
});

describeAtProviders('the expiry of a checkout at %s', (provider) => {
  const advanceTo = (at: number): void => world.clock.advance(at - world.clock.now());

  test('leads to three look-ups, at the expiry and 5 and 60 minutes after, and to no more', async () => {
    const { reference, expires_at } = await merchant.checkout(provider);
    const expiresAt = Date.parse(expires_at);
    const lookUps = countCalls(world.twin, provider, LOOK_UP[provider]);
    const seen: (readonly [number, number, string])[] = [];
    for (const minute of [-1, 0, 1, 4, 5, 6, 30, 59, 60, 61, 120, 600]) {
      advanceTo(expiresAt + minute * MINUTE);
      await sweepOnce();
      seen.push([minute, lookUps(), await statusOf(reference)]);
    }
    expect(seen).toEqual([
      [-1, 0, 'pending'],
      [0, 1, 'pending'],
      [1, 1, 'pending'],
      [4, 1, 'pending'],
      [5, 2, 'expired'],
      [6, 2, 'expired'],
      [30, 2, 'expired'],
      [59, 2, 'expired'],
      [60, 3, 'expired'],
      [61, 3, 'expired'],
      [120, 3, 'expired'],
      [600, 3, 'expired'],
    ]);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.expired']);
    await expectBooksToAgree(world);
  });

  test.each([0, 5, 60])('finds a payment without a notification %i minutes after the expiry', async (minute) => {
    world.twin.fault(provider, { kind: 'lost' });
    // Only the look-ups may find it.
    world.twin.fault(provider, { kind: 'server_fault', path: LIST[provider] });
    const { reference, expires_at, account_number: accountNumber } = await merchant.checkout(provider);
    const expiresAt = Date.parse(expires_at);
    for (const earlier of [0, 5].filter((one) => one < minute)) {
      advanceTo(expiresAt + earlier * MINUTE);
      await sweepOnce();
    }
    await world.twin.pay({ provider, accountNumber, amount: ASKED, paidAt: expiresAt - MINUTE });
    await world.twin.settled();
    advanceTo(expiresAt + minute * MINUTE);
    await sweepOnce();
    expect(await statusOf(reference)).toBe('paid');
    expect(await eventTypesOf(world, reference)).toEqual(
      minute === 60 ? ['checkout.expired', 'checkout.paid'] : ['checkout.paid'],
    );
    await expectBooksToAgree(world);
  });

  /** Writes one checkout that the provider knows, and copies of it, which saves as many API calls. */
  const manyCheckouts = async (count: number): Promise<void> => {
    await merchant.checkout(provider);
    const first = checkout.parse((await world.itemsOf('CHK'))[0]);
    const copies = Array.from({ length: count - 1 }, (_, n) =>
      checkoutItem(world.table, { ...first, reference: `PAY-${String(n).padStart(20, '0')}` }),
    );
    await putAll(world.table, copies);
  };
  // All three share one breaker, so one provider with the large number is enough.
  const DUE = provider === 'monnify' ? 200 : 24;
  test(`waits while the provider is down, without flooding it with look-ups of ${DUE} checkouts`, async () => {
    await manyCheckouts(DUE);
    const statuses = async () => (await world.itemsOf('CHK')).map(({ status }) => status);
    world.twin.fault(provider, { kind: 'server_fault' });
    const before = world.twin.books.requests(provider);
    world.clock.advance(HOUR);
    for (let minute = 0; minute < 4; minute += 1) {
      await sweepOnce();
      world.clock.advance(MINUTE);
    }
    expect(new Set(await statuses())).toEqual(new Set(['pending']));
    expect(await world.itemsOf('EVT')).toEqual([]);
    // The calls under way when the breaker opened, and then one probe a minute.
    expect(world.twin.books.requests(provider) - before).toBeLessThan(25);
    expect(world.twin.books.maxConcurrent(provider)).toBeLessThanOrEqual(8);
    expect(measuredSum(world, 'provider_failures')).toBeGreaterThanOrEqual(DUE);
    world.twin.fault(provider, null);
    // Each is looked up again after at most half an hour.
    for (let waited = 0; waited < 40; waited += 10) {
      await sweepOnce();
      world.clock.advance(10 * MINUTE);
    }
    expect(await statuses()).toHaveLength(DUE);
    expect(new Set(await statuses())).toEqual(new Set(['expired']));
    expect(await world.itemsOf('EVT')).toHaveLength(DUE);
  });

  test.each([
    ['the amount of the second', 850_000],
    ['another amount', 640_000],
  ])('with a recycled number, late money in %s is credited to no wrong checkout', async (_, amount) => {
    await world.stop();
    await openWorld({ recycleNumbers: true });
    const first = await merchant.checkout(provider, { amount: amount / 100 });
    await minutesPass(world, 50, 10);
    expect(await statusOf(first.reference)).toBe('expired');
    const second = await merchant.checkout(provider);
    expect(second.account_number).toBe(first.account_number);
    await world.twin.pay({ provider, accountNumber: first.account_number, amount });
    await world.twin.settled();
    await minutesPass(world, 120, 10);
    expect((await merchant.api.verify(first.reference)).json.data).toMatchObject({ status: 'expired', paid_amount: 0 });
    expect((await merchant.api.verify(second.reference)).json.data.paid_amount).toBe(
      world.twin.books.keptFor(second.reference) / 100,
    );
    await expectBooksToAgree(world);
  });
});

describeAtProviders('reconciliation with %s', (provider) => {
  const PAGE = { paystack: 100, monnify: 100, korapay: 50 }[provider];
  const payMany = async (accountNumber: string, count: number): Promise<void> => {
    for (let n = 1; n <= count; n += 1) {
      await world.twin.pay({ provider, accountNumber, amount: 10_000 + n, senderName: 'Funke Adeyemi' });
    }
    await world.twin.settled();
  };
  const expectEachOnce = async (id: string, count: number): Promise<void> => {
    const amounts = (await recorded(world)).map(({ amount }) => amount);
    expect(amounts).toHaveLength(count);
    expect(new Set(amounts).size).toBe(count);
    expect(await eventTypesOf(world, id)).toHaveLength(count);
    await expectBooksToAgree(world);
  };
  const accountWithoutNotifications = async () => {
    world.twin.fault(provider, { kind: 'lost' });
    return merchant.account(provider);
  };

  test('finds every payment whose notification was lost, over more than a page, once, within 20 minutes', async () => {
    const { id, account_number } = await accountWithoutNotifications();
    await sweepOnce();
    const lists = countCalls(world.twin, provider, LIST[provider]);
    await payMany(account_number, PAGE + 12);
    await minutesPass(world, 20, 2);
    expect(lists()).toBeGreaterThanOrEqual(2);
    await expectEachOnce(id, PAGE + 12);
    // What alerts operators that notifications do not come: no stranger can bring it about.
    expect(measuredSum(world, 'payments_not_notified')).toBe(PAGE + 12);
  });

  test('covers a week on its first run: a payment of six days ago, returned without a notification, is reversed', async () => {
    await world.stop();
    await openWorld({ isNew: true });
    const { account_number: accountNumber } = await merchant.account(provider);
    const paidAt = world.clock.now() - 6 * DAY;
    const { transferId } = await world.twin.pay({ provider, accountNumber, amount: 640_000, paidAt });
    await world.twin.settled();
    expect(await recorded(world)).toMatchObject([{ amount: 640_000, outcome: 'accepted' }]);
    await world.twin.reverse(provider, transferId, false);
    await sweepOnce();
    expect(await recorded(world)).toMatchObject([{ amount: 640_000, outcome: 'reversed' }]);
    await expectBooksToAgree(world);
  });

  test('lands payments once when the list names them twice', async () => {
    const { id, account_number } = await accountWithoutNotifications();
    await sweepOnce();
    await payMany(account_number, 12);
    const doubling = withScriptedProvider(world, provider, (real) => ({
      listPayments: async (span) => {
        const page = await real.listPayments(span);
        return { ...page, payments: page.payments.flatMap((one) => [one, one]) };
      },
    }));
    await minutesPass(doubling, 20, 10);
    expect(loggedTimes(world, 'work_failed')).toBe(0);
    await expectEachOnce(id, 12);
  });

  test('looks a listed payment up again that the look-up does not know yet', async () => {
    const { id, account_number } = await accountWithoutNotifications();
    await sweepOnce();
    await payMany(account_number, 2);
    const forgetful = withScriptedProvider(world, provider, () => ({ lookUp: async () => 'unknown' }));
    await minutesPass(forgetful, 10, 10);
    expect(await recorded(world)).toEqual([]);
    // The list does not name it a second time.
    world.twin.fault(provider, { kind: 'server_fault', path: LIST[provider] });
    await minutesPass(world, 1);
    await expectEachOnce(id, 2);
  });

  test('does not look up payments that are recorded', async () => {
    const { account_number, id } = await merchant.account(provider);
    const lookUps = countCalls(world.twin, provider, LOOK_UP[provider]);
    await payMany(account_number, 5);
    expect(lookUps()).toBe(5);
    await minutesPass(world, 60, 10);
    expect(lookUps()).toBe(5);
    await expectEachOnce(id, 5);
  });

  test('catches up after a pause of three days', async () => {
    const { id, account_number } = await accountWithoutNotifications();
    await sweepOnce();
    for (let n = 1; n <= 36; n += 1) {
      world.clock.advance(2 * HOUR);
      await world.twin.pay({ provider, accountNumber: account_number, amount: 10_000 + n });
    }
    expect(world.clock.now()).toBe(Date.UTC(2026, 10, 20, 12) + 3 * DAY);
    await minutesPass(world, 20, 10);
    await expectEachOnce(id, 36);
  });

  test('continues at the second page when that page failed', async () => {
    const { id, account_number } = await accountWithoutNotifications();
    await sweepOnce();
    await payMany(account_number, PAGE + 12);
    world.twin.fault(provider, { kind: 'server_fault', path: LIST[provider], ...onlyCall(2) });
    const lists = countCalls(world.twin, provider, LIST[provider]);
    world.clock.advance(10 * MINUTE);
    await sweepOnce();
    expect(await recorded(world)).not.toHaveLength(PAGE + 12);
    const [progress] = (await world.itemsOf('RECON')).filter((item) => item.provider === provider);
    expect(progress?.cursor).not.toBeNull();
    const [before, found] = [lists(), (await recorded(world)).length];
    expect(found).toBeGreaterThan(0);
    await minutesPass(world, 1);
    // The first page is not asked for again.
    expect(lists() - before).toBe(1);
    await minutesPass(world, 20, 10);
    await expectEachOnce(id, PAGE + 12);
  });

  test('continues after a run that died in the middle of a page, without landing anything twice', async () => {
    const { id, account_number } = await accountWithoutNotifications();
    await sweepOnce();
    await payMany(account_number, 20);
    world.clock.advance(10 * MINUTE);
    let begun = 0;
    let ended = 0;
    const ledger: typeof world.deps.ledger = {
      ...world.deps.ledger,
      record: async (entry) => {
        begun += 1;
        // Like a function that was killed: it never continues.
        if (begun > 7) return new Promise(() => {});
        const outcome = await world.deps.ledger.record(entry);
        ended += 1;
        return outcome;
      },
    };
    const dying = sweepOnce({ ...world.deps, ledger });
    // Several landings run side by side, so the eighth may begin before the seventh is written.
    while (begun <= 7 || ended < 7) await new Promise((resolve) => setImmediate(resolve));
    expect(await recorded(world)).toHaveLength(7);
    await minutesPass(world, 1);
    await expectEachOnce(id, 20);
    expect(await Promise.race([dying.then(() => 'ended'), Promise.resolve('dead')])).toBe('dead');
  });

  test('lands each payment once when three runs overlap', async () => {
    const { id, account_number } = await accountWithoutNotifications();
    await sweepOnce();
    await payMany(account_number, 20);
    world.clock.advance(10 * MINUTE);
    await Promise.all([sweepOnce(), sweepOnce(), sweepOnce()]);
    await minutesPass(world, 10);
    await expectEachOnce(id, 20);
  });

  test('finds payments whose look-ups failed for three hours while lists were answered', async () => {
    const { id, account_number } = await accountWithoutNotifications();
    await sweepOnce();
    await payMany(account_number, 3);
    world.twin.fault(provider, { kind: 'server_fault', path: LOOK_UP[provider] });
    await minutesPass(world, 180, 10);
    expect(await recorded(world)).toEqual([]);
    world.twin.fault(provider, null);
    await minutesPass(world, 30, 10);
    await expectEachOnce(id, 3);
  });
});
