import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { describeRows, isFirst, longTest } from '#test/support/jest/long.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { CRASHES, crash } from '#test/support/worlds/live-crash.ts';
import {
  breakOpening,
  type LiveApi,
  makeProvidersWith,
  makeUnreachableSettings,
} from '#test/support/worlds/live-faults.ts';
import { ASKED, merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';

/* Tests merchant references in live mode. A provider is called after the intent is written and before the checkout is, and any step may fail. */

const ORDER = { amount: 8_500, payer_email: 'ngozi.eze@example.com', provider: 'korapay' as const };
const NAMED = { ...ORDER, merchant_reference: 'INV-2026-1120-0042' };
const KEY = { 'idempotency-key': 'order-2026-11-20-0042' };
const LEASE = 30 * SECOND;

openWorldForEachTest();
let api: LiveApi;
/** A checkout that had the reference and has ended without money. */
let former: { reference: string; account_number: string };

beforeEach(async () => {
  ({ api } = merchant);
  former = (await api.initialize(NAMED)).json.data;
  expect((await api.expire(former.reference)).status).toBe(200);
  world.clock.advance(SECOND);
});
const findOwner = async (): Promise<unknown> => (await world.itemsOf('MREF'))[0]?.reference;
const findOpening = async (): Promise<string> =>
  String((await world.itemsOf('CHK')).find(({ status }) => status === 'opening')?.reference);
const listNamed = async (): Promise<{ reference: string; status: string }[]> =>
  (await api.listCheckouts(undefined, {}, { merchant_reference: NAMED.merchant_reference })).json.data;
const payFormer = () => world.pay('korapay', former.account_number, ASKED);
const unreached = (): LiveApi =>
  merchant.apiWith(makeProvidersWith(world, makeUnreachableSettings(world, ['korapay'])));
const DUPLICATE = { status: 409, json: { code: 'duplicate_merchant_reference' } };
/** Expects that the former checkout has the reference again: after money on it nobody else gets the reference. */
const expectGivenBack = async (): Promise<void> => {
  expect(await findOwner()).toBe(former.reference);
  await payFormer();
  const answer = await api.initialize(NAMED);
  expect(answer).toMatchObject(DUPLICATE);
  expect(answer.json.message).toContain(former.reference);
  expect(await listNamed()).toMatchObject([{ reference: former.reference, status: 'paid' }]);
};

test('an opening that cannot reach the provider gives the reference back to the former checkout', async () => {
  for (const headers of [{}, KEY]) expect((await unreached().initialize(NAMED, headers)).status).toBe(502);
  await expectGivenBack();
});

test('an opening with an unknown outcome keeps the reference, and gives it back when a look-up shows that it failed', async () => {
  breakOpening(world, 'korapay', 'checkout', { kind: 'gateway_fault', status: 503 });
  expect((await api.initialize(NAMED)).status).toBe(502);
  const lost = await findOpening();
  expect(await findOwner()).toBe(lost);
  const answer = await api.initialize(NAMED);
  expect(answer).toMatchObject(DUPLICATE);
  expect(answer.json.message).toContain(`${lost}, which is still being opened`);
  await world.sweepAfter(LEASE);
  await expectGivenBack();
});

test('an opening after a failed opening takes the reference over from the former checkout', async () => {
  expect((await unreached().initialize(NAMED)).status).toBe(502);
  const next = (await api.initialize(NAMED)).json.data;
  expect(await findOwner()).toBe(next.reference);
  expect(await listNamed()).toMatchObject([{ reference: next.reference }, { reference: former.reference }]);
  await payFormer();
  await world.pay('korapay', next.account_number, ASKED);
  expect((await listNamed()).map(({ status }) => status)).toEqual(['paid', 'paid']);
  await world.expectBooksToAgree();
});

describeRows('a process that takes a reference over and is killed %s', CRASHES, isFirst, (at) => {
  const isIssued = at === 'before the answer is written';
  const die = async (): Promise<string> => {
    const requests = [{ headers: KEY, body: NAMED }];
    await crash(world, merchant.business, { work: 'checkout', providers: ['korapay'], requests }, at);
    return findOpening();
  };

  test('keeps the reference if the sweeper opens its checkout, and otherwise gives the reference back', async () => {
    const lost = await die();
    expect(await findOwner()).toBe(lost);
    await world.sweepAfter(LEASE);
    if (!isIssued) return expectGivenBack();
    expect(await findOwner()).toBe(lost);
    expect(await listNamed()).toMatchObject([{ reference: lost, status: 'pending' }, { reference: former.reference }]);
  });

  test('keeps the reference for a retry, even after money came for the former checkout', async () => {
    const lost = await die();
    await payFormer();
    world.clock.advance(LEASE);
    expect(await api.initialize(NAMED, KEY)).toMatchObject({ status: 201, json: { data: { reference: lost } } });
    expect(await findOwner()).toBe(lost);
    expect(await listNamed()).toMatchObject([
      { reference: lost, status: 'pending' },
      { reference: former.reference, status: 'paid' },
    ]);
  });

  longTest('gives the reference back to the former checkout after a second death in a retry', async () => {
    const lost = await die();
    world.clock.advance(LEASE);
    expect(await die()).toBe(lost);
    if (isIssued) return;
    await world.sweepAfter(LEASE);
    await expectGivenBack();
  });

  test('leaves a 409 to its retry after the reference was given back and the former checkout was paid', async () => {
    await die();
    await world.sweepAfter(LEASE);
    if (isIssued) return;
    await payFormer();
    expect(await api.initialize(NAMED, KEY)).toMatchObject(DUPLICATE);
    expect(await listNamed()).toHaveLength(1);
  });
});

test('five servers that reuse a reference at once open one checkout and one account', async () => {
  const accounts = world.simulator.books.accounts().length;
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, i) => api.initialize(NAMED, i % 2 === 0 ? {} : { 'idempotency-key': `order-${i}` })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409]);
  expect(world.simulator.books.accounts()).toHaveLength(accounts + 1);
  expect(await listNamed()).toHaveLength(2);
});

test('a reuse simultaneous with late money on the former checkout loses nothing, and the reference stays unique', async () => {
  const [reused] = await Promise.all([api.initialize(NAMED), payFormer()]);
  expect([201, 409]).toContain(reused.status);
  expect((await api.verify(former.reference)).json.data).toMatchObject({ status: 'paid', paid_amount: 8_500 });
  expect(await findOwner()).toBe(reused.status === 201 ? reused.json.data.reference : former.reference);
  await world.expectBooksToAgree();
});

test('browsers open any number of checkouts under the reference of a server, even if an answer is lost', async () => {
  const browser = createApiClient(world, merchant.business.keys.public_live);
  const headers = { 'x-business-id': merchant.business.id };
  const own = (await api.initialize(NAMED)).json.data;
  expect((await browser.initialize(NAMED, headers)).status).toBe(201);
  breakOpening(world, 'korapay', 'checkout', { kind: 'lost_answer' });
  expect((await browser.initialize(NAMED, headers)).status).toBe(502);
  expect((await browser.initialize(NAMED, { ...headers, ...KEY })).status).toBe(201);
  await world.sweepAfter(LEASE + MINUTE);
  expect(await findOwner()).toBe(own.reference);
  const labelled = (await listNamed()) as unknown as { reference: string; created_with: string }[];
  expect(labelled.map(({ created_with }) => created_with)).toEqual(['secret', 'secret', 'public', 'public', 'public']);
  expect(labelled[0]?.reference).toBe(own.reference);
});
