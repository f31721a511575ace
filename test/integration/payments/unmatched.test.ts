import type { UnmatchedPayment } from '#shared/payments/domain/unmatched-payment.ts';
import { landMoney } from '#shared/payments/use-cases/land-money.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';
import { ProviderError } from '#shared/providers/domain/errors.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { ReportedMoney } from '#shared/providers/domain/report.ts';
import type { LiveProvider, LiveProviders } from '#shared/providers/ports.ts';
import {
  createBarrier,
  createGate,
  makeProvidersWith,
  makeUnreachableSettings,
} from '#test/support/worlds/live-faults.ts';
import { merchant, newCustomer, openMerchant, openWorld, world } from '#test/support/worlds/live-merchant.ts';
import type { LiveWorld } from '#test/support/worlds/live-world.ts';
import { runOpsAsJson } from '#test/support/worlds/operations.ts';
import { makeCumulativeReport } from '#test/support/worlds/reports.ts';
import { NOON } from '#test/support/worlds/world.ts';

const WHO = 'bisi';
const PROVIDER = 'korapay';
type Deps = LiveWorld['deps'];

describe('unmatched money', () => {
  beforeAll(() => openWorld());
  afterAll(() => world.stop());

  let unknownPayees = 0;
  /** Pays money to an account that was opened at the provider without us. */
  const arrive = async (amount: number) => {
    unknownPayees += 1;
    const payee = `customer-${unknownPayees}`;
    const { accountNumber } = await world.provider(PROVIDER).createAccount(newCustomer(), payee);
    const { transferId } = await world.pay(PROVIDER, accountNumber, amount);
    const listed = await world.deps.unmatched.oldest(1_000);
    const unmatchedPayment = listed.find(({ money }) => 'reference' in money.payee && money.payee.reference === payee);
    if (!unmatchedPayment) throw new Error('It is not unmatched.');
    return { payee, transferId, unmatchedPayment, paymentId: unmatchedPayment.id };
  };
  const opsWith = (liveProviders: LiveProviders, ...args: string[]) =>
    runOpsAsJson({ ...world.deps, liveProviders, operator: async () => WHO }, ...args);
  const ops = (...args: string[]) => opsWith(world.deps.liveProviders, ...args);
  /** Opens a checkout of ₦8,500.75 of another merchant. */
  const openCheckout = async (provider: ProviderName) => {
    const { business, checkout, fetch, api } = await openMerchant(world);
    const { reference } = await checkout(provider, { amount: 8_500.75 });
    /** Reads the list of payments, the export and the total of the day. */
    const readReports = async () => {
      const ids = (await api.listAllPayments()).json.data.map(({ id }: { id: string }) => id);
      const rows = (await api.exportPayments()).text.split('\r\n').slice(1, -1);
      const [day] = (await api.totals(undefined, {}, { from: '2026-11-20', to: '2026-11-20' })).json.data;
      return [ids, rows.map((row) => row.split(',')[0]?.replaceAll('"', '')), day.count, day.amount];
    };
    return { business, reference, readReports, verify: () => fetch(reference) };
  };
  const changesOf = async (business: { id: string }) =>
    (await world.itemsOf('LOG#')).filter(({ businessId }) => businessId === business.id);

  test('appears on the list, lands once on the assigned checkout, and is in the audit log', async () => {
    const { paymentId, payee, transferId, unmatchedPayment } = await arrive(850_075);
    const { business, reference, readReports, verify } = await openCheckout(PROVIDER);
    expect(await readReports()).toEqual([[], [], 0, 0]);
    const { unmatched } = await ops('unmatched', 'list');
    expect(unmatched).toContainEqual({
      id: paymentId,
      provider: PROVIDER,
      amount: 8_500.75,
      payee,
      provider_reference: unmatchedPayment.money.providerReference,
      sender_name: 'Chidi Eze',
      sender_bank: 'GTBank',
      paid_at: null,
      recorded_at: '2026-11-20T12:00:00.000000Z',
      kept_again: false,
    });
    const assigned = await ops('unmatched', 'assign', paymentId, reference);
    expect(assigned).toEqual({ payment: { id: paymentId, amount: 8_500.75, assigned_to: reference } });
    expect(await verify()).toMatchObject({ status: 'paid', paid_amount: 8_500.75, sender_name: 'Chidi Eze' });
    const landed = [expect.stringMatching(/^pay_/)];
    expect(await readReports()).toEqual([landed, landed, 1, 8_500.75]);
    expect(await world.eventsOf(reference)).toEqual(['checkout.paid']);
    expect(await changesOf(business)).toMatchObject([
      { who: WHO, what: `assigned payment ${paymentId} to ${reference}` },
    ]);
    expect((await ops('unmatched', 'list')).unmatched).not.toContainEqual(expect.objectContaining({ id: paymentId }));
    // A repeated notification changes nothing.
    await world.simulator.resend(transferId);
    await world.simulator.settled();
    expect(await verify()).toMatchObject({ paid_amount: 8_500.75, version: 2 });
  });

  test('lands on one checkout if it is assigned to two at once, and the other operator gets an error', async () => {
    const { paymentId } = await arrive(850_075);
    const payees = await Promise.all([openCheckout(PROVIDER), openCheckout(PROVIDER)]);
    const both = createBarrier(2);
    const record: Deps['ledger']['record'] = async (entry) => {
      await both();
      return world.deps.ledger.record(entry);
    };
    const ledger = { ...world.deps.ledger, record };
    const outcomes = await Promise.allSettled(
      payees.map(({ reference }) => world.assign(paymentId, reference, { ledger })),
    );
    const paid = await Promise.all(payees.map(async ({ verify }) => (await verify()).paid_amount));
    expect([...paid].sort()).toEqual([0, 8_500.75]);
    expect(outcomes.map(({ status }) => status)).toEqual(
      paid.map((amount) => (amount === 0 ? 'rejected' : 'fulfilled')),
    );
    expect(outcomes).toContainEqual(
      expect.objectContaining({
        reason: expect.objectContaining({ message: expect.stringMatching(/changed while it was assigned/) }),
      }),
    );
  });

  test('can be assigned to a virtual account', async () => {
    const { paymentId, unmatchedPayment } = await arrive(125_050);
    const { id } = await merchant.account(PROVIDER);
    await ops('unmatched', 'assign', paymentId, id);
    const { data } = (await merchant.api.listPayments(id)).json;
    expect(data).toMatchObject([
      { amount: 1_250.5, outcome: 'accepted', provider_reference: unmatchedPayment.money.providerReference },
    ]);
  });

  test.each([
    ['an unknown payment id', 'pay_01KDVDNX1Q7B3W9E5R2T8Y6U4C', PROVIDER, /There is no unmatched payment/],
    ['a checkout at another provider', undefined, 'monnify', /came through korapay/],
  ] as const)('cannot be assigned with %s', async (_, unknownId, provider, reason) => {
    const { paymentId } = await arrive(100_000);
    const { reference, verify } = await openCheckout(provider);
    await expect(world.assign(unknownId ?? paymentId, reference)).rejects.toThrow(reason);
    expect(await verify()).toMatchObject({ status: 'pending', paid_amount: 0 });
  });

  test.each([
    ['an unknown reference', 'PAY-7H2KQ9XW4M1ZB8T5RC3N', /no live checkout or virtual account/],
    ['the id of a business', 'biz_01KDVDNX1Q0Y8J6W6KZ0H3S5TA', /neither a checkout reference/],
  ])('cannot be assigned to %s', async (_, to, reason) => {
    const { paymentId, unmatchedPayment } = await arrive(100_000);
    await expect(world.assign(paymentId, to)).rejects.toThrow(reason);
    expect(await world.deps.unmatched.find(PROVIDER, unmatchedPayment.source)).toBeDefined();
  });

  test('keeps the count of its tries if a try is counted while a report is being saved', async () => {
    const reference = 'PAY-TRIEDMEANWHILE000000';
    await landMoney(world.deps, PROVIDER, makeCumulativeReport(reference, 500_000), { askedAt: NOON });
    const source = { kind: 'cumulative_report', reference } as const;
    const stored = async () => (await world.deps.unmatched.find(PROVIDER, source)) as UnmatchedPayment;
    const before = await stored();
    let isTried = false;
    const record: Deps['ledger']['record'] = async (entry) => {
      if (!isTried) expect(await world.deps.unmatched.countTry(before)).toBe(true);
      isTried = true;
      return world.deps.ledger.record(entry);
    };
    const deps = { ...world.deps, ledger: { ...world.deps.ledger, record } };
    await landMoney(deps, PROVIDER, makeCumulativeReport(reference, 850_000), { askedAt: NOON + SECOND });
    expect(await stored()).toMatchObject({ money: { kept: 850_000 }, tries: 1 });
    expect(await world.deps.unmatched.countTry(before)).toBe(false);
    expect(await stored()).toMatchObject({ money: { kept: 850_000 }, tries: 1 });
  });

  test.each([
    ['the newer answer', 'PAY-REPORTEDTWICE0000000'],
    ['the older answer', 'PAY-REPORTEDTWICE0000001'],
    ['neither', 'PAY-REPORTEDTWICE0000002'],
  ])(
    'gets stored once with the newer answer if two landings save it at once; stored first: %s',
    async (order, reference) => {
      const bothHaveRead = createBarrier(2);
      const [newerSaved, olderSaved] = [createGate(), createGate()];
      if (order !== 'the older answer') olderSaved.open();
      if (order !== 'the newer answer') newerSaved.open();
      const land = (amount: number, askedAt: number, after: Promise<void>, markSaved: () => void) => {
        const record: Deps['ledger']['record'] = async (entry) => {
          await bothHaveRead();
          await after;
          const recorded = await world.deps.ledger.record(entry);
          markSaved();
          return recorded;
        };
        const deps = { ...world.deps, ledger: { ...world.deps.ledger, record } };
        return landMoney(deps, PROVIDER, makeCumulativeReport(reference, amount), { askedAt });
      };
      const logged = world.loggedTimes('payment_unmatched');
      const landed = [
        land(500_000, NOON, newerSaved.opened, olderSaved.open),
        land(850_000, NOON + SECOND, olderSaved.opened, newerSaved.open),
      ];
      expect(await Promise.all(landed)).toEqual(['unmatched', 'unmatched']);
      const listed = await world.deps.unmatched.oldest(1_000);
      const saved = listed.filter(
        ({ source }) => source.kind === 'cumulative_report' && source.reference === reference,
      );
      expect(saved).toMatchObject([{ money: { kept: 850_000 }, askedAt: NOON + SECOND, tries: 0 }]);
      // It is logged once, under the stored id.
      expect(world.loggedTimes('payment_unmatched') - logged).toBe(1);
      expect(world.logged.at(-1)).toMatchObject({ event: 'payment_unmatched', payment_id: saved[0]?.id });
    },
  );

  describe('looked up before it is assigned', () => {
    /** Assigns new unmatched money while the provider gives these answers. Expects an error, and that nothing is recorded. */
    const expectError = async (
      liveProviders: (arrived: Awaited<ReturnType<typeof arrive>>) => LiveProviders | Promise<LiveProviders>,
      reason: string,
    ) => {
      const arrived = await arrive(850_075);
      const { business, reference, verify } = await openCheckout(PROVIDER);
      const providers = await liveProviders(arrived);
      await expect(opsWith(providers, 'unmatched', 'assign', arrived.paymentId, reference)).rejects.toThrow(reason);
      expect(await verify()).toMatchObject({ status: 'pending', paid_amount: 0, version: 1 });
      expect([await changesOf(business), await world.eventsOf(reference)]).toEqual([[], []]);
      return { ...arrived, reference, verify };
    };
    const answering = (lookUp: LiveProvider['lookUp']): LiveProviders =>
      world.scripted(PROVIDER, () => ({ lookUp })).liveProviders;
    const storedMoney = async ({ source }: Pick<UnmatchedPayment, 'source'>) =>
      (await world.deps.unmatched.find(PROVIDER, source))?.money;

    test('does not land if the provider has returned it without a notification', async () => {
      const { unmatchedPayment, reference, verify } = await expectError(async ({ transferId }) => {
        await world.simulator.reverse(PROVIDER, transferId);
        world.clock.advance(10 * SECOND);
        return world.deps.liveProviders;
      }, 'korapay has returned the money of pay_');
      const listedEntries = async () =>
        (await world.deps.unmatched.oldest(1_000)).filter(({ id }) => id === unmatchedPayment.id);
      expect(await listedEntries()).toEqual([]);
      // A later arrival of an older report changes nothing.
      await landMoney(world.deps, PROVIDER, unmatchedPayment.money, { askedAt: unmatchedPayment.askedAt });
      for (const { id } of await listedEntries()) {
        await expect(world.assign(id, reference)).rejects.toThrow('korapay has returned the money of pay_');
      }
      expect(await verify()).toMatchObject({ paid_amount: 0, version: 1 });
    });

    test('does not land if a report of its return overtakes the answer', async () => {
      const { verify } = await expectError(
        ({ unmatchedPayment }) =>
          answering(async () => {
            const reversed = { ...unmatchedPayment.money, outcome: 'reversed' } as ReportedMoney;
            await landMoney(world.deps, PROVIDER, reversed, { askedAt: world.clock.now() });
            return { money: [unmatchedPayment.money], state: 'open' };
          }),
        'korapay has returned the money of pay_',
      );
      expect(await verify()).toMatchObject({ paid_amount: 0 });
    });

    test('stays unassigned at first if the provider names another unknown payee; the list then shows that payee, and the next try succeeds', async () => {
      const other = { by: 'our_reference', reference: 'customer-of-others' } as const;
      let money: ReportedMoney | undefined;
      const liveProviders = answering(async () => ({ money: money ? [money] : [], state: 'open' }));
      const { paymentId, reference, verify } = await expectError(({ unmatchedPayment }) => {
        money = { ...unmatchedPayment.money, payee: other } as ReportedMoney;
        world.clock.advance(SECOND);
        return liveProviders;
      }, 'was paid for customer-of-others. Nothing was recorded.');
      const { unmatched } = await ops('unmatched', 'list');
      expect(unmatched).toContainEqual(expect.objectContaining({ id: paymentId, payee: 'customer-of-others' }));
      await opsWith(liveProviders, 'unmatched', 'assign', paymentId, reference);
      expect(await verify()).toMatchObject({ status: 'paid', paid_amount: 8_500.75 });
    });

    test('lands on the payee that the provider names if it is ours, and nowhere else', async () => {
      const own = await openCheckout(PROVIDER);
      const payee = { by: 'our_reference', reference: own.reference } as const;
      await expectError(
        ({ unmatchedPayment }) =>
          answering(async () => ({ money: [{ ...unmatchedPayment.money, payee } as ReportedMoney], state: 'open' })),
        `has landed on its owner, ${own.reference}.`,
      );
      expect(await own.verify()).toMatchObject({ status: 'paid', paid_amount: 8_500.75 });
    });

    const rejection = new ProviderError('The provider did not accept our credentials.');
    test.each<[string, (...arrived: Parameters<Parameters<typeof expectError>[0]>) => LiveProviders, string]>([
      [
        'does not know the payment',
        () => answering(async () => 'unknown'),
        'korapay no longer reports the money of pay_',
      ],
      [
        'is down',
        () => makeProvidersWith(world, makeUnreachableSettings(world, [PROVIDER])).liveProviders,
        'korapay does not answer',
      ],
      ['is not enabled on the stage', () => () => undefined, 'korapay is not enabled'],
      ['rejects the look-up', () => answering(() => Promise.reject(rejection)), 'korapay does not report pay_'],
    ])('stays unmatched if the provider %s, and the error says what to do', async (_, liveProviders, reason) => {
      const { unmatchedPayment, paymentId, reference, verify } = await expectError(liveProviders, reason);
      expect(await storedMoney(unmatchedPayment)).toEqual(unmatchedPayment.money);
      await ops('unmatched', 'assign', paymentId, reference);
      expect(await verify()).toMatchObject({ status: 'paid', paid_amount: 8_500.75 });
    });
  });
});
