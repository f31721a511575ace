import { deriveUserId, MAX_BUSINESSES_PER_USER } from '#shared/members/domain/user.ts';
import type { Mail, SendMail } from '#shared/members/ports.ts';
import { changeRole, endMembership } from '#shared/members/use-cases/change-members.ts';
import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { longTest } from '#test/support/jest/long.ts';
import { createAccountClient, signInSteppedUp } from '#test/support/worlds/account-client.ts';
import { invite, mailNotices, signIn } from '#test/support/worlds/dashboard.ts';
import { createDashboardClient } from '#test/support/worlds/dashboard-client.ts';
import { makeWorld } from '#test/support/worlds/world.ts';

const OWNER = 'ada@ada-stores.example.com';
const SECOND_OWNER = 'dayo@ada-stores.example.com';
const DEVELOPER = 'chidi@ada-stores.example.com';
const VIEWER = 'bisi@ada-stores.example.com';
const OTHER_OWNER = 'emeka@emeka-motors.example.com';

/** Groups mails by their text. Lists the readers of each text. */
const readersOf = (sent: readonly Mail[]): string[][] =>
  [...Map.groupBy(sent, ({ text }) => text).values()].map((mails) => mails.map(({ to }) => to).sort());

/** Makes a business with two owners, a developer and a viewer. */
const open = async () => {
  const world = await makeWorld();
  const shop = (await world.addBusiness()).id;
  await invite(world, shop, OWNER, 'owner');
  await invite(world, shop, SECOND_OWNER, 'owner');
  await invite(world, shop, DEVELOPER, 'developer');
  await invite(world, shop, VIEWER, 'viewer');
  const at = async (email: string) => {
    const client = createDashboardClient(world, (await signInSteppedUp(world, email)).cookie(), shop);
    await mailNotices(world);
    return client;
  };
  const waiting = async () => (await world.itemsOf('MAIL')).length;
  return { world, shop, at, waiting, mail: (take?: SendMail) => mailNotices(world, take) };
};

describe('a notice reaches', () => {
  test('every owner, and nobody else, if a developer changes live keys', async () => {
    const { mail, at } = await open();
    const chidi = await at(DEVELOPER);
    const { json } = await chidi.create({ mode: 'live', body: { kind: 'secret' } });
    const params = { id: json.data.id };
    await chidi.whitelist({ mode: 'live', params, body: { ip_whitelist: ['102.89.23.17'] } });
    await chidi.roll({ mode: 'live', params, body: { grace_seconds: 60 } });
    await chidi.revoke({ mode: 'live', params });
    expect(readersOf(await mail())).toEqual(Array(4).fill([OWNER, SECOND_OWNER]));
  });

  test('every owner and the member whom it concerns, an owner only once', async () => {
    const { mail, at } = await open();
    const ada = await at(OWNER);
    await ada.invite({ body: { email: 'new@ada-stores.example.com', role: 'viewer' } });
    await ada.changeRole({ params: { id: deriveUserId(VIEWER) }, body: { role: 'developer' } });
    await ada.resetPasskeys({ params: { id: deriveUserId(DEVELOPER) } });
    await ada.resetPasskeys({ params: { id: deriveUserId(SECOND_OWNER) } });
    expect(readersOf(await mail()).toSorted()).toEqual(
      [
        // The mail to the invited person has a text of its own.
        [OWNER, SECOND_OWNER],
        ['new@ada-stores.example.com'],
        [OWNER, VIEWER, SECOND_OWNER].sort(),
        [OWNER, DEVELOPER, SECOND_OWNER].sort(),
        [OWNER, SECOND_OWNER],
      ].toSorted(),
    );
  });

  test('an owner who was removed, and the owners at the time of mailing', async () => {
    const { world, shop, mail, at } = await open();
    const ada = await at(OWNER);
    await ada.remove({ params: { id: deriveUserId(SECOND_OWNER) } });
    await changeRole(world.deps, { businessId: shop, userId: deriveUserId(VIEWER), role: 'owner', actor: 'a test' });
    await endMembership(world.deps, { businessId: shop, userId: deriveUserId(OWNER), actor: 'a test' });
    expect(readersOf(await mail())).toEqual([[VIEWER, SECOND_OWNER]]);
  });

  test('the owners of all businesses of a member who adds a passkey, and the member, each once', async () => {
    const { world, mail } = await open();
    const other = (await world.addBusiness()).id;
    await invite(world, other, OTHER_OWNER, 'owner');
    await invite(world, other, OWNER, 'owner');
    await invite(world, other, DEVELOPER, 'viewer');
    const chidi = createAccountClient(world, await signIn(world, DEVELOPER));
    expect((await chidi.addPasskey()).status).toBe(201);
    expect(readersOf(await mail())).toEqual([[OWNER, DEVELOPER, SECOND_OWNER, OTHER_OWNER]]);
  });

  longTest('the owners of all businesses of a member who is in as many businesses as possible', async () => {
    const world = await makeWorld();
    const owners = Array.from({ length: MAX_BUSINESSES_PER_USER }, (_, n) => `owner-${n}@example.com`);
    for (const owner of owners) {
      const { id } = await world.addBusiness();
      await invite(world, id, owner, 'owner');
      await invite(world, id, DEVELOPER, 'viewer');
    }
    const chidi = createAccountClient(world, await signIn(world, DEVELOPER));
    expect((await chidi.addPasskey()).status).toBe(201);
    expect(readersOf(await mailNotices(world))).toEqual([[...owners, DEVELOPER].sort()]);
  });
});

