import type { Fault } from '#infra/local/simulator/simulator.ts';
import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { markBusiness } from '#shared/providers/domain/health/counts.ts';
import { type ProviderHealth, unknownHealth } from '#shared/providers/domain/health/health.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import { isLongRun, longerTest, longTest } from '#test/support/jest/long.ts';
import { inNoRole } from '#test/support/permissions/roles.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import {
  ASKED,
  type LiveMerchant,
  merchant,
  openMerchant,
  openWorldForEachTest,
  world,
} from '#test/support/worlds/live-merchant.ts';
import { payersPage } from '#test/support/worlds/payers-page.ts';
import { OPENING } from '#test/support/worlds/provider-calls.ts';
import { describeAtProviders } from '#test/support/worlds/provider-scenes.ts';

/* Tests a provider's health: the counts, and the judgement that follows from them. */

openWorldForEachTest();

const PROVIDER = 'korapay';
type Shop = LiveMerchant;

/** Opens three businesses whose marks (`markBusiness`) differ. */
const openShops = async (): Promise<Shop[]> => {
  const shops = await Promise.all([1, 2, 3].map(() => openMerchant(world)));
  return new Set(shops.map(({ business }) => markBusiness(business.id))).size === 3 ? shops : openShops();
};
const findHealth = async (name = PROVIDER): Promise<ProviderHealth | undefined> =>
  (await world.itemsOf('STATE')).find(({ provider }) => provider === name) as ProviderHealth | undefined;
const listMinutes = () => world.itemsOf('MINUTE');

/** Opens a checkout of each business, and reports its money as sent. `pays`: whether the money was really sent. */
const sendTo = async (shops: readonly Shop[], pays: boolean): Promise<void> => {
  const page = payersPage(world);
  for (const shop of shops) {
    const { reference, accountNumber } = await shop.checkout(PROVIDER);
    if (pays) await world.pay(PROVIDER, accountNumber, ASKED);
    await page.sent(page.linkOf(reference));
  }
};

test('GET /providers shows the health of each provider to a secret live key, and in test mode shows all as healthy', async () => {
  const neverJudged = PROVIDERS.map((provider) => ({
    ...{ provider, enabled: true, state: 'healthy', landing_seconds: null, since: null },
  }));
  expect((await merchant.api.listProviders()).json).toEqual({ status: true, data: neverJudged });
  const judged = { state: 'failing', cause: 'sent_not_landed', landing: { p50: 20, p95: 600 }, version: 1 } as const;
  await inNoRole(() => world.deps.healthStore.save({ ...unknownHealth(PROVIDER, world.deps.now()), ...judged }));
  const { data } = (await merchant.api.listProviders()).json;
  expect(data.find(({ provider }: { provider: string }) => provider === PROVIDER)).toEqual({
    provider: PROVIDER,
    enabled: true,
    state: 'failing',
    landing_seconds: { p50: 20, p95: 600 },
    since: '2026-11-20T12:00:00.000000Z',
  });
  const inTest = createApiClient(world, merchant.business.keys.secret_test);
  expect((await inTest.listProviders()).json.data).toEqual(neverJudged);
  const browser = createApiClient(world, merchant.business.keys.public_live);
  expect((await browser.listProviders()).json.code).toBe('public_key_not_permitted');
});

longTest('a provider that lands nothing is failing within ten minutes, and recovers after it works again', async () => {
  const shops = await openShops();
  let failingAfter = -1;
  for (let minute = 0; minute < 12 && failingAfter < 0; minute++) {
    await sendTo(shops, false);
    await world.sweepAfter(MINUTE);
    if ((await findHealth())?.state === 'failing') failingAfter = minute + 1;
  }
  expect(failingAfter).toBeGreaterThan(5);
  expect(failingAfter).toBeLessThanOrEqual(10);
  expect(await findHealth()).toMatchObject({ cause: 'sent_not_landed', since: world.deps.now() });
  expect(await findHealth('paystack')).toBeUndefined();
  expect(world.logged.filter(({ event }) => event === 'provider_health')).toMatchObject([
    { provider: PROVIDER, was: 'healthy', state: 'failing', cause: 'sent_not_landed', sent_landed: 0 },
  ]);

  // One checkout in twenty still goes to the failing provider, here one each third minute. The money of the first two is still lost.
  const [shop] = shops;
  if (!shop) throw new Error('There are three shops.');
  for (let trial = 0; trial < 2; trial++) {
    await sendTo([shop], false);
    await world.minutesPass(3);
  }
  expect(await findHealth()).toMatchObject({ state: 'failing' });
  let healthyAfter = -1;
  for (let minute = 0; minute < 40 && healthyAfter < 0; minute += 3) {
    await sendTo([shop], true);
    await world.minutesPass(3);
    if ((await findHealth())?.state === 'healthy') healthyAfter = minute;
  }
  expect(healthyAfter).toBeGreaterThan(0);
  expect(healthyAfter).toBeLessThan(30);
  expect(await findHealth()).toMatchObject({ state: 'healthy', cause: null });
});

