import { readServerUrl } from '#shared/api/http/server-address.ts';
import { apiEvent } from '#test/support/worlds/api-event.ts';

const readUrl = (domainName: string, headers: Record<string, string>): string => {
  const event = apiEvent({ headers });
  return readServerUrl({ ...event, requestContext: { ...event.requestContext, domainName } });
};

test.each([
  ['api.adastores.example', 'https', 'https://api.adastores.example'],
  ['abc123.execute-api.eu-west-1.amazonaws.com', 'https', 'https://abc123.execute-api.eu-west-1.amazonaws.com'],
  ['127.0.0.1:3000', 'http', 'http://127.0.0.1:3000'],
  ['localhost', 'http', 'http://localhost'],
  ['[::1]:3000', 'http', 'http://[::1]:3000'],
  ['192.168.1.7', 'http', 'http://192.168.1.7'],
  // A tunnel to the local stack ends TLS, so the local stack itself is called by http.
  ['ada.tunnel.example', 'http', 'https://ada.tunnel.example'],
])('the address of %s, called by %s, is %s', (domainName, proto, address) => {
  expect(readUrl(domainName, { 'x-forwarded-proto': proto })).toBe(address);
});

test('no header of a client changes where a link leads', () => {
  const forged = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    'x-original-host': 'evil.example',
    forwarded: 'host=evil.example;proto=http',
    origin: 'https://evil.example',
  };
  expect(readUrl('api.adastores.example', forged)).toBe('https://api.adastores.example');
});

test.each(['', 'evil.example/path', 'ada@evil.example', 'evil.example?', 'a b', '<script>', 'evil.example:x', '[zz]'])(
  'a domain that is no host, such as %j, makes no address',
  (domainName) => {
    expect(readUrl(domainName, { 'x-forwarded-proto': 'http' })).toBe('');
  },
);
