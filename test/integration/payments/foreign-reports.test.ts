import { landMoney } from '#shared/payments/use-cases/land-money.ts';
import { ForeignReport } from '#shared/providers/domain/errors.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { describeRows, isFirst } from '#test/support/jest/long.ts';
import { SEED } from '#test/support/jest/seed.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { ASKED, merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { openPayersCharge } from '#test/support/worlds/payers-charge.ts';
import { makeCumulativeReport, makeRejection, makeTransfer } from '#test/support/worlds/reports.ts';

/*
 * A provider reports money under our reference, but we opened that reference at another provider or in test mode. With a provider's public key anybody
 * can open a charge under any reference. Such money is unmatched money of the provider that reports it.
 */

openWorldForEachTest();
// A charge that was opened without us does not name our notification address. By the older reading, Korapay notifies us of it anyway.
beforeEach(() => world.simulator.prefer('korapay', { chargesNotify: 'dashboard' }));

/** Kobo of the foreign charge: ₦100. */
const FOREIGN = 10_000;

/** Pairs each provider as the owner with another as the reporter. The seed of the run chooses one of the two ways to pair them. */
const PAIRS = PROVIDERS.map(
  (owner, i) => [owner, PROVIDERS[(i + 1 + (Math.abs(SEED) % 2)) % 3] as ProviderName] as const,
);

/** Opens a charge at a provider under our reference without us, and pays it. */
const payForeignCharge = async (reporter: ProviderName, reference: string, amount = FOREIGN) => {
  const accountNumber = await openPayersCharge(world.simulator, reporter, { reference, naira: amount / 100 });
  return world.pay(reporter, accountNumber, amount, { senderName: 'Mallory Bello' });
};

/** Reads a checkout as its business sees it, with its events. */
const readView = async (reference: string, fetch: (reference: string) => Promise<unknown>) => ({
  checkout: await fetch(reference),
  events: await world.eventsOf(reference),
});

const unmatchedAt = async (reporter: ProviderName) =>
  (await world.unmatched()).filter(({ provider }) => provider === reporter).map(({ money }) => money);

const expectedMoney = { payee: { by: 'our_reference' } };

describeRows('money of a %s checkout that %s reports', PAIRS, isFirst, (owner, reporter) => {
  test('changes no live checkout, unpaid, paid or returned, and is unmatched money of the provider that reports it', async () => {
    const unpaid = await merchant.checkout(owner);
    const paid = await merchant.paidCheckout(owner);
    const returned = await merchant.paidCheckout(owner);
    world.clock.advance(60_000);
    await world.simulator.reverse(owner, returned.transferId);
    await world.lookUp(owner, returned.reference);
    const references = [unpaid, paid, returned].map(({ reference }) => reference);
    const before = await Promise.all(references.map((reference) => readView(reference, merchant.fetch)));
    for (const reference of references) await payForeignCharge(reporter, reference);
    await world.minutesPass(6, 3);
    // Requeries at the checkouts' own provider change nothing.
    for (const reference of references) await merchant.api.requery(reference);
    expect(await Promise.all(references.map((reference) => readView(reference, merchant.fetch)))).toEqual(before);
    expect(await unmatchedAt(reporter)).toMatchObject(references.map(() => expectedMoney));
    expect((await world.recorded()).map(({ provider }) => provider)).toEqual([owner, owner]);
  });

  test('changes no test checkout, unpaid, paid or returned, and is in the live books', async () => {
    const api = createApiClient(world, merchant.business.keys.secret_test);
    const fetch = async (reference: string) => (await api.verify(reference)).json.data;
    const order = { amount: 8_500, payer_email: 'chidi.eze@example.com', provider: reporter };
    const open = async (): Promise<string> => (await api.initialize(order)).json.data.reference;
    const references = [await open(), await open(), await open()];
    const [, paid, returned] = references;
    for (const reference of [paid, returned]) await api.simulate({ reference });
    await api.simulate({ reference: returned, outcome: 'reversed' });
    const simulated = await world.recorded();
    const before = await Promise.all(references.map((reference) => readView(reference, fetch)));
    for (const reference of references) await payForeignCharge(reporter, reference, ASKED);
    expect(await Promise.all(references.map((reference) => readView(reference, fetch)))).toEqual(before);
    expect(await unmatchedAt(reporter)).toMatchObject(references.map(() => expectedMoney));
    expect(await world.recorded()).toEqual(simulated);
  });

  test('causes no further look-ups after it is settled', async () => {
    const { reference } = await merchant.checkout(owner);
    await payForeignCharge(reporter, reference);
    await world.minutesPass(120, 10);
    const lookUps = world.countLookUps(reporter);
    await world.minutesPass(60, 10, world.withoutReconciliation());
    expect(lookUps()).toBe(0);
  });

  test('changes nothing if it failed or was rejected, and is counted as a foreign report', async () => {
    const { reference } = await merchant.checkout(owner);
    const before = await readView(reference, merchant.fetch);
    const failed = world.scripted(reporter, () => ({ lookUp: async () => ({ money: [], state: 'failed' }) }));
    await world.lookUp(reporter, reference, failed);
    await landMoney(world.deps, reporter, makeRejection(reference, ASKED));
    expect(await readView(reference, merchant.fetch)).toEqual(before);
    expect(await world.unmatched()).toEqual([]);
    expect(await world.recorded()).toEqual([]);
    expect(world.measuredSum('foreign_reports')).toBe(2);
  });
});

test('money that operators assign lands under the provider that reported it', async () => {
  const { reference } = await merchant.checkout('monnify');
  const other = await merchant.checkout('korapay');
  await payForeignCharge('korapay', reference);
  const [unmatched] = await world.unmatched();
  const assigned = world.assign(unmatched?.id ?? '', reference);
  await expect(assigned).rejects.toThrow(`came through korapay, but ${reference} has no account there.`);
  await world.assign(unmatched?.id ?? '', other.reference);
  expect(await world.recorded()).toMatchObject([{ provider: 'korapay', owner: { reference: other.reference } }]);
});

test('money under the reference of a test checkout can be assigned to a live checkout', async () => {
  const api = createApiClient(world, merchant.business.keys.secret_test);
  const order = { amount: 8_500, payer_email: 'chidi.eze@example.com', provider: 'korapay' };
  const { reference } = (await api.initialize(order)).json.data;
  const to = await merchant.checkout('korapay');
  await payForeignCharge('korapay', reference);
  const [unmatched] = await world.unmatched();
  await world.assign(unmatched?.id ?? '', to.reference);
  expect(await merchant.fetch(to.reference)).toMatchObject({ paid_amount: FOREIGN / 100 });
});

test.each([makeTransfer, makeCumulativeReport])(
  'landing throws if a caller names an owner at another provider',
  async (report) => {
    const { reference } = await merchant.checkout('monnify');
    const target = { owner: { kind: 'checkout', reference }, tenant: { ...merchant.business, mode: 'live' } } as const;
    const landing = landMoney(
      world.deps,
      'korapay',
      report(reference, ASKED),
      { askedAt: world.clock.now() },
      {
        ...target,
        tenant: { businessId: merchant.business.id, mode: 'live' },
      },
    );
    await expect(landing).rejects.toThrow(ForeignReport);
    expect(await world.recorded()).toEqual([]);
  },
);
