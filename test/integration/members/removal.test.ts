import type { Business } from '#shared/businesses/domain/business.ts';
import { suspendBusiness } from '#shared/businesses/use-cases/suspend-business.ts';
import { deriveUserId } from '#shared/members/domain/user.ts';
import { changeRole, endMembership } from '#shared/members/use-cases/change-members.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import { signInSteppedUp } from '#test/support/worlds/account-client.ts';
import { invite } from '#test/support/worlds/dashboard.ts';
import { createDashboardClient } from '#test/support/worlds/dashboard-client.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

const OWNER = 'ada@ada-stores.example.com';
const SECOND_OWNER = 'dayo@ada-stores.example.com';
const DEVELOPER = 'chidi@ada-stores.example.com';

/** Makes a world in which every admitted request waits until `release` is called. `admitted` resolves when `count` requests wait. */
const makeHeldWorld = (world: World, count: number) => {
  const [all, after] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let waiting = 0;
  const find = async (id: string): Promise<Business | undefined> => {
    const member = await world.deps.members.find(id);
    waiting += 1;
    if (waiting === count) all.resolve();
    await after.promise;
    return member;
  };
  const heldWorld: World = { ...world, deps: { ...world.deps, members: { ...world.deps.members, find } } };
  return { heldWorld, admitted: all.promise, release: after.resolve };
};

/** Makes a business with an owner, and with everything that members can change. */
const open = async () => {
  const world = await makeWorld();
  const shop = (await world.addBusiness()).id;
  await invite(world, shop, OWNER, 'owner');
  await invite(world, shop, SECOND_OWNER, 'owner');
  await invite(world, shop, DEVELOPER, 'developer');
  const cookie = (await signInSteppedUp(world, OWNER)).cookie();
  const ada = createDashboardClient(world, cookie, shop);
  const key = (await ada.create({ body: { kind: 'secret' } })).json.data.id;
  const endpoint = (await ada.createEndpoint({ body: { url: 'https://shop.example.com/hooks' } })).json.data.id;
  const stored = () => world.deps.businesses.find(shop);

  type Client = ReturnType<typeof createDashboardClient>;
  const developerRequests = (client: Client) => [
    client.create({ body: { kind: 'secret' } }),
    client.whitelist({ params: { id: key }, body: { ip_whitelist: ['102.89.23.17'] } }),
    client.roll({ params: { id: key }, body: { grace_seconds: 60 } }),
    client.revoke({ params: { id: key } }),
    client.setBusiness({ body: { display_name: 'Not Ada' } }),
    client.createEndpoint({ body: { url: 'https://elsewhere.example.com/hooks' } }),
    client.updateEndpoint({ params: { id: endpoint }, body: { enabled: false } }),
    client.rotateSecret({ params: { id: endpoint }, body: { grace_seconds: 0 } }),
    client.deleteEndpoint({ params: { id: endpoint } }),
  ];
  const ownerRequests = (client: Client, invitations: number) => [
    ...Array.from({ length: invitations }, (_, n) =>
      client.invite({ body: { email: `friend-${n}@elsewhere.example.com`, role: 'owner' } }),
    ),
    client.changeRole({ params: { id: deriveUserId(DEVELOPER) }, body: { role: 'owner' } }),
    client.remove({ params: { id: deriveUserId(DEVELOPER) } }),
    client.resetPasskeys({ params: { id: deriveUserId(DEVELOPER) } }),
  ];
  /**
   * Lets the owner's requests be admitted, makes a change, and lets the requests continue. Returns the codes of the answers, and the business before
   * and after.
   */
  const race = async (
    count: number,
    requests: (client: Client) => Promise<{ readonly json: { readonly code?: string } }>[],
    change: () => Promise<unknown>,
  ) => {
    const { heldWorld, admitted, release } = makeHeldWorld(world, count);
    const answers = requests(createDashboardClient(heldWorld, cookie, shop));
    await admitted;
    await change();
    const before = await stored();
    release();
    const codes = (await Promise.all(answers)).map(({ json }) => json.code);
    return { codes, before, after: await stored() };
  };
  return { world, shop, endpoint, developerRequests, ownerRequests, race };
};

