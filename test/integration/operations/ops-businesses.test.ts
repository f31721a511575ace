import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stage } from '#infra/ops/connect.ts';
import { png } from '#test/support/pictures.ts';
import { getLogo } from '#test/support/worlds/logo.ts';
import { runOpsAsJson, runOpsAsText } from '#test/support/worlds/operations.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

let world: World;
let stage: Stage;
beforeEach(async () => {
  world = await makeWorld();
  stage = { ...world.deps, operator: async () => 'amaka' };
});

const ops = (...args: string[]) => runOpsAsJson(stage, ...args);
const printed = (...args: string[]) => runOpsAsText(stage, ...args);
const create = async (name: string): Promise<{ id: string; keys: { id: string; mode: string; kind: string }[] }> => {
  const { business, keys } = await ops('business', 'create', '--name', name);
  world.clock.advance(1);
  return { id: business.id, keys };
};
const whatChanged = async (businessId: string): Promise<unknown[]> =>
  (await ops('audit', 'list', businessId)).changes.map(({ what }: { what: string }) => what);

describe('business find', () => {
  test('finds businesses by a part of their names, newest first, regardless of case and accents', async () => {
    const [ada, , bola] = [await create('Ada Stores'), await create('Chidi & Sons'), await create('Bọ́lá Stores')];
    const found = async (text: string) =>
      (await ops('business', 'find', text)).businesses.map(({ id }: { id: string }) => id);
    expect(await found(' STORES ')).toEqual([bola.id, ada.id]);
    expect(await found('bola')).toEqual([bola.id]);
    await expect(found('Ngozi')).rejects.toThrow('No business has this text in its name.');
    await expect(found(' ')).rejects.toThrow('Give a part of the name of the business.');
  });

  test('shows at most fifty', async () => {
    for (let n = 0; n < 51; n++) await create(`Ada ${n}`);
    const { businesses } = await ops('business', 'find', 'ada');
    expect([businesses.length, businesses[0].name, businesses.at(-1).name]).toEqual([50, 'Ada 50', 'Ada 1']);
  });
});

describe('business rename', () => {
  test('changes only the name, and is recorded once', async () => {
    const { id } = await create('Ada Stores');
    const before = await ops('business', 'show', id);
    const profile = { ...before.business.profile, display_name: 'Ada Stores Limited' };
    const renamed = { ...before.business, name: 'Ada Stores Limited', profile };
    expect(await ops('business', 'rename', id, '--name', ' Ada Stores Limited ')).toEqual({ business: renamed });
    await ops('business', 'rename', id, '--name', 'Ada Stores Limited');
    expect(await ops('business', 'show', id)).toEqual({ ...before, business: renamed });
    const [latest, ...older] = await whatChanged(id);
    expect([latest, older.length]).toEqual(['renamed the business from "Ada Stores" to "Ada Stores Limited"', 1]);
    await expect(ops('business', 'rename', id, '--name', 'a\nb')).rejects.toThrow('A business name has 1 to 100');
  });

  test('keeps a display name that differs from the name', async () => {
    const { id } = await create('Ada Stores');
    await ops('business', 'set', id, '--display-name', 'Ada Fabrics');
    const { business } = await ops('business', 'rename', id, '--name', 'Ada Stores Limited');
    expect([business.name, business.profile.display_name]).toEqual(['Ada Stores Limited', 'Ada Fabrics']);
  });

  test('succeeds while a key is created and the business is suspended at the same time', async () => {
    const { id } = await create('Ada Stores');
    await Promise.all([
      ops('business', 'rename', id, '--name', 'Ada'),
      ops('key', 'create', '--business', id, '--mode', 'test', '--kind', 'secret'),
      ops('business', 'suspend', id),
    ]);
    const { business, keys } = await ops('business', 'show', id);
    expect([business.name, business.suspended, keys.length]).toEqual(['Ada', true, 5]);
  });
});

