import { userIdOf } from '#shared/domain/members/user.ts';
import type { Mail, QueuedMail, SendMail } from '#shared/ports/members.ts';
import { changeRole, endMembership } from '#shared/use-cases/members/change-members.ts';
import { sendMail } from '#shared/use-cases/members/send-mail.ts';
import { inRole } from '#test/support/permissions/roles.ts';
import { accountClient, steppedUp } from '#test/support/worlds/account-client.ts';
import { invite, signIn } from '#test/support/worlds/dashboard.ts';
import { dashboardClient } from '#test/support/worlds/dashboard-client.ts';
import { makeWorld } from '#test/support/worlds/world.ts';

const OWNER = 'ada@ada-stores.example.com';
const SECOND_OWNER = 'dayo@ada-stores.example.com';
const DEVELOPER = 'chidi@ada-stores.example.com';
const VIEWER = 'bisi@ada-stores.example.com';
const OTHER_OWNER = 'emeka@emeka-motors.example.com';

/** A business with two owners, a developer and a viewer. */
const open = async () => {
  const world = await makeWorld();
  const shop = (await world.addBusiness()).id;
  await invite(world, shop, OWNER, 'owner');
  await invite(world, shop, SECOND_OWNER, 'owner');
  await invite(world, shop, DEVELOPER, 'developer');
  await invite(world, shop, VIEWER, 'viewer');
  /** Who gets each of the mails that were queued. */
  const readersOf = async (mails: QueuedMail[], take: SendMail = async () => 'sent'): Promise<string[][]> => {
    const readers: string[][] = [];
    for (const queued of mails.splice(0)) {
      const sent: string[] = [];
      const takeOne = async (mail: Mail) => {
        const outcome = await take(mail);
        if (outcome === 'sent') sent.push(mail.to);
        return outcome;
      };
      readers.push(sent);
      await inRole('send-mail', (mail: QueuedMail) => sendMail({ ...world.deps, sendMail: takeOne }, mail))(queued);
    }
    return readers.map((sent) => sent.sort());
  };
  const at = async (email: string) => dashboardClient(world, (await steppedUp(world, email)).cookie(), shop);
  return { world, shop, readersOf, at };
};

describe('a notice reaches', () => {
  test('every owner, and nobody else, when a developer changes live keys', async () => {
    const { readersOf, at } = await open();
    const chidi = await at(DEVELOPER);
    const { json } = await chidi.create({ mode: 'live', body: { kind: 'secret' } });
    const params = { id: json.data.id };
    await chidi.whitelist({ mode: 'live', params, body: { ip_whitelist: ['102.89.23.17'] } });
    await chidi.roll({ mode: 'live', params, body: { grace_seconds: 60 } });
    await chidi.revoke({ mode: 'live', params });
    expect(await readersOf(chidi.mails)).toEqual(Array(4).fill([OWNER, SECOND_OWNER]));
  });

  test('every owner and the member whom it concerns, an owner once', async () => {
    const { readersOf, at } = await open();
    const ada = await at(OWNER);
    await ada.invite({ body: { email: 'new@ada-stores.example.com', role: 'viewer' } });
    await ada.changeRole({ params: { id: userIdOf(VIEWER) }, body: { role: 'developer' } });
    await ada.resetPasskeys({ params: { id: userIdOf(DEVELOPER) } });
    await ada.resetPasskeys({ params: { id: userIdOf(SECOND_OWNER) } });
    expect(await readersOf(ada.mails)).toEqual([
      [OWNER, SECOND_OWNER, 'new@ada-stores.example.com'].sort(),
      [OWNER, VIEWER, SECOND_OWNER].sort(),
      [OWNER, DEVELOPER, SECOND_OWNER].sort(),
      [OWNER, SECOND_OWNER],
    ]);
  });

  test('an owner who was removed, and those who are owners when it is written', async () => {
    const { world, shop, readersOf, at } = await open();
    const ada = await at(OWNER);
    await ada.remove({ params: { id: userIdOf(SECOND_OWNER) } });
    await changeRole(world.deps, { businessId: shop, userId: userIdOf(VIEWER), role: 'owner', who: 'a test' });
    await endMembership(world.deps, { businessId: shop, userId: userIdOf(OWNER), who: 'a test' });
    expect(await readersOf(ada.mails)).toEqual([[VIEWER, SECOND_OWNER]]);
  });

  test('the owners of each business of a member who adds a passkey, and the member', async () => {
    const { world, readersOf } = await open();
    const other = (await world.addBusiness()).id;
    await invite(world, other, OTHER_OWNER, 'owner');
    await invite(world, other, DEVELOPER, 'viewer');
    const chidi = accountClient(world, await signIn(world, DEVELOPER));
    expect((await chidi.addPasskey()).status).toBe(201);
    expect((await readersOf(chidi.mails)).toSorted()).toEqual([
      [OWNER, DEVELOPER, SECOND_OWNER],
      [DEVELOPER, OTHER_OWNER],
    ]);
  });
});

describe('a notice is not silenced', () => {
  /** Owners, one of whom has an address that is not taken. */
  const withRefused = async (refuse: () => Promise<'refused'>) => {
    const opened = await open();
    const ada = await opened.at(OWNER);
    await ada.create({ mode: 'live', body: { kind: 'secret' } });
    const taken: string[] = [];
    const take: SendMail = async ({ to }) => {
      if (to === OWNER) return refuse();
      taken.push(to);
      return 'sent';
    };
    return { ...opened, taken, read: () => opened.readersOf(ada.mails, take) };
  };

  test('by an owner whose address is refused for good, and does not come again', async () => {
    const { read } = await withRefused(async () => 'refused');
    expect(await read()).toEqual([[SECOND_OWNER]]);
  });

  test('by an owner whose mail fails: the others get it, and it comes again', async () => {
    const { read, taken } = await withRefused(() => Promise.reject(new Error('Throttled.')));
    await expect(read()).rejects.toThrow('Throttled.');
    expect(taken).toEqual([SECOND_OWNER]);
  });

  test('by refusing it for everybody: it comes again, and ends where operators see it', async () => {
    const { at, readersOf } = await open();
    const ada = await at(OWNER);
    await ada.create({ mode: 'live', body: { kind: 'secret' } });
    await expect(readersOf(ada.mails, async () => 'refused')).rejects.toThrow('refused for every reader');
  });

  test('by a name or an address that no queue or mail server takes: neither is accepted', async () => {
    const { world, at } = await open();
    const chidi = accountClient(world, await signIn(world, DEVELOPER));
    const { status, json } = await chidi.addPasskey(undefined, 'phone\uffff');
    expect([status, json.code, chidi.mails]).toEqual([422, 'validation_failed', []]);
    expect((await chidi.me()).json.data.passkeys).toEqual([]);
    const ada = await at(OWNER);
    const invited = await ada.invite({ body: { email: 'a@x-.com', role: 'owner' } });
    expect([invited.status, ada.mails]).toEqual([422, []]);
  });
});
