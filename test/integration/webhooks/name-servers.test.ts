import { askNameServers, type Resolve } from '#shared/webhooks/http-out/resolve.ts';
import { askBriefly, targetChecker } from '#shared/webhooks/http-out/target-checker.ts';
import { webhookPoster } from '#shared/webhooks/http-out/webhook-poster.ts';
import { type NameServer, type Said, startNameServer } from '#test/support/emulators/name-server.ts';
import { longTest, testRows } from '#test/support/jest/long.ts';
import { type Receiver, startReceiver } from '#test/support/worlds/receiver.ts';

const PUBLIC = '102.89.23.17';
const PUBLIC_6 = '2606:4700:4700::1111';

let zone: Record<string, { A: Said; AAAA: Said }>;
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
  await Promise.all(opened.splice(0).map((one) => one.stop()));
});

const ask = (timeoutMs = 5_000): Resolve => askNameServers({ servers: [server.address], timeoutMs });
const failing = (code: string) => expect.objectContaining({ code });
const toHost = (url: string) => ({ url, headers: { 'webhook-id': 'evt_1' }, body: '{"type":"checkout.paid"}' });
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `silent${index}.example`);

const untilAsked = async (hosts: string[]): Promise<void> => {
  const questions = hosts.flatMap((host) => [`A ${host}`, `AAAA ${host}`]);
  while (!questions.every((question) => server.asked.includes(question))) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

/** What became of each so far. */
const followed = (pending: Promise<unknown>[]): unknown[] => {
  const ended: unknown[] = [];
  for (const one of pending) one.then(ended.push.bind(ended), (error) => ended.push(error.code));
  return ended;
};

describe('a look-up', () => {
  test.each<[string, Said, Said, string[]]>([
    ['both families, IPv4 first', [PUBLIC], [PUBLIC_6], [PUBLIC, PUBLIC_6]],
    ['several of each', [PUBLIC, '8.8.8.8'], [PUBLIC_6, '2a00::1'], [PUBLIC, '8.8.8.8', PUBLIC_6, '2a00::1']],
    ['IPv4 only', [PUBLIC], [], [PUBLIC]],
    ['IPv6 only', [], [PUBLIC_6], [PUBLIC_6]],
    ['IPv4, and the name unknown in IPv6 (RFC 4074 section 4.2)', [PUBLIC], 'NXDOMAIN', [PUBLIC]],
    ['an alias', ['lb.example', PUBLIC], ['lb.example', PUBLIC_6], [PUBLIC, PUBLIC_6]],
    ['an alias of nothing', ['lb.example'], ['lb.example'], []],
    ['no address', [], [], []],
    ['a name that nobody knows', 'NXDOMAIN', 'NXDOMAIN', []],
  ])('gives %s', async (_, A, AAAA, addresses) => {
    zone['hooks.example'] = { A, AAAA };
    const found = await ask()('hooks.example');
    expect(found.map(({ address }) => address)).toEqual(addresses);
    expect(found.map(({ family }) => family)).toEqual(addresses.map((one) => (one.includes(':') ? 6 : 4)));
  });

  test.each<[string, Said, Said, string]>([
    ['IPv4 fails, and there is no IPv6', 'SERVFAIL', [], 'ESERVFAIL'],
    ['IPv6 is refused, and there is no IPv4', [], 'REFUSED', 'EREFUSED'],
    ['both fail', 'SERVFAIL', 'SERVFAIL', 'ESERVFAIL'],
    ['IPv4 fails, IPv6 stays silent', 'SERVFAIL', 'silent', 'ESERVFAIL'],
  ])('fails where %s', async (_, A, AAAA, code) => {
    zone['hooks.example'] = { A, AAAA };
    await expect(ask(300)('hooks.example')).rejects.toEqual(failing(code));
  });

  test.each<[string, Said, Said, string]>([
    ['IPv6 fails', [PUBLIC], 'SERVFAIL', PUBLIC],
    ['IPv4 fails', 'SERVFAIL', [PUBLIC_6], PUBLIC_6],
    ['IPv6 is refused', [PUBLIC], 'REFUSED', PUBLIC],
    ['IPv6 stays silent', [PUBLIC], 'silent', PUBLIC],
    ['IPv4 stays silent', 'silent', [PUBLIC_6], PUBLIC_6],
  ])('gives what there is where %s (RFC 4074)', async (_, A, AAAA, address) => {
    zone['hooks.example'] = { A, AAAA };
    expect((await ask(300)('hooks.example')).map((one) => one.address)).toEqual([address]);
  });

  testRows<[string, Said, Said]>([
    ['IPv6 and there is no IPv4', [], 'silent'],
    ['IPv4 and there is no IPv6', 'silent', []],
    ['everything', 'silent', 'silent'],
  ])('fails in time where %s stays unanswered', async (_, A, AAAA) => {
    zone['hooks.example'] = { A, AAAA };
    await expect(ask(300)('hooks.example')).rejects.toEqual(failing('ETIMEOUT'));
    // On a busy machine it comes to second packets.
    expect([...new Set(server.asked)].sort()).toEqual(['A hooks.example', 'AAAA hooks.example']);
  });

  longTest('asks again, because a packet may get lost', async () => {
    let lost = false;
    const lossy = await startNameServer((_, type) => {
      if (type === 'AAAA') return [];
      if (lost) return [PUBLIC];
      lost = true;
      return 'silent';
    });
    opened.push(lossy);
    const resolve = askBriefly([lossy.address]);
    expect(await resolve('hooks.example')).toEqual([{ address: PUBLIC, family: 4 }]);
  });

  test('ends when nobody waits for it any more, and no other with it', async () => {
    const [given, kept] = ['silent-given.example', 'silent-kept.example'];
    const [giveUp, giveUpToo] = [new AbortController(), new AbortController()];
    const resolve = ask();
    // The one that is kept began first, so that it would also end first.
    const pending = [resolve(kept, giveUpToo.signal), resolve(given, giveUp.signal)] as const;
    const ended = followed([...pending]);
    await untilAsked([given, kept]);
    giveUp.abort();
    await expect(pending[1]).rejects.toEqual(failing('ETIMEOUT'));
    zone['hooks.example'] = { A: [PUBLIC], AAAA: [] };
    expect(await resolve('hooks.example')).toHaveLength(1);
    expect(ended).toEqual(['ETIMEOUT']);
    giveUpToo.abort();
    await expect(pending[0]).rejects.toEqual(failing('ETIMEOUT'));
  });
});

describe('silent name servers', () => {
  test('delay no other look-up, neither while they are asked nor after they were given up', async () => {
    zone['hooks.example'] = { A: [PUBLIC], AAAA: [] };
    const resolve = ask();
    for (const _batch of [1, 2, 3]) {
      const giveUp = new AbortController();
      const pending = names(20).map((name) => resolve(name, giveUp.signal));
      const ended = followed(pending);
      await untilAsked(names(20));
      expect(await resolve('hooks.example')).toEqual([{ address: PUBLIC, family: 4 }]);
      expect(ended).toEqual([]);
      giveUp.abort();
      await Promise.allSettled(pending);
      expect(ended).toEqual(Array(20).fill('ETIMEOUT'));
      server.asked.length = 0;
    }
  });

  describe('of some endpoints', () => {
    let receiver: Receiver;
    const url = (host: string): string => receiver.url.replace('127.0.0.1', host);

    beforeEach(async () => {
      receiver = await startReceiver();
      zone['hooks.example'] = { A: ['127.0.0.1'], AAAA: [] };
    });
    afterEach(() => receiver.stop());

    longTest('cost their own deliveries only, in the same batch and in the next', async () => {
      const post = webhookPoster({ timeoutMs: 15_000, targets: 'any', resolve: ask(3_000) });
      for (const batch of [1, 2]) {
        const silent = names(9).map((host) => post(toHost(url(host))));
        const ended = followed(silent);
        await untilAsked(names(9));
        // Each opens a connection and looks its name up: the first one is not idle yet.
        const healthy = await Promise.all([1, 2].map(() => post(toHost(url('hooks.example')))));
        expect(ended).toEqual([]);
        expect(healthy).toEqual([1, 2].map(() => expect.objectContaining({ statusCode: 200, error: null })));
        expect(receiver.received).toHaveLength(2 * batch);
        const error =
          'The host could not be found: its name servers gave no A or AAAA address (ETIMEOUT).';
        expect(await Promise.all(silent)).toEqual(
          names(9).map(() => ({ statusCode: null, error, response: null, retryAfter: null })),
        );
        server.asked.length = 0;
      }
    });

    test('are asked no more once the delivery has been given up', async () => {
      const resolve = ask();
      const lookUps: Promise<unknown>[] = [];
      const kept = new AbortController();
      // Began first, so that it would also end first.
      const other = resolve('silent-other.example', kept.signal);
      const ended = followed([other]);
      const post = webhookPoster({
        timeoutMs: 300,
        targets: 'any',
        resolve: (...asked) => {
          const lookUp = resolve(...asked);
          lookUps.push(lookUp);
          return lookUp;
        },
      });
      const given = [...names(9).map(url), url('silent.example').replace('http:', 'https:')];
      const got = await Promise.all(given.map((one) => post(toHost(one))));
      expect(got).toEqual(given.map(() => expect.objectContaining({ error: 'No answer within 0.3 s.' })));
      const settled = await Promise.allSettled(lookUps);
      expect(settled).toEqual(given.map(() => ({ status: 'rejected', reason: failing('ETIMEOUT') })));
      expect(ended).toEqual([]);
      kept.abort();
      await expect(other).rejects.toEqual(failing('ETIMEOUT'));
    });
  });
});

describe('a host that a name server leads to', () => {
  const NOT_PUBLIC = 'The request was not sent: the host leads to an address that is not public.';
  const NOT_PUBLIC_AT_SAVE = 'must name a host on the public Internet; this one leads to an address that is not public.';
  const NOT_LEARNT = /gave no A or AAAA address/;

  /** What is said of the host at save, and what error its delivery has. */
  const judged = async (A: Said, AAAA: Said, timeoutMs?: number) => {
    zone['hooks.example'] = { A, AAAA };
    const url = 'https://hooks.example:8443/';
    const post = webhookPoster({ timeoutMs: 15_000, targets: 'public', resolve: ask(timeoutMs) });
    const { statusCode, error } = await post(toHost(url));
    expect(statusCode).toBeNull();
    return [await targetChecker('public', ask(timeoutMs))(url), error];
  };

  test.each<[string, Said, Said]>([
    ['a private address', ['10.0.0.7'], []],
    ['the metadata service', ['169.254.169.254'], []],
    ['a public and a private address', [PUBLIC, '192.168.1.4'], [PUBLIC_6]],
    ['a private and a public address', ['127.0.0.1', PUBLIC], []],
    ['public IPv4 and private IPv6', [PUBLIC], ['fd00:ec2::254']],
    ['public IPv6 and private IPv4', ['127.0.0.1'], [PUBLIC_6]],
    ['loopback by IPv6 alone', [], ['::1']],
    ['IPv4 hidden in IPv6', [PUBLIC], [PUBLIC_6, '64:ff9b::a00:7']],
    ['a private address by an alias', ['lb.example', '10.0.0.7'], ['lb.example']],
  ])('%s is refused, at save and at delivery', async (_, A, AAAA) => {
    expect(await judged(A, AAAA)).toEqual([NOT_PUBLIC_AT_SAVE, NOT_PUBLIC]);
  });

  test.each<[string, Said, Said]>([
    ['fails for IPv6, and gives no IPv4', [], 'SERVFAIL'],
    ['fails for both', 'SERVFAIL', 'REFUSED'],
    ['keeps silent', 'silent', 'silent'],
  ])('that %s is refused, at save and at delivery', async (_, A, AAAA) => {
    for (const problem of await judged(A, AAAA, 300)) expect(problem).toMatch(NOT_LEARNT);
  });

  test.each<[string, Said, Said]>([
    ['fails for IPv6', ['10.0.0.7'], 'SERVFAIL'],
    ['keeps silent about IPv6', [PUBLIC, '10.0.0.7'], 'silent'],
    ['fails for IPv4', 'SERVFAIL', ['fd00:ec2::254']],
  ])('that %s is judged by the addresses that it gives', async (_, A, AAAA) => {
    expect(await judged(A, AAAA, 300)).toEqual([NOT_PUBLIC_AT_SAVE, NOT_PUBLIC]);
  });

  test.each<[string, Said]>([
    ['fails', 'SERVFAIL'],
    ['is refused', 'REFUSED'],
    ['stays unanswered', 'silent'],
  ])('whose look-up for IPv6 %s gets its webhooks by IPv4, and may be saved', async (_, AAAA) => {
    const receiver = await startReceiver();
    zone['hooks.example'] = { A: ['127.0.0.1'], AAAA };
    const post = webhookPoster({ timeoutMs: 15_000, targets: 'any', resolve: ask(300) });
    const got = await post(toHost(receiver.url.replace('127.0.0.1', 'hooks.example')));
    await receiver.stop();
    expect(got).toMatchObject({ statusCode: 200, error: null });
    zone['hooks.example'] = { A: [PUBLIC], AAAA };
    expect(await targetChecker('public', ask(300))('https://hooks.example/')).toBeUndefined();
  });

  longTest('fifty hosts whose name servers keep silent cost callers of the API 1.5 s each, side by side', async () => {
    const hosts = Array.from({ length: 50 }, (_, i) => `hangs-${i}.example`);
    for (const host of hosts) zone[host] = { A: 'silent', AAAA: 'silent' };
    const check = targetChecker('public', askBriefly([server.address]));
    const begun = performance.now();
    const problems = await Promise.all(hosts.map((host) => check(`https://${host}/`)));
    const took = performance.now() - begun;
    for (const problem of problems) expect(problem).toMatch(NOT_LEARNT);
    expect(took).toBeGreaterThan(1_400);
    expect(took).toBeLessThan(2_500);
  });

  test('public addresses of both families may be saved', async () => {
    zone['hooks.example'] = { A: [PUBLIC], AAAA: [PUBLIC_6] };
    expect(await targetChecker('public', ask())('https://hooks.example/')).toBeUndefined();
  });

  test('nowhere cannot be saved', async () => {
    const problem = 'must name a host that can be found; no address is known for this one.';
    expect(await targetChecker('public', ask())('https://unknown.example/')).toBe(problem);
  });
});

test('a stage that allows any target finds localhost, as every program of the machine does', async () => {
  const receiver = await startReceiver();
  const post = webhookPoster({ timeoutMs: 15_000, targets: 'any' });
  const got = await post(toHost(receiver.url.replace('127.0.0.1', 'localhost')));
  await receiver.stop();
  expect(got).toMatchObject({ statusCode: 200, error: null });
});
