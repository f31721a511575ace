import { readStageSettings } from '#infra/config.ts';
import { readSettings } from '#infra/local/settings.ts';
import { welcome } from '#infra/local/welcome/welcome.ts';

const BASE_URL = 'http://127.0.0.1:3000';
const BUSINESS = { id: 'biz_01KDVDNX1Q0Y8J6W6KZ0H3S5T0', name: 'Demo Business' };

describe('the public address of the local stack', () => {
  test('has no value, unless the user sets PUBLIC_URL', () => {
    expect(readSettings([], {}).stageUrl).toBeUndefined();
    const { stageUrl } = readSettings([], { PUBLIC_URL: 'https://tunnel.example.com' });
    expect(stageUrl).toBe('https://tunnel.example.com');
    for (const PUBLIC_URL of ['tunnel.example.com', 'ftp://tunnel.example.com'])
      expect(() => readSettings([], { PUBLIC_URL })).toThrow('PUBLIC_URL must be a URL');
  });
});

describe('the contact of the local stack', () => {
  test('has no value, unless the user sets CONTACT', () => {
    expect(readSettings([], {}).contact).toBeNull();
    const CONTACT = '{"email": "integrations@example.com"}';
    expect(readSettings([], { CONTACT }).contact).toEqual({ email: 'integrations@example.com' });
    for (const wrong of ['integrations@example.com', '{}', '{"url": "http://example.com"}'])
      expect(() => readSettings([], { CONTACT: wrong })).toThrow(
        'CONTACT must be JSON with an e-mail address, an https address, or both',
      );
  });
});

const renderWelcome = (env: Record<string, string>, hasLive = false): string => {
  const { rateLimits, stageUrl = BASE_URL } = readSettings([], env);
  const keys = (['secret', 'public'] as const).flatMap((kind) =>
    (['live', 'test'] as const).map((mode) => ({ kind, mode, key: `${kind}-${mode}` })),
  );
  const demo = { business: BUSINESS, keys } as never;
  const stack = { baseUrl: BASE_URL, stageUrl, demo, payUrl: undefined, hasLive, rateLimits };
  return welcome(stack, '.local', 1_000);
};

test('the welcome of live mode names the address at which providers reach the stack', () => {
  const path = '/providers/<provider>/notifications';
  expect(renderWelcome({}, true)).toContain(`notifications to ${BASE_URL}${path}`);
  const PUBLIC_URL = 'https://tunnel.example.com';
  expect(renderWelcome({ PUBLIC_URL }, true)).toContain(`notifications to ${PUBLIC_URL}${path}`);
});

test('the welcome names the documents in every served form', () => {
  const text = renderWelcome({});
  for (const form of ['/docs ', '/openapi.json', '.yaml', '/postman.json', '/llms.txt']) expect(text).toContain(form);
});

describe('the rate limits of the local stack', () => {
  test('equal those of a dev stage, unless the user sets others', () => {
    expect(readSettings([], {}).rateLimits).toEqual(readStageSettings('dev').requestsPerSecond);
    const others = { live: 3, test: 2, publicAddress: 1 };
    expect(readSettings([], { RATE_LIMITS: JSON.stringify(others) }).rateLimits).toEqual(others);
  });

  test('appear in the welcome', () => {
    expect(renderWelcome({})).toContain(
      'test key: 25 requests per second; live key: 100 requests per second; address with a public key: 10 requests per second',
    );
    expect(renderWelcome({ RATE_LIMITS: '{"live":0,"test":0,"publicAddress":0}' })).toContain('test key: no limit');
  });
});
