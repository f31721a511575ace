import { setProfile } from '#shared/businesses/use-cases/set-profile.ts';
import { suspendBusiness } from '#shared/businesses/use-cases/suspend-business.ts';
import { pageLink } from '#shared/checkouts/domain/page-link.ts';
import { DependencyUnavailable } from '#shared/platform/kernel/errors.ts';
import { newCheckoutReference } from '#shared/platform/kernel/ids.ts';
import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import { longTest } from '#test/support/jest/long.ts';
import { apiClient } from '#test/support/worlds/api-client.ts';
import { PAGE_LINK_KEY } from '#test/support/worlds/keys.ts';
import { providersWith, unreachable } from '#test/support/worlds/live-faults.ts';
import { ASKED, merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { payersPage } from '#test/support/worlds/payers-page.ts';
import { describeAtProviders } from '#test/support/worlds/provider-scenes.ts';

/* The payment page over HTTP: who may see it, what it answers, and what a payer can cause. */

const QUOTA = { creations: 10, publicCreations: 8, addressCreations: 4, seconds: 10 };
openWorldForEachTest({ providerQuota: QUOTA });

const ORDER = { amount: 8_500.75, payer_email: 'tunde.bakare@example.com', description: 'Order 1042' };
/** A test checkout, and the page's routes. */
const opened = async (more: object = {}) => {
  const api = apiClient(world, merchant.business.keys.secret_test);
  const { data } = (await api.initialize({ ...ORDER, ...more })).json;
  const link = new URL(data.checkout_url).pathname.replace('/pay/', '');
  return { api, link, reference: data.reference as string, page: payersPage(world) };
};

describe('the link', () => {
  test('that the API gives opens the page, and no other opens anything', async () => {
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

  test('that is forged is looked up nowhere', async () => {
    const { reference } = await opened();
    const find = () => Promise.reject(new Error('It was looked up.'));
    const deps = { ...world.deps, linkedCheckouts: { find } };
    expect((await payersPage({ deps }).show(`${reference}.${'A'.repeat(22)}`)).status).toBe(404);
  });

  test('is made with a key of its own: the hash key of the stage opens nothing', async () => {
    const { reference, page } = await opened();
    expect((await page.show(pageLink(world.deps.hashKey, reference))).status).toBe(404);
    expect((await page.show(pageLink(PAGE_LINK_KEY, reference))).status).toBe(200);
  });

  test('that was given out before a rotation opens the page until its key has ended', async () => {
    const { link, reference } = await opened();
    const NEW = 'the-key-of-links-after-the-rotation';
    const pageUnder = (...keys: readonly [string, ...string[]]) =>
      payersPage({ deps: { ...world.deps, pageLinkKeys: async () => keys } });
    expect((await pageUnder(NEW, PAGE_LINK_KEY).show(link)).status).toBe(200);
    expect((await pageUnder(NEW, PAGE_LINK_KEY).status(pageLink(NEW, reference))).status).toBe(200);
    expect((await pageUnder(NEW).show(link)).status).toBe(404);
  });

  test('of a key that this container does not know yet is read under the newest before it is refused', async () => {
    const { reference } = await opened();
    const NEW = 'the-key-of-links-after-the-rotation';
    const pageLinkKeys = async ({ refresh = false } = {}) => [refresh ? NEW : PAGE_LINK_KEY] as const;
    const page = payersPage({ deps: { ...world.deps, pageLinkKeys } });
    expect((await page.show(pageLink(NEW, reference))).status).toBe(200);
  });

  test('whose keys cannot be read leaves no checkout behind: the request is 503 before any work, and pages say to try again', async () => {
    const { link } = await opened();
    const before = (await world.itemsOf('CHK')).length;
    const pageLinkKeys = () => Promise.reject(new DependencyUnavailable('Secrets Manager did not answer.'));
    const without = { ...world, deps: { ...world.deps, pageLinkKeys } };
    const api = apiClient(without, merchant.business.keys.secret_live);
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

  test('of a checkout that is being opened shows nothing yet', async () => {
    await merchant.dieBeforeWriting((api) => api.initialize({ amount: 8_500, payer_email: 'a@example.com' }));
    const [opening] = (await world.itemsOf('CHK')).filter(({ status }) => status === 'opening');
    const page = payersPage(world);
    expect((await page.show(page.linkOf(String(opening?.reference)))).status).toBe(404);
  });

  test('stands in no line of the log, and neither does the payer', async () => {
    const { link, page, reference } = await opened();
    await page.show(link);
    await page.status(link);
    await page.sent(link);
    await page.simulate(link, 'exact');
    await page.show(`${link}x`);
    const lines = JSON.stringify(world.logged);
    // Who abuses a page can be traced to its checkout.
    const changed = world.logged.filter(({ changed_ids: ids }) => ids === reference).map(({ route }) => route);
    expect(changed.slice(1)).toEqual(['POST /pay/{link}/sent', 'POST /pay/{link}/simulate']);
    for (const hidden of [link.split('.')[1] ?? '', ORDER.payer_email]) expect(lines).not.toContain(hidden);
  });
});

describe('the page', () => {
  test('leads back to the very URL that was sent, with ours after its own query', async () => {
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

  test('carries the business’s own words, colour and websites', async () => {
    const { link, page } = await opened();
    await setProfile(world.deps, {
      businessId: merchant.business.id,
      change: { displayName: 'Ada Fabrics', brandColor: '#ffcc00', websites: ['https://shop.example.ng'] },
      who: 'amaka',
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

  test('of a suspended business takes no money, and says so within a minute where it is open', async () => {
    const { link, page } = await opened();
    const { headers } = await page.status(link);
    await suspendBusiness(world.deps, { businessId: merchant.business.id, who: 'amaka' });
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

  test('is told what is new by its version, for one read of what may lag while nothing is', async () => {
    const { link, page } = await opened();
    const first = await page.status(link);
    expect(first.json).toMatchObject({ status: 'pending', view: 'pay', version: 1, amount_due: 8_500.75 });
    const again = { headers: { 'if-none-match': String(first.headers.etag) } };
    expect(await page.status(link, again)).toMatchObject({ status: 304, text: '' });
    // Time alone makes another view.
    const said = { query: { sent: String(world.clock.now()) }, ...again };
    expect((await page.status(link, said)).json).toMatchObject({ view: 'confirming' });
    world.clock.advance(31 * MINUTE);
    expect((await page.status(link, again)).json).toMatchObject({ view: 'checking', version: 1 });
  });

  test.each(['tomorrow', '-1', '99999999999999', '9999999999999'])('takes %p for a time that is now', async (sent) => {
    const { link, page } = await opened();
    expect((await page.status(link, { query: { sent } })).json.view).toBe('confirming');
  });

  test('is a page too when the table does not answer, and says that nothing has changed', async () => {
    const { link } = await opened();
    const find = () => Promise.reject(new Error('The table does not answer.'));
    const { status, text } = await payersPage({ deps: { ...world.deps, linkedCheckouts: { find } } }).show(link);
    expect(status).toBe(500);
    expect(text).toContain('Nothing about your payment has changed.');
  });
});

describe('in test mode', () => {
  test.each([
    ['exact', { status: 'paid', paid_amount: 8_500.75 }],
    ['less', { status: 'underpaid', paid_amount: 4_250.37 }],
    ['more', { status: 'paid', paid_amount: 9_000.75 }],
    ['returned', { status: 'pending', paid_amount: 0 }],
    ['late', { status: 'paid', paid_amount: 8_500.75 }],
    ['failed', { status: 'failed', paid_amount: 0 }],
  ])('%s is caused by the code that real money takes', async (outcome, state) => {
    const { api, link, reference, page } = await opened();
    expect((await page.simulate(link, outcome)).json).toMatchObject(state);
    expect((await api.verify(reference)).json.data).toMatchObject(state);
    expect((await api.listEvents()).json.data).toHaveLength(1);
  });

  test('what a state does not allow changes nothing, and no more than fifty simulations are carried out', async () => {
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
  ])('a button that is pressed twice pays once: %s', async (_, twice) => {
    const { api, link, reference, page } = await opened();
    const body = await page.button(link, 'less');
    await twice(() => page.press(link, body));
    expect((await api.verify(reference)).json.data).toMatchObject({ paid_amount: 4_250.37, version: 2 });
    expect((await page.simulate(link, 'exact')).json).toMatchObject({ status: 'paid' });
  });

  longTest('all pages of a business together simulate at most 120 payments a minute', async () => {
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

  test('nobody is asked when the payer says that the money was sent', async () => {
    const { link, page } = await opened();
    const asked = PROVIDERS.map((one) => world.countCalls(one, /./));
    expect((await page.sent(link)).json).toMatchObject({ status: 'pending', view: 'confirming' });
    expect(asked.map((count) => count())).toEqual([0, 0, 0]);
    expect(await world.itemsOf('USED#page')).toEqual([]);
  });

  test('a form leads back to the page, whatever comes of it', async () => {
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

  test('a form that changed nothing leads back to a page that says so', async () => {
    const { link, page } = await opened();
    const at = String(world.clock.now());
    const query = { sent: at, pressed: 'again-1' };
    const { headers } = await page.sentByForm(link, { query });
    expect(headers.location).toBe(`/pay/${link}?sent=${at}&pressed=again-1`);
    const told = 'nothing new has arrived';
    expect((await page.show(link, { query })).text).toContain(told);
    // What the script asks for says nothing of it, and neither does anything else in the address.
    expect((await page.status(link, { query })).json.html).not.toContain(told);
    for (const pressed of ['again-2', 'again-1"><script>', 'constructor-1', '']) {
      const { text } = await page.show(link, { query: { pressed } });
      expect([pressed, text.includes(told), text.includes('"><script>')]).toEqual([pressed, false, false]);
    }
    await page.simulate(link, 'less');
    expect((await page.show(link, { query })).text).not.toContain(told);
  });
});

describeAtProviders('a payer at %s who has sent the money', (provider) => {
  test('is not kept waiting by a notification that was lost', async () => {
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

  test('makes it be asked twenty times in the checkout’s life, and keeps the page', async () => {
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
    // Who is not heard any more keeps nobody else from asking.
    world.clock.advance(10 * SECOND);
    await page.sent(link);
    await merchant.api.requery(reference);
    expect(asked()).toBe(21 * once);
    // The alarm on failures is told of no refusal that nobody was answered with.
    expect(world.measuredSum('provider_busy')).toBe(0);
  });

  test('keeps the page while it is unreachable, and beyond the business’s quota', async () => {
    const { reference } = await merchant.checkout(provider);
    const away = payersPage({ deps: { ...world.deps, ...providersWith(world, unreachable(world, [provider])) } });
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

  test('cannot simulate', async () => {
    const { reference } = await merchant.checkout(provider);
    const page = payersPage(world);
    const link = page.linkOf(reference);
    expect((await page.show(link)).text).not.toContain(`${link}/simulate`);
    expect((await page.simulate(link, 'exact')).status).toBe(404);
    expect(await world.itemsOf('USED#page')).toEqual([]);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'pending', version: 1 });
  });
});
