import { DAY, HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { landEvents } from '#test/support/emulators/landed-events.ts';
import { type SimulatedMerchant, simulatedMerchant } from '#test/support/emulators/simulated-merchant.ts';
import { simulatedTime } from '#test/support/emulators/simulated-time.ts';
import { longTest } from '#test/support/jest/long.ts';
import { apiClient } from '#test/support/worlds/api-client.ts';
import { invite, mailNotices, SIGN_IN_URL, signIn } from '#test/support/worlds/dashboard.ts';
import { dashboardClient } from '#test/support/worlds/dashboard-client.ts';
import { makeWorld } from '#test/support/worlds/world.ts';

const OWNER = 'ada@ada-stores.example.com';
const SECOND_OWNER = 'dayo@ada-stores.example.com';

const running: SimulatedMerchant[] = [];
afterEach(async () => {
  for (const merchant of running.splice(0)) await merchant.stop();
});

/** A business with two owners and one endpoint, which is the case that nobody else hears of. */
const open = async (mode: 'live' | 'test' = 'live') => {
  const world = await makeWorld();
  const merchant = await simulatedMerchant(world.clock.now);
  running.push(merchant);
  const shop = await world.addBusiness([merchant.url], mode);
  await invite(world, shop.id, OWNER, 'owner');
  await invite(world, shop.id, SECOND_OWNER, 'owner');
  const time = simulatedTime(world);
  const endpointId = shop.endpoints[0]?.id ?? '';
  const api = apiClient(world, mode === 'live' ? shop.keys.secret_live : shop.keys.secret_test);
  /** What both owners are mailed, each alone. */
  const told = async () => {
    const sent = await mailNotices(world);
    const [to, second] = [OWNER, SECOND_OWNER].map((owner) => sent.filter((mail) => mail.to === owner));
    expect(second?.map(({ text }) => text)).toEqual(to?.map(({ text }) => text));
    return (to ?? [])
      .map(({ subject, text }) => [
        subject.replace(/^.* at 127\.0\.0\.1:\d+ /, ''),
        /Its last answer: (.*)/.exec(text)?.[1],
      ])
      .sort();
  };
  const land = (count: number) => landEvents(time.deps, shop.id, count);
  const pass = (milliseconds: number) => time.runUntil(world.clock.now() + milliseconds);
  return { world, merchant, shop, endpointId, api, told, land, pass };
};

describe('the owners of a business with one live endpoint are mailed', () => {
  test('when it is suspended, has failed for an hour, and works again, each once, with its last answer', async () => {
    const { merchant, told, land, pass } = await open();
    merchant.answers(503);
    await land(6);
    await pass(MINUTE);
    expect(await told()).toEqual([['is suspended', 'HTTP status 503']]);
    await pass(57 * MINUTE);
    expect(await told()).toEqual([]);
    merchant.answers(500);
    await pass(2 * HOUR);
    expect(await told()).toEqual([['has failed for an hour', 'HTTP status 500']]);
    await pass(3 * HOUR);
    expect(await told()).toEqual([]);
    merchant.answers(200);
    await pass(2 * HOUR);
    expect(await told()).toEqual([['works again', 'HTTP status 200']]);
    await land(3);
    await pass(DAY);
    expect(await told()).toEqual([]);
  });

  test('when one event alone fails for an hour, which suspends nothing, and once it is taken', async () => {
    const { merchant, told, land, pass } = await open();
    merchant.answers(400);
    await land(1);
    await pass(HOUR);
    expect(await told()).toEqual([]);
    await pass(HOUR);
    expect(await told()).toEqual([['has failed for an hour', 'HTTP status 400']]);
    merchant.answers(200);
    await pass(2 * HOUR);
    expect(await told()).toEqual([['works again', 'HTTP status 200']]);
  });

  test('with the reason where there was no answer, never with a body', async () => {
    const { world, shop, merchant, told, land, pass } = await open();
    await merchant.stop();
    running.splice(0);
    await land(6);
    await pass(MINUTE);
    const [notice] = await world.itemsOf('MAIL');
    expect(notice?.about).toMatchObject({ kind: 'endpoint', answer: { statusCode: null } });
    expect(notice?.businessIds).toEqual([shop.id]);
    expect(await told()).toEqual([['is suspended', 'The request failed (ECONNREFUSED).']]);
  });

  test('when it is switched off for its failures', async () => {
    const { merchant, told, land, pass, api, endpointId } = await open();
    merchant.answers(410);
    await land(1);
    await pass(SECOND);
    await pass(3 * HOUR);
    const mails = await told();
    expect(mails.at(-1)).toEqual(['was switched off', 'HTTP status 410']);
    expect((await api.getEndpoint(endpointId)).json.data).toMatchObject({
      enabled: false,
      disabled_reason: 'It answered 410 Gone twice.',
    });
  });

  test('unless they have switched these mails off', async () => {
    const { world, shop, merchant, land, pass } = await open();
    const second = dashboardClient(world, await signIn(world, SECOND_OWNER), shop.id);
    await second.chooseMail({ body: { endpoints: false } });
    merchant.answers(503);
    await land(6);
    await pass(MINUTE);
    expect((await mailNotices(world)).map(({ to, text }) => [to, text.includes(SIGN_IN_URL)])).toEqual([[OWNER, true]]);
    const first = dashboardClient(world, await signIn(world, OWNER), shop.id);
    await first.chooseMail({ body: { endpoints: false } });
    await pass(2 * HOUR);
    expect([await mailNotices(world), await world.itemsOf('MAIL')]).toEqual([[], []]);
  });

  longTest('once in four hours, where it fails and works again all the time', async () => {
    const { merchant, told, land, pass } = await open();
    const subjects: string[] = [];
    for (let n = 0; n < 12; n += 1) {
      merchant.answers(500);
      await land(6);
      await pass(3 * MINUTE);
      merchant.answers(200);
      await pass(7 * MINUTE);
      subjects.push(...(await told()).map(([subject]) => subject ?? ''));
    }
    expect(subjects).toEqual(['is suspended', 'works again']);
  });
});

longTest(
  'owners hear again of an endpoint that goes on failing at another URL, or after it was switched on',
  async () => {
    const { merchant, told, land, pass, api, endpointId } = await open();
    merchant.answers(500);
    await land(6);
    await pass(MINUTE);
    expect(await told()).toEqual([['is suspended', 'HTTP status 500']]);
    await api.updateEndpoint(endpointId, { url: `${merchant.url}/other` });
    await told();
    await pass(3 * HOUR);
    expect(await told()).toEqual([
      ['has failed for an hour', 'HTTP status 500'],
      ['is suspended', 'HTTP status 500'],
    ]);
  },
);

describe('a key that sends the URL again that an endpoint has', () => {
  test('keeps no failure from its owners', async () => {
    const { merchant, told, land, pass, api, endpointId } = await open();
    merchant.answers(400);
    await land(1);
    for (let n = 0; n < 9; n += 1) {
      await pass(20 * MINUTE);
      await api.updateEndpoint(endpointId, { url: merchant.url });
    }
    expect(await told()).toEqual([['has failed for an hour', 'HTTP status 400']]);
  });

  longTest('has them mailed of no suspension twice', async () => {
    const { merchant, told, land, pass, api, endpointId } = await open();
    merchant.answers(500);
    await land(6);
    for (let n = 0; n < 20; n += 1) {
      await pass(MINUTE);
      await api.updateEndpoint(endpointId, { url: merchant.url });
    }
    expect(await told()).toEqual([['is suspended', 'HTTP status 500']]);
  });
});

longTest('whoever recovers it again and again keeps no failure from its owners, and it works again once', async () => {
  const { world, merchant, told, land, pass, api, endpointId } = await open();
  const recover = async (): Promise<void> => {
    await pass(25 * MINUTE);
    await api.recoverEndpoint(endpointId, { since: new Date(world.clock.now() - DAY).toISOString() });
  };
  merchant.answers(500);
  await land(12);
  for (let n = 0; n < 6; n += 1) await recover();
  expect(await told()).toEqual([
    ['has failed for an hour', 'HTTP status 500'],
    ['is suspended', 'HTTP status 500'],
  ]);
  merchant.answers(200);
  await recover();
  await pass(4 * HOUR);
  expect((await told()).map(([subject]) => subject)).toEqual(['works again']);
  merchant.answers(500);
  await land(12);
  await pass(10 * MINUTE);
  expect(await told()).toEqual([['is suspended', 'HTTP status 500']]);
});

test('a failure of minutes, a slow endpoint, and all of test mode are told nobody', async () => {
  const { merchant, told, land, pass } = await open();
  merchant.answers(500);
  await land(1);
  await pass(MINUTE);
  merchant.answers(200);
  await pass(DAY);
  expect(await told()).toEqual([]);
  const test = await open('test');
  test.merchant.answers(500);
  await test.land(6);
  await test.pass(3 * HOUR);
  expect([await test.told(), await test.world.itemsOf('MAIL')]).toEqual([[], []]);
});

longTest('what is told is written with the breaker: consumers that get in one another’s way tell it once', async () => {
  const { world, merchant, land, pass } = await open();
  merchant.answers(500);
  await land(30);
  await pass(MINUTE);
  expect((await world.itemsOf('MAIL')).map(({ about }) => (about as { news: string }).news)).toEqual(['suspended']);
});
