import { askNameServers, type Resolve } from '#shared/webhooks/http-out/resolve.ts';
import { askBriefly, targetChecker } from '#shared/webhooks/http-out/target-checker.ts';
import { webhookPoster } from '#shared/webhooks/http-out/webhook-poster.ts';
import { type NameAnswer, type NameServer, startNameServer } from '#test/support/emulators/name-server.ts';
import { longTest, testRows } from '#test/support/jest/long.ts';
import { type Receiver, startReceiver } from '#test/support/worlds/receiver.ts';

const PUBLIC = '102.89.23.17';
const PUBLIC_6 = '2606:4700:4700::1111';

let zone: Record<string, { A: NameAnswer; AAAA: NameAnswer }>;
let server: NameServer;
const opened: NameServer[] = [];

beforeEach(async () => {
  zone = {};
  server = await startNameServer((name, type) =>
    name.startsWith('silent') ? 'silent' : (zone[name]?.[type] ?? 'NXDOMAIN'),
  );
  opened.push(server);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((nameServer) => nameServer.stop()));
});

const ask = (timeoutMs = 5_000): Resolve => askNameServers({ servers: [server.address], timeoutMs });
const failing = (code: string) => expect.objectContaining({ code });
const toHost = (url: string) => ({ url, headers: { 'webhook-id': 'evt_1' }, body: '{"type":"checkout.paid"}' });
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `silent${index}.example`);

