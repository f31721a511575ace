import { deriveUserId } from '#shared/members/domain/user.ts';
import { resetPasskeys } from '#shared/members/use-cases/change-members.ts';
import { HOUR } from '#shared/platform/kernel/time.ts';
import { longTest } from '#test/support/jest/long.ts';
import { createAccountClient, signInSteppedUp } from '#test/support/worlds/account-client.ts';
import { firstLines, invite, mailNotices, SIGN_IN_URL, signIn } from '#test/support/worlds/dashboard.ts';
import { createDashboardClient } from '#test/support/worlds/dashboard-client.ts';
import { makeWorld } from '#test/support/worlds/world.ts';

const OWNER = 'ada@ada-stores.example.com';
const DEVELOPER = 'chidi@ada-stores.example.com';

const open = async () => {
  const world = await makeWorld();
  const shop = (await world.addBusiness()).id;
  await invite(world, shop, OWNER, 'owner');
  const { cookie } = await signInSteppedUp(world, OWNER);
  await mailNotices(world);
  return { world, shop, owner: createDashboardClient(world, cookie(), shop) };
};

describe('an owner', () => {
  test('invites, changes and removes members with effect from the next request, and the owners are mailed', async () => {
    const { world, shop, owner } = await open();
    const { status, json } = await owner.invite({ body: { email: 'Chidi@Ada-Stores.example.com', role: 'viewer' } });
    expect(status).toBe(201);
    expect(json.data.members.map(({ email, role }: { email: string; role: string }) => [email, role])).toEqual([
      [OWNER, 'owner'],
      [DEVELOPER, 'viewer'],
    ]);
    const id = deriveUserId(DEVELOPER);
    const chidi = createDashboardClient(world, await signIn(world, DEVELOPER), shop);
    expect((await chidi.audit({})).json.code).toBe('forbidden_role');
    world.clock.advance(1_000);
    await owner.changeRole({ params: { id }, body: { role: 'developer' } });
    expect((await chidi.audit({})).status).toBe(200);
    world.clock.advance(1_000);
    await owner.remove({ params: { id } });
    expect((await chidi.members({})).json.code).toBe('forbidden_role');
    const sent = await mailNotices(world);
    const [changed, removed] = [
      `${OWNER} changed the role of ${DEVELOPER} from viewer to developer.`,
      `${OWNER} removed the member ${DEVELOPER}.`,
    ];
    const mailedTo = (reader: string) => firstLines(sent.filter(({ to }) => to === reader));
    expect(mailedTo(OWNER)).toEqual([changed, `${OWNER} made ${DEVELOPER} a member with the role viewer.`, removed]);
    expect(mailedTo(DEVELOPER)).toEqual([
      changed,
      `${OWNER} invites you to the payments dashboard of Ada Stores Limited, as a viewer.`,
      removed,
    ]);
    const { data } = (await owner.audit({})).json;
    expect(data.map(({ action }: { action: string }) => action)).toEqual([
      'DELETE /v1/members/{id}',
      'PATCH /v1/members/{id}',
      'POST /v1/members',
      'POST /passkeys',
    ]);
  });

  test('invites a person by a mail that names the inviter and the business, and says how to sign in', async () => {
    const { world, owner } = await open();
    await owner.invite({ body: { email: DEVELOPER, role: 'developer' } });
    const [mail, ...others] = (await mailNotices(world)).filter(({ to }) => to === DEVELOPER);
    expect(others).toEqual([]);
    expect(mail).toEqual({
      to: DEVELOPER,
      subject: `${OWNER} invites you to Ada Stores Limited`,
      text: `${OWNER} invites you to the payments dashboard of Ada Stores Limited, as a developer.

Ada Stores Limited takes bank transfers through this payments service. The dashboard shows its payments. As a developer, you can see everything, and work with keys, webhooks, checkouts, virtual accounts and the profile.

To sign in, open the dashboard and enter ${DEVELOPER}. We mail you a code. Enter the code to sign in. There is no password.

Dashboard: ${SIGN_IN_URL}

If you do not know Ada Stores Limited or ${OWNER}, ignore this mail. Nothing happens unless you sign in.
`,
    });
    // The code goes to the address that the mail names.
    expect(await signIn(world, DEVELOPER)).toContain('session=');
  });

  test('can cause few mails an hour to a stranger, however often that person is invited, changed and removed', async () => {
    const { world, shop, owner } = await open();
    const id = deriveUserId(DEVELOPER);
    const mails = async () => (await mailNotices(world)).filter(({ to }) => to === DEVELOPER).length;
    const codes: string[] = [];
    for (let n = 0; n < 30; n++) {
      codes.push((await owner.invite({ body: { email: DEVELOPER, role: 'viewer' } })).json.code ?? 'invited');
      await owner.remove({ params: { id } });
      world.clock.advance(100);
    }
    expect(codes).toEqual([...Array(6).fill('invited'), ...Array(24).fill('rate_limited')]);
    // These are six invitations, and the six removals that followed them.
    expect(await mails()).toBe(12);
    expect((await owner.invite({ body: { email: 'bisi@ada-stores.example.com', role: 'viewer' } })).status).toBe(201);
    // Operators have no limit, and a member can be removed at any time.
    await invite(world, shop, DEVELOPER, 'viewer');
    const refused = await owner.changeRole({ params: { id }, body: { role: 'developer' } });
    expect(refused.json.code).toBe('rate_limited');
    // The wait lasts until the hour ends, which is less than an hour.
    expect(Number(refused.headers['retry-after'])).toBe(Math.ceil((HOUR - (world.clock.now() % HOUR)) / 1_000));
    expect((await owner.resetPasskeys({ params: { id } })).json.code).toBe('rate_limited');
    expect((await owner.remove({ params: { id } })).status).toBe(200);
  });

  longTest('can cause mails to sixty strangers an hour', async () => {
    const { world, owner } = await open();
    const statuses: number[] = [];
    for (let n = 0; n < 62; n++) {
      const email = `person${n}@example.com`;
      statuses.push((await owner.invite({ body: { email, role: 'viewer' } })).status);
      await owner.remove({ params: { id: deriveUserId(email) } });
      world.clock.advance(100);
    }
    expect(statuses).toEqual([...Array(60).fill(201), 429, 429]);
    // The invitations did not count towards the limit of sign-in codes.
    expect((await createAccountClient(world).askForCode({ body: { email: OWNER } })).status).toBe(202);
  });

  test('cannot remove the last owner, invite a member twice, or remove a stranger', async () => {
    const { owner } = await open();
    const id = deriveUserId(OWNER);
    const last = await owner.remove({ params: { id } });
    expect([last.status, last.json.code, last.json.message]).toEqual([
      409,
      'not_possible',
      'A business has at least one owner. Make another member owner first.',
    ]);
    expect((await owner.changeRole({ params: { id }, body: { role: 'viewer' } })).json.code).toBe('not_possible');
    expect((await owner.invite({ body: { email: OWNER, role: 'viewer' } })).json.code).toBe('not_possible');
    expect((await owner.remove({ params: { id: 'usr_none' } })).json.code).toBe('not_possible');
    expect((await owner.invite({ body: { email: 'nobody', role: 'king' } })).status).toBe(422);
  });

  test('resets the passkeys of a member, which ends the member’s sessions', async () => {
    const { world, shop, owner } = await open();
    await invite(world, shop, DEVELOPER, 'developer');
    const chidi = createAccountClient(world, await signIn(world, DEVELOPER));
    await chidi.addPasskey();
    expect((await owner.resetPasskeys({ params: { id: deriveUserId(DEVELOPER) } })).status).toBe(200);
    expect((await chidi.me()).json.code).toBe('sign_in_required');
    const again = createAccountClient(world, await signIn(world, DEVELOPER));
    expect((await again.addPasskey()).status).toBe(201);
  });

  test('cannot reset the passkeys of a member of another business, but operations can', async () => {
    const { world, shop, owner } = await open();
    const other = (await world.addBusiness()).id;
    await invite(world, shop, DEVELOPER, 'developer');
    await invite(world, other, DEVELOPER, 'owner');
    const chidi = createAccountClient(world, await signIn(world, DEVELOPER));
    await chidi.addPasskey();
    const userId = deriveUserId(DEVELOPER);
    const { json } = await owner.resetPasskeys({ params: { id: userId } });
    expect(json.message).toContain('Ask operations');
    expect((await chidi.me()).json.data.passkeys).toHaveLength(1);
    await resetPasskeys(world.deps, { businessId: shop, userId, actor: 'a test' });
    expect((await world.deps.users.find(userId))?.passkeys).toEqual([]);
  });
});

