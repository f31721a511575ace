import fc from 'fast-check';
import { returnAddress, returnUrlErrors, returnUrlProblem } from '#shared/checkouts/domain/return-url.ts';

const HTTPS = 'must be an https URL. In test mode http://localhost and http://127.0.0.1 are allowed too.';
const MISREAD = 'must hold no spaces, control characters, unpaired surrogates or backslashes.';
const LOGIN = 'must hold no user name or password.';
const WEBSITES = ['https://shop.example.ng', 'https://shop.example.ng:8443'];

describe('a return URL', () => {
  test.each([
    'https://shop.example.ng',
    'https://shop.example.ng/done?order=1042#paid',
    'https://shop.example.ng:8443/@done',
    'http://localhost',
    'http://localhost:3000/done',
    'http://127.0.0.1:8080?x=1',
  ])('may be %s', (url) => {
    expect(returnUrlProblem(url)).toBeUndefined();
  });

  test.each([
    ['', HTTPS],
    ['shop.example.ng/done', HTTPS],
    ['//shop.example.ng/done', HTTPS],
    ['http://shop.example.ng/done', HTTPS],
    ['http://localhost.example.ng/', HTTPS],
    ['http://localhost@shop.example.ng/', HTTPS],
    ['http://127.0.0.1.example.ng/', HTTPS],
    ['http://127.0.0.2/', HTTPS],
    ['http://[::1]/', HTTPS],
    ['https://', HTTPS],
    ['https:///shop.example.ng', HTTPS],
    ['https:shop.example.ng', HTTPS],
    ['https://shop.example.ng:99999/', HTTPS],
    ['javascript:alert(1)', HTTPS],
    ['javascript://https://shop.example.ng/%0aalert(1)', HTTPS],
    ['data:text/html,x', HTTPS],
    ['intent://shop.example.ng', HTTPS],
    [' https://shop.example.ng', MISREAD],
    ['https://shop.example.ng/a b', MISREAD],
    ['https://shop.example.ng\\@evil.example', MISREAD],
    ['java\nscript:alert(1)', MISREAD],
    ['https://shop.example.ng/\ud800', MISREAD],
    ['https://user:word@shop.example.ng/', LOGIN],
    ['https://shop.example.ng@evil.example/', LOGIN],
  ])('cannot be %j', (url, problem) => {
    expect(returnUrlProblem(url)).toBe(problem);
  });
});

describe('the return URLs of a request', () => {
  const elsewhere = 'https://elsewhere.example/done';
  const notOnWebsite = (field: string) => ({ field, message: `${field} must be on a website of this business.` });

  test.each(['live', 'test'] as const)('may be on any website with a secret %s key', (mode) => {
    const urls = { callback_url: elsewhere, cancel_url: elsewhere };
    expect(returnUrlErrors(urls, { mode, kind: 'secret' }, [])).toEqual([]);
  });

  test.each(['live', 'test'] as const)("must be on the business's own websites with a public %s key", (mode) => {
    const asker = { mode, kind: 'public' } as const;
    const own = { callback_url: 'https://shop.example.ng/done', cancel_url: 'https://shop.example.ng:8443/cart' };
    expect(returnUrlErrors(own, asker, WEBSITES)).toEqual([]);
    expect(returnUrlErrors({ callback_url: null, cancel_url: null }, asker, [])).toEqual([]);
    expect(returnUrlErrors({ callback_url: elsewhere, cancel_url: elsewhere }, asker, WEBSITES)).toEqual([
      notOnWebsite('callback_url'),
      notOnWebsite('cancel_url'),
    ]);
  });

  test.each([
    'https://shop.example.ng.evil.example/',
    'https://sub.shop.example.ng/',
    'https://shop.example.ng:444/',
    'https://evil.example/https://shop.example.ng',
  ])('cannot be %s if the website is shop.example.ng', (url) => {
    const urls = { callback_url: url, cancel_url: null };
    expect(returnUrlErrors(urls, { mode: 'live', kind: 'public' }, WEBSITES)).toEqual([notOnWebsite('callback_url')]);
  });

  test.each(['secret', 'public'] as const)('may be on this machine with a %s key only in test mode', (kind) => {
    const urls = { callback_url: 'http://localhost:3000/done', cancel_url: 'http://127.0.0.1/cart' };
    expect(returnUrlErrors(urls, { mode: 'test', kind }, [])).toEqual([]);
    expect(returnUrlErrors(urls, { mode: 'live', kind }, WEBSITES)).toEqual([
      { field: 'callback_url', message: 'callback_url must be an https URL.' },
      { field: 'cancel_url', message: 'cancel_url must be an https URL.' },
    ]);
  });
});

