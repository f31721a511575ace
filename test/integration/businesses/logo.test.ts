import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Item } from '#shared/platform/table/table.ts';
import { chunk, jpeg, makePngOfSize, png } from '#test/support/pictures.ts';
import { signInSteppedUp } from '#test/support/worlds/account-client.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { invite, mailNotices, signIn } from '#test/support/worlds/dashboard.ts';
import { createDashboardClient } from '#test/support/worlds/dashboard-client.ts';
import { getLogo } from '#test/support/worlds/logo.ts';
import { payersPage } from '#test/support/worlds/payers-page.ts';
import { makeWorld } from '#test/support/worlds/world.ts';

const OWNER = 'ada@ada-stores.example.com';
const DEVELOPER = 'chidi@ada-stores.example.com';
const VIEWER = 'bola@ada-stores.example.com';

const inBase64 = (file: Buffer): string => file.toString('base64');

const open = async () => {
  const world = await makeWorld();
  const shop = await world.addBusiness();
  await invite(world, shop.id, OWNER, 'owner');
  const { cookie } = await signInSteppedUp(world, OWNER);
  await mailNotices(world);
  const owner = createDashboardClient(world, cookie(), shop.id);
  return {
    world,
    shop,
    cookie,
    owner,
    set: (logo: Buffer | null) => owner.setBusiness({ body: { logo: logo && inBase64(logo) } }),
  };
};

