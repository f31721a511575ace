import { DAY, HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { landEvents } from '#test/support/emulators/landed-events.ts';
import { type SimulatedMerchant, startSimulatedMerchant } from '#test/support/emulators/simulated-merchant.ts';
import { startSimulatedTime } from '#test/support/emulators/simulated-time.ts';
import { longTest } from '#test/support/jest/long.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { invite, mailNotices, SIGN_IN_URL, signIn } from '#test/support/worlds/dashboard.ts';
import { createDashboardClient } from '#test/support/worlds/dashboard-client.ts';
import { makeWorld } from '#test/support/worlds/world.ts';

const OWNER = 'ada@ada-stores.example.com';
const SECOND_OWNER = 'dayo@ada-stores.example.com';

const running: SimulatedMerchant[] = [];
afterEach(async () => {
  for (const merchant of running.splice(0)) await merchant.stop();
});

/** Opens a business with two owners and one endpoint, so that no other endpoint gets `endpoint.disabled`. */
const open = async (mode: 'live' | 'test' = 'live') => {
  const world = await makeWorld();
  const merchant = await startSimulatedMerchant(world.clock.now);
  running.push(merchant);
  const shop = await world.addBusiness([merchant.url], mode);
  await invite(world, shop.id, OWNER, 'owner');
  await invite(world, shop.id, SECOND_OWNER, 'owner');
  const time = startSimulatedTime(world);
  const endpointId = shop.endpoints[0]?.id ?? '';
  const api = createApiClient(world, mode === 'live' ? shop.keys.secret_live : shop.keys.secret_test);
  /** Returns the subject and the last answer of each new mail. Both owners must have the same mails. */
  const takeMails = async () => {
    const sent = await mailNotices(world);
    const [to, second] = [OWNER, SECOND_OWNER].map((owner) => sent.filter((mail) => mail.to === owner));
    expect(second?.map(({ text }) => text)).toEqual(to?.map(({ text }) => text));
    return (to ?? [])
      .map(({ subject, text }) => [
        subject.replace(/^.* at 127\.0\.0\.1:\d+ /, ''),
        /Last answer: (.*)/.exec(text)?.[1],
      ])
      .sort();
  };
  const land = (count: number) => landEvents(time.deps, shop.id, count);
  const pass = (milliseconds: number) => time.runUntil(world.clock.now() + milliseconds);
  return { world, merchant, shop, endpointId, api, takeMails, land, pass };
};

describe('the owners of a business with one live endpoint', () => {
  test('get one mail each about a suspension, a failure of an hour and a recovery, with the last answer', async () => {
    const { merchant, takeMails, land, pass } = await open();
    merchant.answerWith(503);
    await land(6);
    await pass(MINUTE);
    expect(await takeMails()).toEqual([['is suspended', 'HTTP status 503']]);
    await pass(57 * MINUTE);
    expect(await takeMails()).toEqual([]);
    merchant.answerWith(500);
    await pass(2 * HOUR);
    expect(await takeMails()).toEqual([['has failed for an hour', 'HTTP status 500']]);
    await pass(3 * HOUR);
    expect(await takeMails()).toEqual([]);
    merchant.answerWith(200);
    await pass(2 * HOUR);
    expect(await takeMails()).toEqual([['works again', 'HTTP status 200']]);
    await land(3);
    await pass(DAY);
    expect(await takeMails()).toEqual([]);
  });

  test('get a mail about a single event that fails for an hour, and another mail after the event is accepted', async () => {
    const { merchant, takeMails, land, pass } = await open();
    merchant.answerWith(400);
    await land(1);
    await pass(HOUR);
    expect(await takeMails()).toEqual([]);
    await pass(HOUR);
    expect(await takeMails()).toEqual([['has failed for an hour', 'HTTP status 400']]);
    merchant.answerWith(200);
    await pass(2 * HOUR);
    expect(await takeMails()).toEqual([['works again', 'HTTP status 200']]);
  });

  test('get the reason in the mail if there was no answer, but never a body', async () => {
    const { world, shop, merchant, takeMails, land, pass } = await open();
    await merchant.stop();
    running.splice(0);
    await land(6);
    await pass(MINUTE);
    const [notice] = await world.itemsOf('MAIL');
    expect(notice?.about).toMatchObject({ kind: 'endpoint', answer: { statusCode: null } });
    expect(notice?.businessIds).toEqual([shop.id]);
    expect(await takeMails()).toEqual([['is suspended', 'The request failed (ECONNREFUSED).']]);
  });

  test('get a mail if the endpoint is switched off for its failures', async () => {
    const { merchant, takeMails, land, pass, api, endpointId } = await open();
    merchant.answerWith(410);
    await land(1);
    await pass(SECOND);
    await pass(3 * HOUR);
    const mails = await takeMails();
    expect(mails.at(-1)).toEqual(['was switched off', 'HTTP status 410']);
    expect((await api.getEndpoint(endpointId)).json.data).toMatchObject({
      enabled: false,
      disabled_reason: 'It answered 410 Gone twice.',
    });
  });

  test('get no mail if they have switched these mails off', async () => {
    const { world, shop, merchant, land, pass } = await open();
    const second = createDashboardClient(world, await signIn(world, SECOND_OWNER), shop.id);
    await second.chooseMail({ body: { endpoints: false } });
    merchant.answerWith(503);
    await land(6);
    await pass(MINUTE);
    expect((await mailNotices(world)).map(({ to, text }) => [to, text.includes(SIGN_IN_URL)])).toEqual([[OWNER, true]]);
    const first = createDashboardClient(world, await signIn(world, OWNER), shop.id);
    await first.chooseMail({ body: { endpoints: false } });
    await pass(2 * HOUR);
    expect([await mailNotices(world), await world.itemsOf('MAIL')]).toEqual([[], []]);
  });

  longTest('get mails about one outage in four hours if the endpoint fails and works again all the time', async () => {
    const { merchant, takeMails, land, pass } = await open();
    const subjects: string[] = [];
    for (let n = 0; n < 12; n += 1) {
      merchant.answerWith(500);
      await land(6);
      await pass(3 * MINUTE);
      merchant.answerWith(200);
      await pass(7 * MINUTE);
      subjects.push(...(await takeMails()).map(([subject]) => subject ?? ''));
    }
    expect(subjects).toEqual(['is suspended', 'works again']);
  });
});

longTest('owners get mails again about an endpoint that goes on failing at a new URL', async () => {
  const { merchant, takeMails, land, pass, api, endpointId } = await open();
  merchant.answerWith(500);
  await land(6);
  await pass(MINUTE);
  expect(await takeMails()).toEqual([['is suspended', 'HTTP status 500']]);
  await api.updateEndpoint(endpointId, { url: `${merchant.url}/other` });
  await takeMails();
  await pass(3 * HOUR);
  expect(await takeMails()).toEqual([
    ['has failed for an hour', 'HTTP status 500'],
    ['is suspended', 'HTTP status 500'],
  ]);
});

describe('an update that repeats the URL of an endpoint', () => {
  test('does not hide a failure from owners', async () => {
    const { merchant, takeMails, land, pass, api, endpointId } = await open();
    merchant.answerWith(400);
    await land(1);
    for (let n = 0; n < 9; n += 1) {
      await pass(20 * MINUTE);
      await api.updateEndpoint(endpointId, { url: merchant.url });
    }
    expect(await takeMails()).toEqual([['has failed for an hour', 'HTTP status 400']]);
  });

  longTest('does not cause a second mail about a suspension', async () => {
    const { merchant, takeMails, land, pass, api, endpointId } = await open();
    merchant.answerWith(500);
    await land(6);
    for (let n = 0; n < 20; n += 1) {
      await pass(MINUTE);
      await api.updateEndpoint(endpointId, { url: merchant.url });
    }
    expect(await takeMails()).toEqual([['is suspended', 'HTTP status 500']]);
  });
});

longTest(
  'repeated recoveries of an endpoint do not hide a failure from owners, and cause one mail that the endpoint works again',
  async () => {
    const { world, merchant, takeMails, land, pass, api, endpointId } = await open();
    const recover = async (): Promise<void> => {
      await pass(25 * MINUTE);
      await api.recoverEndpoint(endpointId, { since: new Date(world.clock.now() - DAY).toISOString() });
    };
    merchant.answerWith(500);
    await land(12);
    for (let n = 0; n < 6; n += 1) await recover();
    expect(await takeMails()).toEqual([
      ['has failed for an hour', 'HTTP status 500'],
      ['is suspended', 'HTTP status 500'],
    ]);
    merchant.answerWith(200);
    await recover();
    await pass(4 * HOUR);
    expect((await takeMails()).map(([subject]) => subject)).toEqual(['works again']);
    merchant.answerWith(500);
    await land(12);
    await pass(10 * MINUTE);
    expect(await takeMails()).toEqual([['is suspended', 'HTTP status 500']]);
  },
);

test('an endpoint that fails for minutes, or in test mode, causes no mail', async () => {
  const { merchant, takeMails, land, pass } = await open();
  merchant.answerWith(500);
  await land(1);
  await pass(MINUTE);
  merchant.answerWith(200);
  await pass(DAY);
  expect(await takeMails()).toEqual([]);
  const test = await open('test');
  test.merchant.answerWith(500);
  await test.land(6);
  await test.pass(3 * HOUR);
  expect([await test.takeMails(), await test.world.itemsOf('MAIL')]).toEqual([[], []]);
});

longTest(
  'concurrent consumers cause one mail about a suspension, because the mail is written with the breaker',
  async () => {
    const { world, merchant, land, pass } = await open();
    merchant.answerWith(500);
    await land(30);
    await pass(MINUTE);
    expect((await world.itemsOf('MAIL')).map(({ about }) => (about as { news: string }).news)).toEqual(['suspended']);
  },
);