describe('a notice is not lost', () => {
  /** Makes a notice to two owners. `refuse` gives the result of the mail to the first owner. */
  const withRefused = async (refuse: () => Promise<'refused'>) => {
    const opened = await open();
    const ada = await opened.at(OWNER);
    await ada.create({ mode: 'live', body: { kind: 'secret' } });
    return {
      ...opened,
      read: async () => readersOf(await opened.mail(({ to }) => (to === OWNER ? refuse() : sent()))),
    };
  };
  const sent = async () => 'sent' as const;
  const refused = async () => 'refused' as const;

  test('if an owner’s address is refused for good: the other owner gets it, and no mail is tried again', async () => {
    const { read, waiting } = await withRefused(refused);
    expect([await read(), await waiting()]).toEqual([[[SECOND_OWNER]], 0]);
  });

  test('if one owner’s mail fails: the other owner gets it once, and only the failed mail is sent again', async () => {
    const { world, read, mail, waiting } = await withRefused(() => Promise.reject(new Error('Throttled.')));
    expect([await read(), await waiting()]).toEqual([[[SECOND_OWNER]], 1]);
    expect(world.logged).toContainEqual(expect.objectContaining({ event: 'work_failed', kind: 'notice' }));
    world.clock.advance(5 * MINUTE - 1);
    expect(await mail()).toEqual([]);
    world.clock.advance(1);
    expect([readersOf(await mail()), await waiting()]).toEqual([[[OWNER]], 0]);
  });

  test('if too many mails are sent in a second: the failed mail is sent again a second later', async () => {
    const { world, at } = await open();
    const ada = await at(OWNER);
    await ada.create({ mode: 'live', body: { kind: 'secret' } });
    let tries = 0;
    const throttled: SendMail = async () => {
      tries += 1;
      if (tries === 2) throw new Error('Throttled.');
      return 'sent';
    };
    expect(readersOf(await mailNotices(world, throttled))).toEqual([[OWNER, SECOND_OWNER]]);
  });

  test('if it is refused for everybody: it is sent again each hour, and operators see it', async () => {
    const { world, at, mail, waiting } = await open();
    const ada = await at(OWNER);
    await ada.create({ mode: 'live', body: { kind: 'secret' } });
    expect([await mail(refused), await waiting()]).toEqual([[], 1]);
    expect(world.logged).toContainEqual({ event: 'mail_refused', refused: 2, readers: 2 });
    world.clock.advance(59 * MINUTE);
    expect(await mail()).toEqual([]);
    world.clock.advance(MINUTE);
    expect(readersOf(await mail())).toEqual([[OWNER, SECOND_OWNER]]);
  });

  test('if its sender dies: it is sent again', async () => {
    const { world, at, mail } = await open();
    const ada = await at(OWNER);
    await ada.create({ mode: 'live', body: { kind: 'secret' } });
    const dead = { ...world, deps: { ...world.deps, businesses: { ...world.deps.businesses, findAll: dies } } };
    expect(await mailNotices(dead)).toEqual([]);
    world.clock.advance(5 * MINUTE);
    expect(readersOf(await mail())).toEqual([[OWNER, SECOND_OWNER]]);
  });
  const dies = () => Promise.reject(new Error('Killed.'));

  test('if two senders run at the same time: each reader gets it once', async () => {
    const { at, mail } = await open();
    const ada = await at(OWNER);
    await ada.create({ mode: 'live', body: { kind: 'secret' } });
    const both = await Promise.all([mail(), mail()]);
    expect(readersOf(both.flat())).toEqual([[OWNER, SECOND_OWNER]]);
  });

  test('if a run ends early: the next run mails the other readers', async () => {
    const { world, at, mail } = await open();
    const ada = await at(OWNER);
    await ada.create({ mode: 'live', body: { kind: 'secret' } });
    const slow: SendMail = async () => {
      world.clock.advance(10 * SECOND);
      return 'sent';
    };
    const first = await mailNotices(world, slow, world.clock.now() + SECOND);
    const second = await mail();
    expect([first.length, second.length, readersOf([...first, ...second])]).toEqual([1, 1, [[OWNER, SECOND_OWNER]]]);
  });

  test('if the process crashes after the change: it is written with the change, once for each change', async () => {
    const { world, at, waiting } = await open();
    const ada = await at(OWNER);
    const create = () => ada.create({ mode: 'live', body: { kind: 'secret' } });
    const before = (await world.itemsOf('KEY')).length;
    const created = await Promise.all(Array.from({ length: 5 }, create));
    expect(created.map(({ status }) => status)).toEqual(Array(5).fill(201));
    expect([(await world.itemsOf('KEY')).length - before, await waiting()]).toEqual([5, 5]);
  });

  test('because of a name or an address that no queue or mail server takes: the API accepts no such text', async () => {
    const { world, at, waiting } = await open();
    const chidi = createAccountClient(world, await signIn(world, DEVELOPER));
    const { status, json } = await chidi.addPasskey(undefined, 'phone\uffff');
    expect([status, json.code, await waiting()]).toEqual([422, 'validation_failed', 0]);
    expect((await chidi.me()).json.data.passkeys).toEqual([]);
    const ada = await at(OWNER);
    const invited = await ada.invite({ body: { email: 'a@x-.com', role: 'owner' } });
    expect([invited.status, await waiting()]).toEqual([422, 0]);
  });
});

test('each run measures how long a notice has waited, unless it is refused for everybody', async () => {
  const { world, at, mail } = await open();
  const lags = () => world.measured.filter(({ metric }) => metric === 'notice_lag').map(({ value }) => value);
  const ada = await at(OWNER);
  const before = lags().length;
  await mail();
  await ada.create({ mode: 'live', body: { kind: 'secret' } });
  await mail(async () => 'refused');
  world.clock.advance(60 * MINUTE);
  await mail(() => Promise.reject(new Error('Throttled.')));
  world.clock.advance(5 * MINUTE);
  await mail();
  expect(lags().slice(before)).toEqual([0, 0, 60 * MINUTE, 65 * MINUTE]);
});