describe('a logo', () => {
  test('can be set, served to anybody who has its address, shown on the payment page, replaced and removed', async () => {
    const { world, shop, owner, set } = await open();
    const first = await set(png(120, 40, { before: chunk('tEXt', Buffer.from('made at Ada’s home')) }));
    expect([first.status, first.json.data.logo]).toEqual([
      200,
      { url: expect.stringMatching(/^\/logos\/[0-9a-f]{32}$/), width: 120, height: 40 },
    ]);
    const { url } = first.json.data.logo;
    expect((await owner.business({})).json.data.logo).toEqual(first.json.data.logo);
    const served = await getLogo(world, url);
    expect(served).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'image/png',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      },
    });
    expect(served.bytes).toEqual(png());

    const { json } = await createApiClient(world, shop.keys.secret_test).initialize({
      amount: 8_500,
      payer_email: 'tunde.bakare@example.com',
    });
    const link = new URL(json.data.checkout_url).pathname.replace('/pay/', '');
    const page = payersPage(world);
    const withLogo = await page.show(link);
    expect(withLogo.text).toContain(`<img class="logo" src="${url}" width="120" height="40" alt="">`);
    expect(withLogo.headers['content-security-policy']).toContain("img-src 'self' data:;");

    const second = await set(jpeg(64, 64));
    expect(second.json.data.logo).toMatchObject({ width: 64, height: 64 });
    expect((await getLogo(world, second.json.data.logo.url)).bytes).toEqual(jpeg(64, 64));
    expect((await getLogo(world, url)).status).toBe(404);
    expect((await set(null)).json.data.logo).toBe(null);
    expect((await getLogo(world, second.json.data.logo.url)).status).toBe(404);
    expect(await world.itemsOf('LOGO')).toEqual([]);
    const without = await page.show(link);
    expect(without.text).not.toContain('<img');
    expect(without.headers['content-security-policy']).toContain('; img-src data:;');
  });

  test('causes a mail to the owners and an entry in the audit log', async () => {
    const { world, owner, set } = await open();
    const { url } = (await set(png())).json.data.logo;
    world.clock.advance(1_000);
    await set(null);
    const description = `PNG of 120 × 40 pixels, ${url.replace('/logos/', '')}`;
    const { data } = (await owner.audit({})).json;
    expect(data.slice(0, 2).map(({ what }: { what: string }) => what)).toEqual([
      `set the profile: logo none (was ${description})`,
      `set the profile: logo ${description} (was none)`,
    ]);
    expect(await mailNotices(world)).toHaveLength(2);
  });

  test('causes no write if the same file is set again, and stays if another field changes', async () => {
    const { world, owner, set } = await open();
    const { url } = (await set(png())).json.data.logo;
    const [before] = await world.itemsOf('BIZ');
    expect((await set(png())).json.data.logo.url).toBe(url);
    expect(await world.itemsOf('BIZ')).toEqual([before]);
    const { json } = await owner.setBusiness({ body: { brand_color: '#0a7d4f' } });
    expect(json.data).toMatchObject({ brand_color: '#0a7d4f', logo: { url } });
    expect((await getLogo(world, url)).status).toBe(200);
  });

  test('has another address at another business, even for the same file', async () => {
    const { world, cookie, set } = await open();
    const other = await world.addBusiness();
    await invite(world, other.id, OWNER, 'owner');
    const { json } = await createDashboardClient(world, cookie(), other.id).setBusiness({
      body: { logo: inBase64(png()) },
    });
    const mine = (await set(png())).json.data.logo.url;
    expect(json.data.logo.url).not.toBe(mine);
    await set(null);
    expect((await getLogo(world, json.data.logo.url)).status).toBe(200);
  });

  test('leaves no other logo behind if several logos are set at the same time', async () => {
    const { world, owner, set } = await open();
    const answers = await Promise.all([set(png()), set(jpeg()), set(png(40, 40))]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { url } = (await owner.business({})).json.data.logo;
    expect((await world.itemsOf('LOGO')).map(({ id }) => `/logos/${id}`)).toEqual([url]);
  });

  test('may have the largest size: 65,536 bytes are 87,384 characters in base64', async () => {
    const { world, set } = await open();
    const file = makePngOfSize(65_536);
    expect(file).toHaveLength(65_536);
    const { status, json } = await set(file);
    expect(status).toBe(200);
    expect((await getLogo(world, json.data.logo.url)).bytes).toEqual(file);
  });

  test.each([
    ['an HTML page', Buffer.from('<script>alert(1)</script>'), 422, 'A logo is a PNG or JPEG. This file is neither.'],
    ['more than 64 kB', Buffer.alloc(65_537), 422, 'A logo has at most 64 kB. This file has 65 kB.'],
    ['a PNG with HTML behind it', Buffer.concat([png(), Buffer.from('<script>')]), 422, 'This file is damaged, or'],
  ])('may not be %s; the error names its field', async (_, file, status, message) => {
    const { world, set } = await open();
    const answer = await set(file);
    expect(answer.status).toBe(status);
    expect(answer.json.errors).toEqual([{ field: 'logo', message: expect.stringContaining(message) }]);
    expect(await world.itemsOf('LOGO')).toEqual([]);
  });

  test.each([
    ['no base64', 'PNG!', 422],
    ['a number', 7, 422],
    ['more than 128 KiB', 'A'.repeat(131_072), 413],
  ])('may not be %s', async (_, logo, status) => {
    const { owner } = await open();
    const answer = await owner.setBusiness({ body: { logo } });
    expect(answer.status).toBe(status);
    if (status === 413) expect(answer.json.message).toBe('Request body exceeds 128 KiB.');
    else expect(answer.json.errors).toEqual([{ field: 'logo', message: 'logo must be a file in base64.' }]);
  });

  test('can be set by a developer with a passkey, but not by a viewer, after a code alone, or for another business', async () => {
    const { world, shop } = await open();
    await invite(world, shop.id, DEVELOPER, 'developer');
    await invite(world, shop.id, VIEWER, 'viewer');
    const body = { logo: inBase64(png()) };
    const as = async (cookie: string, businessId = shop.id) =>
      (await createDashboardClient(world, cookie, businessId).setBusiness({ body })).json.code;
    expect(await as(await signIn(world, DEVELOPER))).toBe('step_up_required');
    expect(await as(await signIn(world, VIEWER))).toBe('forbidden_role');
    const { cookie } = await signInSteppedUp(world, DEVELOPER);
    expect(await as(cookie(), (await world.addBusiness()).id)).toBe('forbidden_role');
    expect(await world.itemsOf('LOGO')).toEqual([]);
    expect(await as(cookie())).toBe(undefined);
    expect(await world.itemsOf('LOGO')).toHaveLength(1);
  });

  test.each([
    '',
    'x',
    '0'.repeat(31),
    'G'.repeat(32),
    '0'.repeat(32),
    '../../api/v1/payments',
    'biz_01JD3Q0000000000000000000',
    '\u0000',
  ])('does not exist at an address such as %j', async (id) => {
    const { world, set } = await open();
    await set(png());
    const { status, headers } = await getLogo(world, `/logos/${id}`);
    expect([status, headers['cache-control'], headers['content-type']]).toEqual([
      404,
      'no-store',
      'application/json; charset=utf-8',
    ]);
  });
});

test('a business that was stored before logos existed has none, and can set one', async () => {
  const { world, owner, set } = await open();
  const [item] = (await world.itemsOf('BIZ')) as [Item];
  const { logo: _, ...profile } = item.profile as Record<string, unknown>;
  const { client, name } = world.table;
  await client.send(new PutCommand({ TableName: name, Item: { ...item, profile } }));
  expect((await owner.business({})).json.data.logo).toBe(null);
  expect((await set(png())).status).toBe(200);
});