const EVERYTHING = { actor: null, action: null, from: null };
const WHOM = { userId: deriveUserId(OWNER), actor: 'a test' } as const;

describe('a request that an owner has under way changes nothing', () => {
  test('after the owner was removed', async () => {
    const { world, shop, developerRequests, ownerRequests, race } = await open();
    const { codes, before, after } = await race(
      24,
      (ada) => [...ownerRequests(ada, 12), ...developerRequests(ada)],
      () => endMembership(world.deps, { ...WHOM, businessId: shop }),
    );
    expect(codes).toEqual(Array(24).fill('forbidden_role'));
    expect(after).toEqual(before);
  });

  test('after the owner was removed, and has no audit entry, even if API keys may send the same request', async () => {
    const { world, shop, endpoint, race } = await open();
    const { codes } = await race(
      8,
      (ada) =>
        Array.from({ length: 8 }, () =>
          ada.recover({ params: { id: endpoint }, body: { since: '2026-11-01T00:00:00Z' } }),
        ),
      () => endMembership(world.deps, { ...WHOM, businessId: shop }),
    );
    expect(codes).toEqual(Array(8).fill('forbidden_role'));
    const { items } = await world.deps.audit.list(shop, EVERYTHING, { limit: 100, after: null });
    expect(items.filter(({ action }) => action === 'POST /v1/webhook-endpoints/{id}/recover')).toEqual([]);
  });

  test('after the business was suspended', async () => {
    const { world, shop, developerRequests, ownerRequests, race } = await open();
    const { codes, before, after } = await race(
      24,
      (ada) => [...ownerRequests(ada, 12), ...developerRequests(ada)],
      () => suspendBusiness(world.deps, { ...WHOM, businessId: shop }),
    );
    expect(codes).toEqual(Array(24).fill('business_suspended'));
    expect(after).toEqual(before);
  });

  test('after the owner became a developer, if developers may not send the request', async () => {
    const { world, shop, ownerRequests, race } = await open();
    const { codes, after } = await race(
      4,
      (ada) => [...ownerRequests(ada, 1)],
      () => changeRole(world.deps, { ...WHOM, businessId: shop, role: 'developer' }),
    );
    expect(codes).toEqual(Array(4).fill('forbidden_role'));
    expect(after?.members).toHaveLength(3);
  });

  test('after the owner was removed, even if the removal and the request are sent at the same time', async () => {
    const { world, shop, race } = await open();
    let removal: Promise<unknown> = Promise.resolve();
    // So many requests write at the same time that the removal may be told to try again.
    const remove = (): Promise<unknown> =>
      endMembership(world.deps, { ...WHOM, businessId: shop }).catch((error: unknown) =>
        error instanceof ApiError && error.code === 'service_unavailable' ? remove() : Promise.reject(error),
      );
    const memberLists: string[][] = [];
    const { codes } = await race(
      24,
      (ada) =>
        Array.from({ length: 24 }, async (_, n) => {
          const answer = await ada.invite({ body: { email: `friend-${n}@elsewhere.example.com`, role: 'viewer' } });
          if (answer.status === 201) {
            memberLists.push(answer.json.data.members.map(({ email }: { email: string }) => email));
          }
          return answer;
        }),
      async () => {
        removal = remove();
      },
    );
    await removal;
    expect(memberLists.every((members) => members.includes(OWNER))).toBe(true);
    expect(codes.every((code) => [undefined, 'forbidden_role', 'service_unavailable'].includes(code))).toBe(true);
    expect((await world.deps.businesses.find(shop))?.members.some(({ email }) => email === OWNER)).toBe(false);
  });
});