longerTest('a thousand reports of sent money by a stranger cause one write, and do not change the health', async () => {
  const shops = await openShops();
  const page = payersPage(world);
  const { reference } = await (shops[0] as Shop).checkout(PROVIDER);
  const link = page.linkOf(reference);
  await page.sent(link);
  const [first] = (await world.itemsOf('CHK')).filter((item) => item.reference === reference);
  expect(first).toMatchObject({ sentAt: world.deps.now(), status: 'pending' });
  world.clock.advance(SECOND);
  for (let times = 1; times < (isLongRun ? 1_000 : 50); times++) expect((await page.sent(link)).status).toBe(200);
  const items = (await world.itemsOf('CHK')).filter((item) => item.reference === reference);
  expect(items).toEqual([first]);
  expect(await world.itemsOf('SENT')).toHaveLength(1);

  await world.minutesPass(12);
  expect(await world.itemsOf('SENT')).toEqual([]);
  expect(await listMinutes()).toMatchObject([{ sentLost: new Set([expect.any(Number)]) }]);
  expect(await findHealth()).toMatchObject({ state: 'healthy', sent: { good: 0, bad: 1 } });
});

test('many payers’ reports at one business count once a minute, and do not make a provider failing', async () => {
  const shops = await openShops();
  for (let times = 0; times < 12; times++) await sendTo(shops.slice(0, 1), false);
  await world.minutesPass(8);
  expect(await world.itemsOf('SENT')).toEqual([]);
  expect(await findHealth()).toMatchObject({ state: 'healthy', sent: { good: 0, bad: 1 } });
});

test('money that lands within five minutes of the payer’s report counts once, even if the queue message is repeated', async () => {
  const shops = await openShops();
  const page = payersPage(world);
  const { reference, accountNumber } = await (shops[0] as Shop).checkout(PROVIDER);
  await page.sent(page.linkOf(reference));
  await world.minutesPass(4);
  await world.pay(PROVIDER, accountNumber, ASKED);
  const [due] = await world.itemsOf('SENT');
  await world.minutesPass(2);
  expect(await listMinutes()).toMatchObject([{ sentLanded: new Set([expect.any(Number)]) }]);
  const again = { family: 'payments', pk: String(due?.pk), sk: 'SENT', entry: String(due?.gsi2sk) } as const;
  const counted = await listMinutes();
  await world.deps.moneyQueue.send(PROVIDER, [{ ticket: again, group: 'sent_report' }]);
  world.clock.advance(MINUTE);
  await world.consumeMoney([PROVIDER]);
  expect(await listMinutes()).toEqual(counted);
});

test.each<[string, Fault]>([
  ['fail', { kind: 'server_fault' }],
  ['are rejected for our credentials', { kind: 'unauthorised' }],
])('openings that %s make a provider failing, and successful openings write nothing', async (_, fault) => {
  const shops = await openShops();
  for (const shop of shops) await shop.checkout(PROVIDER);
  expect(await listMinutes()).toEqual([]);
  world.simulator.fault(PROVIDER, { ...fault, path: OPENING[PROVIDER].checkout });
  for (let times = 0; times < 4; times++) {
    for (const shop of shops)
      await shop.api.initialize({ amount: 8_500, payer_email: 'a@example.com', provider: PROVIDER });
  }
  expect(await listMinutes()).toMatchObject([{ opened: 3, failed: 12 }]);
  await world.sweepAfter(MINUTE);
  expect(await findHealth()).toMatchObject({
    state: 'failing',
    cause: 'creations_fail',
    creations: { good: 3, bad: 12 },
  });
});

describeAtProviders('the landings that reconciliation with %s counts:', (provider) => {
  /** Korapay's look-ups have no time of payment (providers.md section 3.4), so its landing times are unknown. */
  const knownTimes = (landings: number): number => (provider === 'korapay' ? 0 : landings);
  const sumLandings = async (): Promise<number> => {
    const items = (await world.itemsOf('MINUTE')).filter(({ pk }) => pk === `HEALTH#${provider}`);
    const counts = items.flatMap((item) => Object.entries(item).filter(([name]) => /^landed\d+$/.test(name)));
    return counts.reduce((sum, [, landed]) => sum + Number(landed), 0);
  };

  const payInto = (accountNumber: string) =>
    world.pay(provider, accountNumber, ASKED, { paidAt: world.deps.now() - 3 * SECOND });

  test('each payment is counted once, however many passes compare it, and not when it lands', async () => {
    await world.sweep();
    const { accountNumber } = await merchant.account(provider);
    for (let paid = 0; paid < 3; paid++) {
      await payInto(accountNumber);
      world.clock.advance(SECOND);
    }
    expect(await sumLandings()).toBe(0);
    await world.minutesPass(40, 10);
    expect(await sumLandings()).toBe(knownTimes(3));
    // If a notification is lost, a pass queues the look-up that records the payment, and the next pass counts it.
    world.simulator.fault(provider, { kind: 'lost', times: 1 });
    await payInto(accountNumber);
    await world.minutesPass(10, 10);
    expect(await sumLandings()).toBe(knownTimes(3));
    await world.minutesPass(30, 10);
    expect(await sumLandings()).toBe(knownTimes(4));
  });

  test('a payment is not counted again if its list page is compared again after a crash', async () => {
    await world.sweep();
    const { accountNumber } = await merchant.account(provider);
    await payInto(accountNumber);
    world.clock.advance(10 * MINUTE);
    const dying = { ...world.deps.reconciliations, save: () => Promise.reject(new Error('It dies.')) };
    await world.sweep({ reconciliations: dying }).catch(() => {});
    expect(await sumLandings()).toBe(0);
    await world.minutesPass(20);
    expect(await sumLandings()).toBe(knownTimes(1));
  });
});