describe('the return address of a payer', () => {
  const about = { reference: 'PAY-0', merchantReference: null, isCancelled: false };

  const OURS = 'reference=PAY-0&trxref=PAY-0';

  test('names the checkout but never its outcome', () => {
    expect(returnAddress('https://shop.example.ng/', { ...about, merchantReference: 'A&B', isCancelled: true })).toBe(
      'https://shop.example.ng/?reference=PAY-0&trxref=PAY-0&merchant_reference=A%26B&cancelled=true',
    );
  });

  test.each<[string, string]>([
    ['https://shop.example.ng', `?${OURS}`],
    ['https://shop.example.ng?', OURS],
    ['https://shop.example.ng:443/done', `?${OURS}`],
    ['http://localhost:3000', `?${OURS}`],
    ['https://shop.example.ng/done?a=%20+b&&c', `&${OURS}`],
    ['https://shop.example.ng/done?a=1&', OURS],
    ['https://shop.example.ng/done?a=%e2%82%a6&b=~!*()\'"<>[]|^`{}', `&${OURS}`],
    ['https://shop.example.ng/done?cart', `&${OURS}`],
    ['https://shop.example.ng/done??', `&${OURS}`],
    ['https://shop.example.ng/done?next=https://a.example/?b=c', `&${OURS}`],
    ['https://shop.example.ng/done?a=b;c=d', `&${OURS}`],
    ['https://shop.example.ng/done?a=%', `&${OURS}`],
    ['https://shop.example.ng/a/../b//c/./%2e%2E/%7Ed', `?${OURS}`],
    ['https://Shop.Example.NG/Done', `?${OURS}`],
    ['https://müller.example.ng/höher?größe=₦', `&${OURS}`],
    ['https://xn--mller-kva.example.ng/', `?${OURS}`],
    ['https://shop.example.ng/done?reference=mine&cart=7&trxref=mine&cancelled=no', `&${OURS}`],
  ])('consists of %s unchanged, and our parameters at the end', (url, added) => {
    expect(returnAddress(url, about)).toBe(`${url}${added}`);
    for (const fragment of ['#', '#top', '#/orders?id=7#', '#größe']) {
      expect(returnAddress(`${url}${fragment}`, about)).toBe(`${url}${added}${fragment}`);
    }
  });

  test('leads to the return URL and keeps its whole query before our parameters', () => {
    const texts = fc.string({ unit: fc.constantFrom(...'aé₦%20+&=?/;:@!\'"<>[]|^`{}~.-_'), maxLength: 30 });
    fc.assert(
      fc.property(texts, texts, texts, (path, query, fragment) => {
        const url = `https://shop.example.ng/${path.replaceAll('?', '')}?${query}#${fragment}`;
        const [before, after] = [new URL(url), new URL(returnAddress(url, about))];
        expect([after.origin, after.pathname, after.hash]).toEqual([before.origin, before.pathname, before.hash]);
        const ours = [
          ['reference', 'PAY-0'],
          ['trxref', 'PAY-0'],
        ];
        expect([...after.searchParams]).toEqual([...before.searchParams, ...ours]);
      }),
    );
  });
});

test('a local address within another URL does not make it a return URL', () => {
  expect(returnUrlProblem('javascript:http://localhost/')).toBeDefined();
  const urls = { callback_url: 'https://stranger.example/?to=http://localhost/', cancel_url: null };
  expect(returnUrlErrors(urls, { mode: 'test', kind: 'public' }, [])).toHaveLength(1);
});
