import type { Stage } from '#infra/ops/connect.ts';
import { createAccountClient } from '#test/support/worlds/account-client.ts';
import { signIn } from '#test/support/worlds/dashboard.ts';
import { runOpsAsJson, runOpsAsText } from '#test/support/worlds/operations.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

const ADA = 'ada@ada-stores.example.com';
const CHIDI = 'chidi@ada-stores.example.com';

let world: World;
let stage: Stage;
let business: string[];
beforeEach(async () => {
  world = await makeWorld();
  stage = { ...world.deps, operator: async () => 'amaka' };
  const { id } = (await runOpsAsJson(stage, 'business', 'create', '--name', 'Ada Stores')).business;
  business = ['--business', id];
});

const member = (...args: string[]) => runOpsAsJson(stage, 'member', ...args, ...business);
const roles = async () =>
  (await member('list')).members.map(({ email, role }: { email: string; role: string }) => [email, role]);

describe('the member commands', () => {
  test('invite members, change their roles and remove them, and each change is recorded', async () => {
    expect(await runOpsAsText(stage, 'member', 'list', ...business)).toContain('This business has no members yet.');
    await member('invite', ' Ada@Ada-Stores.example.com ', '--role', 'owner');
    await member('invite', CHIDI, '--role', 'viewer');
    await member('role', CHIDI, '--role', 'developer');
    expect(await roles()).toEqual([
      [ADA, 'owner'],
      [CHIDI, 'developer'],
    ]);
    await member('remove', CHIDI, '--yes');
    expect(await roles()).toEqual([[ADA, 'owner']]);
    const { changes } = await runOpsAsJson(stage, 'audit', 'list', business[1] ?? '');
    expect(changes.map(({ what }: { what: string }) => what).sort()).toEqual([
      `changed the role of ${CHIDI} from viewer to developer`,
      'created the business "Ada Stores"',
      `made ${ADA} a member with the role owner`,
      `made ${CHIDI} a member with the role viewer`,
      `removed the member ${CHIDI}`,
    ]);
  });

  test('list, confirm and reset passkeys, and each change is recorded', async () => {
    await member('invite', ADA, '--role', 'owner');
    expect(await runOpsAsText(stage, 'member', 'passkeys', ADA, ...business)).toContain('has no passkey yet');
    const { json } = await createAccountClient(world, await signIn(world, ADA)).addPasskey();
    const [{ id }] = json.data.passkeys;
    expect((await member('passkeys', ADA)).passkeys[0]).toMatchObject({ id, name: 'Chrome on Mac' });
    const confirmed = await member('confirm-passkey', ADA, id);
    expect(confirmed.passkeys[0].live_from).toBe(confirmed.passkeys[0].added_at);
    await member('reset-passkeys', ADA, '--yes');
    expect((await member('passkeys', ADA)).passkeys).toEqual([]);
    const { changes } = await runOpsAsJson(stage, 'audit', 'list', business[1] ?? '');
    const what = changes.map((change: { what: string }) => change.what);
    expect(what).toContain(`confirmed the passkey ${id} of ${ADA}`);
    expect(what).toContain(`reset the passkeys of ${ADA}`);
    await expect(member('passkeys', CHIDI)).rejects.toThrow('Nobody with this address');
  });

  test('keep at least one owner', async () => {
    await member('invite', ADA, '--role', 'owner');
    await expect(member('remove', ADA, '--yes')).rejects.toThrow('at least one owner');
    await expect(member('role', ADA, '--role', 'viewer')).rejects.toThrow('at least one owner');
  });

  test('refuse to invite a person twice, or to change somebody who is no member', async () => {
    await member('invite', ADA, '--role', 'owner');
    await expect(member('invite', ADA.toUpperCase(), '--role', 'viewer')).rejects.toThrow('is a member');
    await expect(member('role', CHIDI, '--role', 'viewer')).rejects.toThrow('Nobody with this address');
    await expect(member('invite', 'ada.example.com', '--role', 'owner')).rejects.toThrow(
      'That is not an e-mail address.',
    );
  });

  test('let a person be a member of several businesses, and remove the person from only one', async () => {
    await member('invite', ADA, '--role', 'owner');
    const other = (await runOpsAsJson(stage, 'business', 'create', '--name', 'Ada Fabrics')).business.id;
    await runOpsAsJson(stage, 'member', 'invite', ADA, '--role', 'viewer', '--business', other);
    const ids = async () => (await world.itemsOf('USR'))[0]?.businesses;
    expect(await ids()).toEqual([business[1], other]);
    await runOpsAsJson(stage, 'member', 'remove', ADA, '--business', other, '--yes');
    expect(await ids()).toEqual([business[1]]);
  });

  test('keep all members that are invited at the same time', async () => {
    const emails = Array.from({ length: 8 }, (_, n) => `clerk-${n}@ada-stores.example.com`);
    await Promise.all(emails.map((email) => member('invite', email, '--role', 'viewer')));
    expect((await roles()).map(([email]: string[]) => email).sort()).toEqual(emails);
  });
});