describe('the profile of a business', () => {
  test('can be changed with a passkey, causes a mail to the owners, and takes only valid values', async () => {
    const { world, owner } = await open();
    const body = { display_name: 'Ada’s', support: '+234 803 123 4567', websites: ['https://shop.example.ng'] };
    const { status, json } = await owner.setBusiness({ body });
    expect(status).toBe(200);
    expect(json.data).toMatchObject({ display_name: 'Ada’s', support: '+2348031234567', brand_color: null });
    expect((await owner.business({})).json.data.websites).toEqual(['https://shop.example.ng']);
    expect(firstLines(await mailNotices(world))).toEqual([expect.stringContaining('set the profile: display name')]);
    const wrong = await owner.setBusiness({ body: { websites: ['shop.example.ng/path'] } });
    expect([wrong.status, wrong.json.message]).toEqual([409, expect.stringContaining('not the origin of a website')]);
    const fields = { display_name: 'a\nb', support: 'ask us', websites: ['shop'], brand_color: 'green' };
    for (const [field, value] of Object.entries(fields)) {
      const { json: refused } = await owner.setBusiness({ body: { [field]: value } });
      expect(refused.errors).toEqual([{ field, message: refused.message }]);
    }
  });

  test('cannot be changed after a sign-in with only a code', async () => {
    const { world, shop } = await open();
    const code = createDashboardClient(world, await signIn(world, OWNER), shop);
    expect((await code.setBusiness({ body: { support: null } })).json.code).toBe('step_up_required');
  });
});