describe('business set', () => {
  test('changes only what its options name, and is recorded once', async () => {
    const { id } = await create('Ada Stores');
    const initialProfile = {
      display_name: 'Ada Stores',
      support: null,
      websites: [],
      brand_color: null,
      routing: false,
      logo: null,
    };
    expect((await ops('business', 'show', id)).business.profile).toEqual(initialProfile);
    const shop = 'https://shop.adastores.example';
    const list = `https://adastores.example, ${shop},${shop}`;
    const set = ['--display-name', ' Ada Fabrics ', '--support', '+234 803 123 4567', '--websites', list];
    const first = (await ops('business', 'set', id, ...set)).business.profile;
    expect(first).toEqual({
      display_name: 'Ada Fabrics',
      support: '+2348031234567',
      websites: ['https://adastores.example', shop],
      brand_color: null,
      routing: false,
      logo: null,
    });
    world.clock.advance(1);
    const second = (await ops('business', 'set', id, '--brand-color', '#0A7D4F', '--no-websites')).business;
    expect(second.profile).toEqual({ ...first, websites: [], brand_color: '#0a7d4f' });
    await ops('business', 'set', id, '--brand-color', '#0a7d4f');
    expect((await ops('business', 'show', id)).business).toEqual(second);
    expect((await whatChanged(id)).slice(0, -1)).toEqual([
      `set the profile: websites none (was https://adastores.example, ${shop}); brand colour #0a7d4f (was none)`,
      `set the profile: display name "Ada Fabrics" (was "Ada Stores"); support +2348031234567 (was none); websites https://adastores.example, ${shop} (was none)`,
    ]);
    world.clock.advance(1);
    const third = (await ops('business', 'set', id, '--no-support', '--no-brand-color')).business.profile;
    expect(third).toEqual({ ...initialProfile, display_name: 'Ada Fabrics' });
    expect(await printed('business', 'show', id)).toMatch(/display name +Ada Fabrics\n.*support +none/);
  });

  test('sets a logo from a file and removes it, and both are recorded', async () => {
    const { id } = await create('Ada Stores');
    const file = join(mkdtempSync(join(tmpdir(), 'payments-logo-')), 'logo.png');
    await expect(ops('business', 'set', id, '--logo', file)).rejects.toThrow(`The file "${file}" cannot be read.`);
    writeFileSync(file, 'no picture');
    await expect(ops('business', 'set', id, '--logo', file)).rejects.toThrow(
      'A logo is a PNG or JPEG. This file is neither.',
    );
    writeFileSync(file, png());
    const { logo } = (await ops('business', 'set', id, '--logo', file)).business.profile;
    expect((await getLogo(world, logo)).status).toBe(200);
    expect(await printed('business', 'show', id)).toMatch(/logo +PNG of 120 × 40 pixels/);
    world.clock.advance(1);
    expect((await ops('business', 'set', id, '--no-logo')).business.profile.logo).toBe(null);
    expect((await getLogo(world, logo)).status).toBe(404);
    expect((await whatChanged(id))[0]).toMatch(
      /^set the profile: logo none \(was PNG of 120 × 40 pixels, [0-9a-f]{32}\)$/,
    );
  });

  test('turns routing on and off, for all keys of the business', async () => {
    const { id } = await create('Ada Stores');
    const routed = async () => (await world.itemsOf('KEY')).map(({ businessIsRouted }) => businessIsRouted);
    expect((await ops('business', 'set', id, '--routing')).business.profile.routing).toBe(true);
    expect(await routed()).toEqual(Array(4).fill(true));
    await ops('key', 'create', '--business', id, '--mode', 'test', '--kind', 'secret');
    expect(await routed()).toEqual(Array(5).fill(true));
    world.clock.advance(1);
    expect((await ops('business', 'set', id, '--no-routing')).business.profile.routing).toBe(false);
    expect(await routed()).toEqual(Array(5).fill(false));
    expect((await whatChanged(id))[0]).toBe('set the profile: routing off (was on)');
    expect(await printed('business', 'show', id)).toMatch(/routing +off/);
  });

  test.each([
    ['nothing', [], 'Say what to set.'],
    ['a name with a line break', ['--display-name', 'a\nb'], 'A business name has 1 to 100'],
    ['a script as support', ['--support', 'javascript:alert(1)'], 'Support is an e-mail address'],
    [
      'a website with a path',
      ['--websites', 'https://Shop.example.ng/cart'],
      'without a path: https://shop.example.ng.',
    ],
    ['a wildcard', ['--websites', 'https://*.example.ng'], 'Wildcards are not allowed.'],
    ['a website without TLS', ['--websites', 'http://shop.example.ng'], 'is not the origin of a website.'],
    [
      'too many websites',
      ['--websites', Array.from({ length: 21 }, (_, i) => `https://s${i}.example.ng`).join()],
      'at most 20',
    ],
    ['a colour by name', ['--brand-color', 'red'], 'A brand colour is written as #rrggbb'],
  ])('refuses %s, and changes nothing', async (_, options, message) => {
    const { id } = await create('Ada Stores');
    const before = await ops('business', 'show', id);
    await expect(ops('business', 'set', id, ...options)).rejects.toThrow(message);
    expect(await ops('business', 'show', id)).toEqual(before);
  });
});

describe('whitelist set', () => {
  test('names the keys that replaced a rolled key, and says that they may be used from any address', async () => {
    const { keys } = await create('Ada Stores');
    const old = keys[0]?.id ?? '';
    const { key: next } = await ops('key', 'roll', old);
    const entries = ['102.89.23.17'];
    expect(await ops('whitelist', 'set', old, ...entries)).toEqual({
      key: { id: old, ip_whitelist: entries },
      successors: [{ id: next.id, ip_whitelist: [] }],
    });
    const text = await printed('whitelist', 'set', old, ...entries);
    expect(text).toContain(`Its successor ${next.id} may be used from any address.`);
    expect(text).toContain(`whitelist set ${next.id} 102.89.23.17`);

    await ops('whitelist', 'set', next.id, '10.0.0.0/8');
    const { key: last } = await ops('key', 'roll', next.id);
    const both = await printed('whitelist', 'set', old, ...entries);
    for (const id of [next.id, last.id]) expect(both).toContain(`Its successor ${id} has another whitelist.`);
    await ops('key', 'revoke', next.id);
    const cleared = await ops('whitelist', 'clear', old);
    expect(cleared.successors).toEqual([{ id: last.id, ip_whitelist: ['10.0.0.0/8'] }]);
    await ops('whitelist', 'clear', last.id);
    expect(await printed('whitelist', 'clear', old)).not.toContain('successor');
  });

  test('names no successors for a key that was not rolled', async () => {
    const { keys } = await create('Ada Stores');
    const id = keys[0]?.id ?? '';
    expect(await ops('whitelist', 'set', id, '10.0.0.1')).toEqual({ key: { id, ip_whitelist: ['10.0.0.1'] } });
  });
});