const untilAsked = async (hosts: string[]): Promise<void> => {
  const questions = hosts.flatMap((host) => [`A ${host}`, `AAAA ${host}`]);
  while (!questions.every((question) => server.questions.includes(question))) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

/** Returns a list to which each promise adds its result or its error code when it settles. */
const collectOutcomes = (pending: Promise<unknown>[]): unknown[] => {
  const outcomes: unknown[] = [];
  for (const promise of pending) promise.then(outcomes.push.bind(outcomes), (error) => outcomes.push(error.code));
  return outcomes;
};

describe('a DNS look-up', () => {
  test.each<[string, NameAnswer, NameAnswer, string[]]>([
    ['both families, IPv4 first', [PUBLIC], [PUBLIC_6], [PUBLIC, PUBLIC_6]],
    ['several of each', [PUBLIC, '8.8.8.8'], [PUBLIC_6, '2a00::1'], [PUBLIC, '8.8.8.8', PUBLIC_6, '2a00::1']],
    ['IPv4 only', [PUBLIC], [], [PUBLIC]],
    ['IPv6 only', [], [PUBLIC_6], [PUBLIC_6]],
    ['IPv4, and the name unknown in IPv6 (RFC 4074 section 4.2)', [PUBLIC], 'NXDOMAIN', [PUBLIC]],
    ['an alias', ['lb.example', PUBLIC], ['lb.example', PUBLIC_6], [PUBLIC, PUBLIC_6]],
    ['an alias without an address', ['lb.example'], ['lb.example'], []],
    ['a name without an address', [], [], []],
    ['an unknown name', 'NXDOMAIN', 'NXDOMAIN', []],
  ])('returns all addresses: %s', async (_, A, AAAA, addresses) => {
    zone['hooks.example'] = { A, AAAA };
    const answers = await ask()('hooks.example');
    expect(answers.map(({ address }) => address)).toEqual(addresses);
    expect(answers.map(({ family }) => family)).toEqual(addresses.map((address) => (address.includes(':') ? 6 : 4)));
  });

  test.each<[string, NameAnswer, NameAnswer, string]>([
    ['IPv4 fails and there is no IPv6', 'SERVFAIL', [], 'ESERVFAIL'],
    ['IPv6 is refused and there is no IPv4', [], 'REFUSED', 'EREFUSED'],
    ['both fail', 'SERVFAIL', 'SERVFAIL', 'ESERVFAIL'],
    ['IPv4 fails and IPv6 stays silent', 'SERVFAIL', 'silent', 'ESERVFAIL'],
  ])('fails if %s', async (_, A, AAAA, code) => {
    zone['hooks.example'] = { A, AAAA };
    await expect(ask(300)('hooks.example')).rejects.toEqual(failing(code));
  });

  test.each<[string, NameAnswer, NameAnswer, string]>([
    ['IPv6 fails', [PUBLIC], 'SERVFAIL', PUBLIC],
    ['IPv4 fails', 'SERVFAIL', [PUBLIC_6], PUBLIC_6],
    ['IPv6 is refused', [PUBLIC], 'REFUSED', PUBLIC],
    ['IPv6 stays silent', [PUBLIC], 'silent', PUBLIC],
    ['IPv4 stays silent', 'silent', [PUBLIC_6], PUBLIC_6],
  ])('returns the address of the other family if %s (RFC 4074)', async (_, A, AAAA, address) => {
    zone['hooks.example'] = { A, AAAA };
    expect((await ask(300)('hooks.example')).map((answer) => answer.address)).toEqual([address]);
  });

  testRows<[string, NameAnswer, NameAnswer]>([
    ['IPv6 stays unanswered and there is no IPv4', [], 'silent'],
    ['IPv4 stays unanswered and there is no IPv6', 'silent', []],
    ['everything stays unanswered', 'silent', 'silent'],
  ])('fails in time if %s', async (_, A, AAAA) => {
    zone['hooks.example'] = { A, AAAA };
    await expect(ask(300)('hooks.example')).rejects.toEqual(failing('ETIMEOUT'));
    // On a busy machine second packets are sent too.
    expect([...new Set(server.questions)].sort()).toEqual(['A hooks.example', 'AAAA hooks.example']);
  });

  longTest('asks again, because a packet may get lost', async () => {
    let isLost = false;
    const lossy = await startNameServer((_, type) => {
      if (type === 'AAAA') return [];
      if (isLost) return [PUBLIC];
      isLost = true;
      return 'silent';
    });
    opened.push(lossy);
    const resolve = askBriefly([lossy.address]);
    expect(await resolve('hooks.example')).toEqual([{ address: PUBLIC, family: 4 }]);
  });

  test('ends after its abort, and other look-ups go on', async () => {
    const [abortedHost, otherHost] = ['silent-aborted.example', 'silent-other.example'];
    const [aborted, other] = [new AbortController(), new AbortController()];
    const resolve = ask();
    // The other look-up begins first, so that its timeout would also come first.
    const pending = [resolve(otherHost, other.signal), resolve(abortedHost, aborted.signal)] as const;
    const outcomes = collectOutcomes([...pending]);
    await untilAsked([abortedHost, otherHost]);
    aborted.abort();
    await expect(pending[1]).rejects.toEqual(failing('ETIMEOUT'));
    zone['hooks.example'] = { A: [PUBLIC], AAAA: [] };
    expect(await resolve('hooks.example')).toHaveLength(1);
    expect(outcomes).toEqual(['ETIMEOUT']);
    other.abort();
    await expect(pending[0]).rejects.toEqual(failing('ETIMEOUT'));
  });
});

describe('silent name servers', () => {
  test('delay no look-up of another host, neither while the silent ones are asked nor after those look-ups are aborted', async () => {
    zone['hooks.example'] = { A: [PUBLIC], AAAA: [] };
    const resolve = ask();
    for (const _batch of [1, 2, 3]) {
      const aborted = new AbortController();
      const pending = names(20).map((name) => resolve(name, aborted.signal));
      const outcomes = collectOutcomes(pending);
      await untilAsked(names(20));
      expect(await resolve('hooks.example')).toEqual([{ address: PUBLIC, family: 4 }]);
      expect(outcomes).toEqual([]);
      aborted.abort();
      await Promise.allSettled(pending);
      expect(outcomes).toEqual(Array(20).fill('ETIMEOUT'));
      server.questions.length = 0;
    }
  });

  describe('behind some endpoints', () => {
    let receiver: Receiver;
    const url = (host: string): string => receiver.url.replace('127.0.0.1', host);

    beforeEach(async () => {
      receiver = await startReceiver();
      zone['hooks.example'] = { A: ['127.0.0.1'], AAAA: [] };
    });
    afterEach(() => receiver.stop());

    longTest('delay only the deliveries to these endpoints, in the same batch and in the next', async () => {
      const post = webhookPoster({ timeoutMs: 15_000, targets: 'any', resolve: ask(3_000) });
      for (const batch of [1, 2]) {
        const silent = names(9).map((host) => post(toHost(url(host))));
        const outcomes = collectOutcomes(silent);
        await untilAsked(names(9));
        // Each request opens a connection and looks the name up, because the connection of the first request is not idle yet.
        const healthy = await Promise.all([1, 2].map(() => post(toHost(url('hooks.example')))));
        expect(outcomes).toEqual([]);
        expect(healthy).toEqual([1, 2].map(() => expect.objectContaining({ statusCode: 200, error: null })));
        expect(receiver.received).toHaveLength(2 * batch);
        const error = 'The host could not be found: its name servers gave no A or AAAA address (ETIMEOUT).';
        expect(await Promise.all(silent)).toEqual(
          names(9).map(() => ({ statusCode: null, error, response: null, retryAfter: null })),
        );
        server.questions.length = 0;
      }
    });

    test('get no more queries after the attempt has timed out', async () => {
      const resolve = ask();
      const lookUps: Promise<unknown>[] = [];
      const otherAborted = new AbortController();
      // This look-up begins first, so that its timeout would also come first.
      const other = resolve('silent-other.example', otherAborted.signal);
      const outcomes = collectOutcomes([other]);
      const post = webhookPoster({
        timeoutMs: 300,
        targets: 'any',
        resolve: (...args) => {
          const lookUp = resolve(...args);
          lookUps.push(lookUp);
          return lookUp;
        },
      });
      const urls = [...names(9).map(url), url('silent.example').replace('http:', 'https:')];
      const results = await Promise.all(urls.map((target) => post(toHost(target))));
      expect(results).toEqual(urls.map(() => expect.objectContaining({ error: 'No answer within 0.3 s.' })));
      const settled = await Promise.allSettled(lookUps);
      expect(settled).toEqual(urls.map(() => ({ status: 'rejected', reason: failing('ETIMEOUT') })));
      expect(outcomes).toEqual([]);
      otherAborted.abort();
      await expect(other).rejects.toEqual(failing('ETIMEOUT'));
    });
  });
});

describe('the check of a host by its name servers', () => {
  const NOT_PUBLIC = 'The request was not sent: the host leads to an address that is not public.';
  const NOT_PUBLIC_AT_SAVE =
    'must name a host on the public Internet; this one leads to an address that is not public.';
  const NOT_FOUND = /gave no A or AAAA address/;

  /** Returns the problem with the host at save, and the error of its delivery. */
  const check = async (A: NameAnswer, AAAA: NameAnswer, timeoutMs?: number) => {
    zone['hooks.example'] = { A, AAAA };
    const url = 'https://hooks.example:8443/';
    const post = webhookPoster({ timeoutMs: 15_000, targets: 'public', resolve: ask(timeoutMs) });
    const { statusCode, error } = await post(toHost(url));
    expect(statusCode).toBeNull();
    return [await targetChecker('public', ask(timeoutMs))(url), error];
  };

  test.each<[string, NameAnswer, NameAnswer]>([
    ['a private address', ['10.0.0.7'], []],
    ['the metadata service', ['169.254.169.254'], []],
    ['a public and a private address', [PUBLIC, '192.168.1.4'], [PUBLIC_6]],
    ['a private and a public address', ['127.0.0.1', PUBLIC], []],
    ['public IPv4 and private IPv6', [PUBLIC], ['fd00:ec2::254']],
    ['public IPv6 and private IPv4', ['127.0.0.1'], [PUBLIC_6]],
    ['loopback through IPv6 only', [], ['::1']],
    ['private IPv4 inside IPv6', [PUBLIC], [PUBLIC_6, '64:ff9b::a00:7']],
    ['a private address through an alias', ['lb.example', '10.0.0.7'], ['lb.example']],
  ])('rejects %s, at save and at delivery', async (_, A, AAAA) => {
    expect(await check(A, AAAA)).toEqual([NOT_PUBLIC_AT_SAVE, NOT_PUBLIC]);
  });

  test.each<[string, NameAnswer, NameAnswer]>([
    ['the look-up for IPv6 fails and there is no IPv4', [], 'SERVFAIL'],
    ['both look-ups fail', 'SERVFAIL', 'REFUSED'],
    ['the name servers stay silent', 'silent', 'silent'],
  ])('rejects a host at save and at delivery if %s', async (_, A, AAAA) => {
    for (const problem of await check(A, AAAA, 300)) expect(problem).toMatch(NOT_FOUND);
  });

  test.each<[string, NameAnswer, NameAnswer]>([
    ['the look-up for IPv6 fails', ['10.0.0.7'], 'SERVFAIL'],
    ['the look-up for IPv6 stays unanswered', [PUBLIC, '10.0.0.7'], 'silent'],
    ['the look-up for IPv4 fails', 'SERVFAIL', ['fd00:ec2::254']],
  ])('rejects a private address of one family even if %s', async (_, A, AAAA) => {
    expect(await check(A, AAAA, 300)).toEqual([NOT_PUBLIC_AT_SAVE, NOT_PUBLIC]);
  });

  test.each<[string, NameAnswer]>([
    ['fails', 'SERVFAIL'],
    ['is refused', 'REFUSED'],
    ['stays unanswered', 'silent'],
  ])('accepts a host with an IPv4 address if its look-up for IPv6 %s', async (_, AAAA) => {
    const receiver = await startReceiver();
    zone['hooks.example'] = { A: ['127.0.0.1'], AAAA };
    const post = webhookPoster({ timeoutMs: 15_000, targets: 'any', resolve: ask(300) });
    const result = await post(toHost(receiver.url.replace('127.0.0.1', 'hooks.example')));
    await receiver.stop();
    expect(result).toMatchObject({ statusCode: 200, error: null });
    zone['hooks.example'] = { A: [PUBLIC], AAAA };
    expect(await targetChecker('public', ask(300))('https://hooks.example/')).toBeUndefined();
  });

  longTest('takes 1.5 s for each of fifty hosts with silent name servers, all at the same time', async () => {
    const hosts = Array.from({ length: 50 }, (_, i) => `hangs-${i}.example`);
    for (const host of hosts) zone[host] = { A: 'silent', AAAA: 'silent' };
    const checkTarget = targetChecker('public', askBriefly([server.address]));
    const startedAt = performance.now();
    const problems = await Promise.all(hosts.map((host) => checkTarget(`https://${host}/`)));
    const duration = performance.now() - startedAt;
    for (const problem of problems) expect(problem).toMatch(NOT_FOUND);
    expect(duration).toBeGreaterThan(1_400);
    expect(duration).toBeLessThan(2_500);
  });

  test('accepts a host with public addresses of both families at save', async () => {
    zone['hooks.example'] = { A: [PUBLIC], AAAA: [PUBLIC_6] };
    expect(await targetChecker('public', ask())('https://hooks.example/')).toBeUndefined();
  });

  test('rejects a host without an address at save', async () => {
    const problem = 'must name a host that can be found; no address is known for this one.';
    expect(await targetChecker('public', ask())('https://unknown.example/')).toBe(problem);
  });
});

test('a stage that allows any target finds localhost through the system’s look-up', async () => {
  const receiver = await startReceiver();
  const post = webhookPoster({ timeoutMs: 15_000, targets: 'any' });
  const result = await post(toHost(receiver.url.replace('127.0.0.1', 'localhost')));
  await receiver.stop();
  expect(result).toMatchObject({ statusCode: 200, error: null });
});