test('owners are mailed about live keys, but not about test keys', async () => {
  const { world, owner } = await open();
  const { json } = await owner.create({ mode: 'live', body: { kind: 'secret' } });
  await owner.whitelist({ mode: 'live', params: { id: json.data.id }, body: { ip_whitelist: ['102.89.23.17'] } });
  await owner.create({ body: { kind: 'secret' } });
  const key = `the live secret key sk_live_…${json.data.last_four}`;
  expect(firstLines(await mailNotices(world))).toEqual([
    `${OWNER} created ${key}.`,
    `${OWNER} set the whitelist of ${key} to 102.89.23.17; before, it was any address.`,
  ]);
});

describe('sessions', () => {
  test('appear with browser and address, and can be ended only by their user', async () => {
    const { world, shop } = await open();
    const [own, other] = [
      createAccountClient(world, await signIn(world, OWNER)),
      createAccountClient(world, await signIn(world, OWNER)),
    ];
    const { json } = await own.sessions();
    expect(json.data.filter(({ current }: { current: boolean }) => current)).toHaveLength(1);
    expect(json.data).toContainEqual(
      expect.objectContaining({ browser: 'Firefox', address: '102.89.23.17', used_passkey: false }),
    );
    const { id } = (await other.me()).json.data.session;
    await invite(world, shop, DEVELOPER, 'developer');
    const chidi = createAccountClient(world, await signIn(world, DEVELOPER));
    expect((await chidi.endSession({ params: { id } })).json.code).toBe('session_not_found');
    expect((await own.endSession({ params: { id } })).status).toBe(200);
    expect((await other.me()).json.code).toBe('sign_in_required');
  });
});
