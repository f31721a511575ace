import {
  isCausedByOtherSite,
  isForwarded,
  isFromBrowser,
  isFromOtherSite,
  namesThisMachine,
} from '#infra/local/gateway/browser-requests.ts';

describe('requests of web pages', () => {
  test.each([
    '127.0.0.1:3000',
    '127.0.0.1',
    'localhost:3000',
    'LOCALHOST',
    '[::1]:3000',
    '[::1]',
    '192.168.1.5:3000',
    'Laptop.lan:3000',
  ])('have a host that is this machine: %s', (host) => {
    expect(namesThisMachine({ headers: { host } }, 'laptop.lan')).toBe(true);
  });

  test.each([
    undefined,
    '',
    'evil.example',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'a.localhost',
    'localhost.',
    '127.0.0.1,evil.example',
    'evil.example:127',
    '127.0.0.1@evil.example',
    '127.1',
    '0x7f000001',
  ])('have a host that is not this machine: %s', (host) => {
    expect(namesThisMachine({ headers: { host } }, 'laptop.lan')).toBe(false);
  });

  test('show that a tunnel forwarded them, with any host', () => {
    expect(isForwarded({ headers: { host: 'localhost:3000', 'x-forwarded-for': '198.51.100.7' } })).toBe(true);
    expect(isForwarded({ headers: { host: 'localhost:3000', forwarded: 'for=198.51.100.7' } })).toBe(true);
    expect(isForwarded({ headers: { host: 'localhost:3000', 'user-agent': 'curl/8.5.0' } })).toBe(false);
  });

  const HOST = '127.0.0.1:3000';
  const isForeign = (method: string, headers: Record<string, string>) =>
    isFromOtherSite({ method, headers: { host: HOST, ...headers } });

  test('do not count as foreign if a program, a person or a page of the same address sends them', () => {
    expect(isForeign('POST', {})).toBe(false);
    expect(isForeign('POST', { origin: `http://${HOST}`, 'sec-fetch-site': 'same-origin' })).toBe(false);
    expect(isForeign('GET', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' })).toBe(false);
    expect(isForeign('GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' })).toBe(false);
  });

  test('count as foreign if a page of another site, of another port or without a site sends them', () => {
    for (const origin of ['http://evil.example', 'http://127.0.0.1:3001', 'null', ''])
      expect(isForeign('GET', { origin })).toBe(true);
    for (const site of ['cross-site', 'same-site']) {
      expect(isForeign('GET', { 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors' })).toBe(true);
      expect(isForeign('POST', { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate' })).toBe(true);
    }
  });

  test('show whether they come from a link or a frame of another site', () => {
    for (const site of ['cross-site', 'same-site'])
      expect(isCausedByOtherSite({ headers: { 'sec-fetch-site': site } })).toBe(true);
    for (const site of ['same-origin', 'none'])
      expect(isCausedByOtherSite({ headers: { 'sec-fetch-site': site } })).toBe(false);
    expect(isCausedByOtherSite({ headers: {} })).toBe(false);
  });

  test('show that a browser sent them', () => {
    expect(isFromBrowser({ headers: {} })).toBe(false);
    expect(isFromBrowser({ headers: { origin: 'null' } })).toBe(true);
    expect(isFromBrowser({ headers: { 'sec-fetch-site': 'none' } })).toBe(true);
  });
});
