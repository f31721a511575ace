import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { tokenHash } from '#shared/members/domain/token.ts';
import type { Item } from '#shared/platform/table/table.ts';
import { inNoRole } from '#test/support/permissions/roles.ts';
import { createAccountClient, signInSteppedUp } from '#test/support/worlds/account-client.ts';
import { invite, signIn } from '#test/support/worlds/dashboard.ts';
import { createDashboardClient } from '#test/support/worlds/dashboard-client.ts';
import { CHECKOUT, KEY } from '#test/support/worlds/keyed-requests.ts';
import { api, business, openMerchantForEachTest, world } from '#test/support/worlds/test-merchant.ts';

/* Plays that a newer release wrote items and was rolled back. Screens of the dashboard and used Idempotency-Keys meet these items. */

const OWNER = 'ada@ada-stores.example.com';

openMerchantForEachTest();

/** Changes the first matching item so that this release cannot read it. */
const changeLikeNewerRelease = async (
  sk: string,
  change: Item,
  matches: (item: Item) => boolean = () => true,
): Promise<void> => {
  const item = (await world.itemsOf(sk)).find(matches);
  if (!item) throw new Error('There is no such item.');
  await inNoRole(() =>
    world.table.client.send(new PutCommand({ TableName: world.table.name, Item: { ...item, ...change } })),
  );
};
const readFamilies = () => world.loggedLines('item_unreadable').map(({ family }) => family);

const signInOwner = async () => {
  await invite(world, business.id, OWNER, 'owner');
  const { cookie } = await signInSteppedUp(world, OWNER);
  return { account: createAccountClient(world, cookie()), owner: createDashboardClient(world, cookie(), business.id) };
};

describe('an item that this release cannot read is left out of', () => {
  test('the screens of keys, of endpoints and of the audit log', async () => {
    const { owner } = await signInOwner();
    await owner.create({ body: { kind: 'secret' } });
    const lengths = async () => [
      (await owner.listKeys({})).json.data.keys.length,
      (await api.listEndpoints()).json.data.length,
      (await owner.audit({})).json.data.length,
    ];
    const [keys = 0, endpoints = 0, log = 0] = await lengths();
    const [listed] = (await owner.listKeys({})).json.data.keys;
    await changeLikeNewerRelease('KEY', { kind: 'restricted' }, ({ id }) => id === listed.id);
    await changeLikeNewerRelease('WHE', { events: { all: true } });
    await changeLikeNewerRelease('LOG#', { method: undefined, action: undefined, what: undefined, path: undefined });
    expect(await lengths()).toEqual([keys - 1, endpoints - 1, log - 1]);
    expect(new Set(readFamilies())).toEqual(new Set(['KEY', 'WHE', 'ALOG LOG']));
  });

  test('the screen of sessions', async () => {
    const { account } = await signInOwner();
    const before = (await account.sessions()).json.data.length;
    const other = await signIn(world, OWNER);
    expect((await account.sessions()).json.data).toHaveLength(before + 1);
    const hash = tokenHash(other.slice(other.indexOf('=') + 1));
    await changeLikeNewerRelease('SES', { expiresAt: 'later' }, (item) => item.tokenHash === hash);
    expect((await account.sessions()).json.data).toHaveLength(before);
    expect(readFamilies()).toEqual(['SES']);
    // The session may belong to anybody, so it must admit nobody.
    expect((await createAccountClient(world, other).me()).status).toBe(500);
  });
});

describe('a used Idempotency-Key whose record this release cannot read', () => {
  test.each<[string, Item]>([
    ['an answer', { status: { code: 201 } }],
    ['a claim', { status: undefined, body: undefined, leaseUntil: 'soon', intents: [] }],
  ])('gets a 500 and has no second effect, and a release that can read the record answers: %s', async (_, change) => {
    const first = await api.initialize(CHECKOUT, KEY);
    expect(first.status).toBe(201);
    const [storedRecord] = await world.itemsOf('IDEM');
    await changeLikeNewerRelease('IDEM', change);
    expect((await api.initialize(CHECKOUT, KEY)).status).toBe(500);
    expect(await world.itemsOf('CHK')).toHaveLength(1);
    expect(readFamilies()).toEqual(['IDEM']);
    await changeLikeNewerRelease('IDEM', { ...storedRecord });
    expect((await api.initialize(CHECKOUT, KEY)).text).toBe(first.text);
  });
});
