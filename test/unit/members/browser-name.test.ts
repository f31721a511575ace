import { browserName } from '#shared/members/domain/browser-name.ts';

const MOZILLA = 'Mozilla/5.0';
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('the name of a browser', () => {
  test.each([
    [`${MOZILLA} (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`, 'Chrome on Windows'],
    [`${MOZILLA} (Windows NT 10.0) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`, 'Edge on Windows'],
    [
      `${MOZILLA} (Linux; Android 15) ${WEBKIT} SamsungBrowser/29.0 Chrome/136.0 Safari/537.36`,
      'Samsung Internet on Android',
    ],
    [
      `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.1 Safari/605.1.15`,
      'Safari on macOS',
    ],
    [`${MOZILLA} (iPhone; CPU iPhone OS 26_1 like Mac OS X) FxiOS/145.0 Safari/605.1.15`, 'Firefox on iOS'],
    [`${MOZILLA} (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0`, 'Firefox on Linux'],
    ['curl/8.5.0', 'a browser'],
    ['', 'a browser'],
    ['Your account is locked. Call 0700-123-4567 and say your code', 'a browser'],
    ['Firefox. Your account is locked: mail your code to ada@evil.example.com', 'Firefox'],
  ])('consists of fixed words alone: %p', (userAgent, name) => expect(browserName(userAgent)).toBe(name));
});
