import { setProfile } from '#shared/businesses/use-cases/set-profile.ts';
import { suspendBusiness } from '#shared/businesses/use-cases/suspend-business.ts';
import { pageLink } from '#shared/checkouts/domain/page-link.ts';
import { DependencyUnavailable } from '#shared/platform/kernel/errors.ts';
import { newCheckoutReference } from '#shared/platform/kernel/ids.ts';
import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import { longTest } from '#test/support/jest/long.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { PAGE_LINK_KEY } from '#test/support/worlds/keys.ts';
import { makeProvidersWith, makeUnreachableSettings } from '#test/support/worlds/live-faults.ts';
import { ASKED, merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { payersPage } from '#test/support/worlds/payers-page.ts';
import { describeAtProviders } from '#test/support/worlds/provider-scenes.ts';

/* Tests the payment page over HTTP: access, answers, and the actions of a payer. */

const QUOTA = { creations: 10, publicCreations: 8, addressCreations: 4, seconds: 10 };
openWorldForEachTest({ providerQuota: QUOTA });

const ORDER = { amount: 8_500.75, payer_email: 'tunde.bakare@example.com', description: 'Order 1042' };
/** Opens a test checkout; returns it with the page's routes. */
const opened = async (more: object = {}) => {
  const api = createApiClient(world, merchant.business.keys.secret_test);
  const { data } = (await api.initialize({ ...ORDER, ...more })).json;
  const link = new URL(data.checkout_url).pathname.replace('/pay/', '');
  return { api, link, reference: data.reference as string, page: payersPage(world) };
};

describe('the link of a payment page', () => {
  test('opens the page if the API made it, and no other link opens anything', async () => {
    const { link, reference, page } = await opened();
    const shown = await page.show(link);
    expect([shown.status, shown.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(shown.text).toContain('Transfer ₦8,500.75');
    const others = [
      reference,
      `${reference}.`,
      `${reference}.${'A'.repeat(22)}`,
      `${link}A`,
      link.slice(0, -1),
      page.linkOf(newCheckoutReference(world.deps.randomBytes)),
      '..%2f..',
      '',
    ];
    for (const other of others) {
      const answer = await page.show(other);
      expect([other, answer.status]).toEqual([other, 404]);
      expect(answer.text).toContain('This payment link is not valid');
      expect((await page.status(other)).json).toMatchObject({ code: 'not_found' });
      expect((await page.sent(other)).status).toBe(404);
      expect((await page.simulate(other, 'exact')).status).toBe(404);
    }
  });

  test('causes no look-up if it is forged', async () => {
    const { reference } = await opened();
    const find = () => Promise.reject(new Error('The checkout was looked up.'));
    const deps = { ...world.deps, linkedCheckouts: { find } };
    expect((await payersPage({ deps }).show(`${reference}.${'A'.repeat(22)}`)).status).toBe(404);
  });

  test('is signed with a key of its own, and a link signed with the hash key of the stage opens nothing', async () => {
    const { reference, page } = await opened();
    expect((await page.show(pageLink(world.deps.hashKey, reference))).status).toBe(404);
    expect((await page.show(pageLink(PAGE_LINK_KEY, reference))).status).toBe(200);
  });

  test('opens the page after a rotation until its old key has ended', async () => {
    const { link, reference } = await opened();
    const NEW = 'the-key-of-links-after-the-rotation';
    const pageUnder = (...keys: readonly [string, ...string[]]) =>
      payersPage({ deps: { ...world.deps, pageLinkKeys: async () => keys } });
    expect((await pageUnder(NEW, PAGE_LINK_KEY).show(link)).status).toBe(200);
    expect((await pageUnder(NEW, PAGE_LINK_KEY).status(pageLink(NEW, reference))).status).toBe(200);
    expect((await pageUnder(NEW).show(link)).status).toBe(404);
  });

  test('is checked with keys that are read again before it gets a 404', async () => {
    const { reference } = await opened();
    const NEW = 'the-key-of-links-after-the-rotation';
    const pageLinkKeys = async ({ refresh = false } = {}) => [refresh ? NEW : PAGE_LINK_KEY] as const;
    const page = payersPage({ deps: { ...world.deps, pageLinkKeys } });
    expect((await page.show(pageLink(NEW, reference))).status).toBe(200);
  });

  test('leaves no checkout behind if its keys cannot be read: the API answers 503, and the page says to try again', async () => {
    const { link } = await opened();
    const before = (await world.itemsOf('CHK')).length;
    const pageLinkKeys = () => Promise.reject(new DependencyUnavailable('Secrets Manager did not answer.'));
    const without = { ...world, deps: { ...world.deps, pageLinkKeys } };
    const api = createApiClient(without, merchant.business.keys.secret_live);
    const refused = await api.initialize(ORDER);
    expect([refused.status, refused.json.code, refused.headers['retry-after']]).toEqual([
      503,
      'service_unavailable',
      '1',
    ]);
    expect(await world.itemsOf('CHK')).toHaveLength(before);
    const shown = await payersPage(without).show(link);
    expect([shown.status, shown.text.includes('can’t be shown right now')]).toEqual([503, true]);
  });

  test('shows nothing while its checkout is being opened', async () => {
    await merchant.dieBeforeWriting((api) => api.initialize({ amount: 8_500, payer_email: 'a@example.com' }));
    const [opening] = (await world.itemsOf('CHK')).filter(({ status }) => status === 'opening');
    const page = payersPage(world);
    expect((await page.show(page.linkOf(String(opening?.reference)))).status).toBe(404);
  });

  test('appears in no log line, and neither does the payer', async () => {
    const { link, page, reference } = await opened();
    await page.show(link);
    await page.status(link);
    await page.sent(link);
    await page.simulate(link, 'exact');
    await page.show(`${link}x`);
    const lines = JSON.stringify(world.logged);
    // The log names the checkout that a page changed, so that abuse of the page can be found.
    const changed = world.logged.filter(({ changed_ids: ids }) => ids === reference).map(({ route }) => route);
    expect(changed.slice(1)).toEqual(['POST /pay/{link}/sent', 'POST /pay/{link}/simulate']);
    for (const hidden of [link.split('.')[1] ?? '', ORDER.payer_email]) expect(lines).not.toContain(hidden);
  });
});

describe('the payment page', () => {
  test('leads back to the exact return URL, with our parameters after its own query', async () => {
    const sent = 'https://müller.example.ng/höher/%7e?a=%20+b&&c&copy=2&reference=mine#/orders';
    const { page, link, reference, api } = await opened({ callback_url: sent, cancel_url: `${sent}?` });
    expect((await api.verify(reference)).json.data).toMatchObject({ callback_url: sent, cancel_url: `${sent}?` });
    const hrefs = async () =>
      [...(await page.show(link)).text.matchAll(/href="(https:[^"]*)"/g)].map(([, href]) =>
        href?.replaceAll('&amp;', '&'),
      );
    const [before, fragment] = sent.split('#');
    const ours = `${before}&reference=${reference}&trxref=${reference}`;
    expect(await hrefs()).toEqual([`${ours}&cancelled=true#${fragment}?`]);
    await page.simulate(link, 'exact');
    expect(await hrefs()).toEqual([`${ours}#${fragment}`]);
  });

  test('shows the business’s name and colour, and allows its websites', async () => {
    const { link, page } = await opened();
    await setProfile(world.deps, {
      businessId: merchant.business.id,
      change: { displayName: 'Ada Fabrics', brandColor: '#ffcc00', websites: ['https://shop.example.ng'] },
      actor: 'amaka',
    });
    const { text, headers } = await page.show(link, { query: { embed: '1' } });
    expect(text).toContain('<p>Ada Fabrics</p>');
    expect(text).toContain(':root{--brand:#ffcc00;--on-brand:#000000}');
    expect(headers['content-security-policy']).toContain(
      'frame-ancestors https://shop.example.ng http://localhost:* http://127.0.0.1:*;',
    );
    expect(headers).toMatchObject({
      'cross-origin-resource-policy': 'cross-origin',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    expect(headers).not.toHaveProperty('x-frame-options');
    const alone = await page.show(link);
    expect(alone.headers['content-security-policy']).toContain("frame-ancestors 'none';");
  });

  test('shows no account of a suspended business, within a minute if the page is open', async () => {
    const { link, page } = await opened();
    const { headers } = await page.status(link);
    await suspendBusiness(world.deps, { businessId: merchant.business.id, actor: 'amaka' });
    const { text } = await page.show(link);
    expect(text).toContain('can’t take payments now');
    expect(text).not.toContain('Account number');
    const again = { headers: { 'if-none-match': String(headers.etag) } };
    expect((await page.status(link, again)).status).toBe(304);
    world.clock.advance(MINUTE);
    const { json } = await page.status(link, again);
    expect(json).toMatchObject({ view: 'closed_shop', version: 1 });
    expect(json.html).not.toContain('Account number');
  });

  test('polls by its version, and gets 304 while nothing changes', async () => {
    const { link, page } = await opened();
    const first = await page.status(link);
    expect(first.json).toMatchObject({ status: 'pending', view: 'pay', version: 1, amount_due: 8_500.75 });
    const again = { headers: { 'if-none-match': String(first.headers.etag) } };
    expect(await page.status(link, again)).toMatchObject({ status: 304, text: '' });
    // Time alone changes the view.
    const said = { query: { sent: String(world.clock.now()) }, ...again };
    expect((await page.status(link, said)).json).toMatchObject({ view: 'confirming' });
    world.clock.advance(31 * MINUTE);
    expect((await page.status(link, again)).json).toMatchObject({ view: 'checking', version: 1 });
  });

  test.each(['tomorrow', '-1', '99999999999999', '9999999999999'])('reads the time %p as now', async (sent) => {
    const { link, page } = await opened();
    expect((await page.status(link, { query: { sent } })).json.view).toBe('confirming');
  });

  test('appears even if the table does not answer, and says that nothing has changed about the payment', async () => {
    const { link } = await opened();
    const find = () => Promise.reject(new Error('The table does not answer.'));
    const { status, text } = await payersPage({ deps: { ...world.deps, linkedCheckouts: { find } } }).show(link);
    expect(status).toBe(500);
    expect(text).toContain('Nothing about your payment has changed.');
  });
});

describe('the payment page of a test checkout', () => {
  test.each([
    ['exact', { status: 'paid', paid_amount: 8_500.75 }],
    ['less', { status: 'underpaid', paid_amount: 4_250.37 }],
    ['more', { status: 'paid', paid_amount: 9_000.75 }],
    ['returned', { status: 'pending', paid_amount: 0 }],
    ['late', { status: 'paid', paid_amount: 8_500.75 }],
    ['failed', { status: 'failed', paid_amount: 0 }],
  ])('simulates the outcome “%s” through the code that real money takes', async (outcome, state) => {
    const { api, link, reference, page } = await opened();
    expect((await page.simulate(link, outcome)).json).toMatchObject(state);
    expect((await api.verify(reference)).json.data).toMatchObject(state);
    expect((await api.listEvents()).json.data).toHaveLength(1);
  });

  test('ignores a simulation that the state does not allow, and simulates at most fifty times', async () => {
    const { link, page } = await opened();
    await page.simulate(link, 'exact');
    expect((await page.simulate(link, 'failed')).json).toMatchObject({ status: 'paid', version: 2 });
    for (let i = 2; i < 50; i++) expect((await page.simulate(link, 'failed')).status).toBe(200);
    expect((await page.simulate(link, 'exact')).json).toMatchObject({ code: 'rate_limited' });
    expect((await page.status(link)).json.version).toBe(2);
    expect((await page.simulate(link, 'everything')).json).toMatchObject({ code: 'validation_failed' });
  });

  test.each([
    ['one after the other', async (press: () => Promise<unknown>) => [await press(), await press()]],
    ['at once', (press: () => Promise<unknown>) => Promise.all([press(), press(), press()])],
  ])('pays once if a button is pressed twice, %s', async (_, twice) => {
    const { api, link, reference, page } = await opened();
    const body = await page.button(link, 'less');
    await twice(() => page.press(link, body));
    expect((await api.verify(reference)).json.data).toMatchObject({ paid_amount: 4_250.37, version: 2 });
    expect((await page.simulate(link, 'exact')).json).toMatchObject({ status: 'paid' });
  });

  longTest('shares a limit of 120 simulations a minute with all pages of its business', async () => {
    const pages = await Promise.all(Array.from({ length: 3 }, () => opened()));
    let refused = 0;
    for (const { link, page } of pages) {
      for (let i = 0; i < 45; i++) {
        const { json } = await page.simulate(link, 'failed');
        if (json.code === 'rate_limited') refused += 1;
      }
    }
    expect(refused).toBe(15);
    world.clock.advance(MINUTE);
    expect((await pages[2]?.page.simulate(pages[2].link, 'exact'))?.json.status).toBe('paid');
  });

  test('asks no provider when the payer reports that the money was sent', async () => {
    const { link, page } = await opened();
    const asked = PROVIDERS.map((name) => world.countCalls(name, /./));
    expect((await page.sent(link)).json).toMatchObject({ status: 'pending', view: 'confirming' });
    expect(asked.map((count) => count())).toEqual([0, 0, 0]);
    expect(await world.itemsOf('USED#page')).toEqual([]);
  });

  test('redirects every form back to the page', async () => {
    const { link, page } = await opened();
    const at = String(world.clock.now());
    expect(await page.sentByForm(link)).toMatchObject({
      status: 303,
      headers: { location: `/pay/${link}?sent=${at}` },
    });
    expect(await page.simulateByForm(link, 'exact')).toMatchObject({ status: 303 });
    expect((await page.status(link)).json.status).toBe('paid');
    expect(await page.simulateByForm(link, 'nonsense')).toMatchObject({ status: 303 });
    expect(await page.simulateByForm('PAY-0.x', 'exact')).toMatchObject({ status: 303 });
  });

  test('says that nothing changed after a form without effect', async () => {
    const { link, page } = await opened();
    const at = String(world.clock.now());
    const query = { sent: at, pressed: 'again-1' };
    const { headers } = await page.sentByForm(link, { query });
    expect(headers.location).toBe(`/pay/${link}?sent=${at}&pressed=again-1`);
    const NOTHING_NEW = 'nothing new has arrived';
    expect((await page.show(link, { query })).text).toContain(NOTHING_NEW);
    // The answer to the script's poll omits the sentence, and no other value in the address causes it.
    expect((await page.status(link, { query })).json.html).not.toContain(NOTHING_NEW);
    for (const pressed of ['again-2', 'again-1"><script>', 'constructor-1', '']) {
      const { text } = await page.show(link, { query: { pressed } });
      expect([pressed, text.includes(NOTHING_NEW), text.includes('"><script>')]).toEqual([pressed, false, false]);
    }
    await page.simulate(link, 'less');
    expect((await page.show(link, { query })).text).not.toContain(NOTHING_NEW);
  });
});

describeAtProviders('a payer’s report at %s that the money was sent', (provider) => {
  test('finds the money of a lost notification', async () => {
    await world.holdNotifications(provider);
    const { reference, accountNumber } = await merchant.checkout(provider);
    const page = payersPage(world);
    const link = page.linkOf(reference);
    expect((await page.sent(link)).json).toMatchObject({ status: 'pending', view: 'confirming' });
    await world.pay(provider, accountNumber, ASKED);
    world.clock.advance(10 * SECOND - 1);
    expect((await page.sent(link)).json.status).toBe('pending');
    world.clock.advance(1);
    expect((await page.sent(link)).json).toMatchObject({ status: 'paid', view: 'paid' });
    expect(await world.eventsOf(reference)).toEqual(['checkout.paid']);
    await world.expectBooksToAgree();
  });

  test('asks the provider at most twenty times in the checkout’s life, and the page stays usable', async () => {
    const { reference } = await merchant.checkout(provider);
    const page = payersPage(world);
    const link = page.linkOf(reference);
    const asked = world.countLookUps(provider);
    await page.sent(link);
    const once = asked();
    for (let i = 1; i < 25; i++) {
      world.clock.advance(10 * SECOND);
      expect((await page.sent(link)).status).toBe(200);
    }
    expect(asked()).toBe(20 * once);
    // A payer over the limit does not stop the merchant from a requery.
    world.clock.advance(10 * SECOND);
    await page.sent(link);
    await merchant.api.requery(reference);
    expect(asked()).toBe(21 * once);
    // The payer got no error, so the alarm counts none.
    expect(world.measuredSum('provider_busy')).toBe(0);
  });

  test('keeps the page while the provider is unreachable, and beyond the business’s quota', async () => {
    const { reference } = await merchant.checkout(provider);
    const away = payersPage({
      deps: { ...world.deps, ...makeProvidersWith(world, makeUnreachableSettings(world, [provider])) },
    });
    const link = away.linkOf(reference);
    expect((await away.sent(link)).json).toMatchObject({ status: 'pending', view: 'confirming' });

    const asked = world.countLookUps(provider);
    const others = await Promise.all(Array.from({ length: 6 }, () => merchant.checkout(provider)));
    const page = payersPage(world);
    for (const other of others) {
      expect((await page.sent(page.linkOf(other.reference))).json.view).toBe('confirming');
    }
    const perCheckout = Math.max(1, asked() / QUOTA.addressCreations);
    expect(asked()).toBeLessThanOrEqual(perCheckout * QUOTA.addressCreations);
    // The merchant's own requeries have a quota of their own.
    expect((await merchant.api.requery(others[5]?.reference ?? '')).status).toBe(200);
  });

  test('cannot simulate a payment in live mode', async () => {
    const { reference } = await merchant.checkout(provider);
    const page = payersPage(world);
    const link = page.linkOf(reference);
    expect((await page.show(link)).text).not.toContain(`${link}/simulate`);
    expect((await page.simulate(link, 'exact')).status).toBe(404);
    expect(await world.itemsOf('USED#page')).toEqual([]);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'pending', version: 1 });
  });
});
