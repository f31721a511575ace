import { isAllowed } from '#shared/pages/checkout/client/origins.ts';

const LIVE = 'https://shop.example.ng https://www.shop.example.ng';
const TEST = `${LIVE} http://localhost:* http://127.0.0.1:*`;

test.each([
  [LIVE, 'https://shop.example.ng', true],
  [LIVE, 'https://www.shop.example.ng', true],
  [LIVE, 'https://shop.example.ng.evil.example', false],
  [LIVE, 'http://shop.example.ng', false],
  [LIVE, 'https://shop.example.ng:8443', false],
  [LIVE, 'http://localhost:3000', false],
  [TEST, 'http://localhost', true],
  [TEST, 'http://localhost:3000', true],
  [TEST, 'http://127.0.0.1:5173', true],
  [TEST, 'https://localhost:3000', false],
  [TEST, 'http://localhost.evil.example', false],
  [TEST, 'http://localhost:3000.evil.example', false],
  [TEST, 'null', false],
  ['', 'https://shop.example.ng', false],
])('a page with the allowed origins “%s” talks to %s: %p', (list, origin, isExpected) => {
  expect(isAllowed(list, origin)).toBe(isExpected);
});
