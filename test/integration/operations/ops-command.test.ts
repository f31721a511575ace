import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type StackFile, writeStackFile } from '#infra/local/data/stack-file.ts';
import { isWellFormedKey } from '#shared/businesses/domain/api-key.ts';
import { findQuietPort } from '#test/support/emulators/quiet-port.ts';
import { runOps } from '#test/support/worlds/ops-process.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

const ID = '[0-9A-HJKMNP-TV-Z]{26}';
const BUSINESS_ID = new RegExp(`^biz_${ID}$`);
const KEY_ID = new RegExp(`^key_${ID}$`);
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const UNKNOWN_BUSINESS = 'biz_01KDVDNX1Q0Y8J6W6KZ0H3S5TA';
const UNKNOWN_KEY = 'key_01KDVDNX1Q0Y8J6W6KZ0H3S5TA';

const newDir = (): string => mkdtempSync(join(tmpdir(), 'ops-'));

/** Runs the real command for the local stack of a data directory. */
const opsFor =
  (dataDir: string) =>
  (...args: string[]) => {
    const { PATH, HOME } = process.env;
    return runOps(args, { PATH, HOME, DATA_DIR: dataDir });
  };

const stackOf = (world: World, dynamodbEndpoint: string): StackFile => ({
  pid: process.pid,
  baseUrl: 'http://127.0.0.1:3000',
  dynamodbEndpoint,
  sqsEndpoint: 'http://127.0.0.1:3001',
  accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? '',
  queueUrls: {
    first: 'http://127.0.0.1:3001/0/first',
    retry: 'http://127.0.0.1:3001/0/retry',
    slow: 'http://127.0.0.1:3001/0/slow',
    test: 'http://127.0.0.1:3001/0/test',
  },
  tableName: world.table.name,
  dueShards: world.table.dueShards,
  hashKey: world.deps.hashKey,
});

let world: World;
let dataDir: string;
let emptyDir: string;
let ops: ReturnType<typeof opsFor>;

beforeAll(async () => {
  world = await makeWorld();
  [dataDir, emptyDir] = [newDir(), newDir()];
  writeStackFile(dataDir, stackOf(world, process.env.AWS_ENDPOINT_URL_DYNAMODB ?? ''));
  ops = opsFor(dataDir);
});
afterAll(() => {
  for (const dir of [dataDir, emptyDir]) rmSync(dir, { recursive: true, force: true });
});

/** Runs a command with `--json`. Returns the document, which must be everything that it prints. */
const answer = async (...args: string[]) => {
  const { code, out, err } = await ops(...args, '--json');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out);
};

const newBusiness = async () => {
  const { business, keys } = await answer('business', 'create', '--name', 'Ada Stores');
  return { id: business.id as string, keys: keys as { id: string; mode: string; kind: string; key: string }[] };
};

const keyView = (mode: string, kind: string) => ({
  id: expect.stringMatching(KEY_ID),
  mode,
  kind,
  prefix: `${kind === 'secret' ? 'sk' : 'pk'}_${mode}_`,
  last4: expect.stringMatching(/^[0-9A-Za-z]{4}$/),
  name: null,
  ip_whitelist: [],
  created_at: expect.stringMatching(TIME),
  expires_at: null,
  revoked_at: null,
});

describe('the operations command with --json', () => {
  test('creates, lists, shows, suspends and resumes a business', async () => {
    const created = await answer('business', 'create', '--name', ' Ada Stores ');
    expect(created).toEqual({
      business: { id: expect.stringMatching(BUSINESS_ID), name: 'Ada Stores' },
      keys: ['live', 'test'].flatMap((mode) =>
        ['secret', 'public'].map((kind) => ({
          id: expect.stringMatching(KEY_ID),
          mode,
          kind,
          key: expect.stringContaining(`${kind === 'secret' ? 'sk' : 'pk'}_${mode}_`),
        })),
      ),
    });
    for (const { key } of created.keys) expect(isWellFormedKey(key)).toBe(true);

    const { id } = created.business;
    const profile = {
      display_name: 'Ada Stores',
      support: null,
      websites: [],
      brand_color: null,
      routing: false,
      logo: null,
    };
    const view = { id, name: 'Ada Stores', suspended: false, created_at: expect.stringMatching(TIME), profile };
    const [list, shown] = await Promise.all([answer('business', 'list'), answer('business', 'show', id)]);
    expect(list.businesses).toContainEqual(view);
    const keys = ['live', 'test'].flatMap((mode) => ['secret', 'public'].map((kind) => keyView(mode, kind)));
    expect(shown).toEqual({ business: view, keys, endpoints: [], checkouts: { live: [], test: [] } });
    expect(await answer('business', 'suspend', id)).toEqual({ business: { ...view, suspended: true } });
    expect(await answer('business', 'resume', id)).toEqual({ business: view });

    const changes = (await world.itemsOf('LOG#')).filter(({ businessId }) => businessId === id);
    expect(new Set(changes.map(({ who }) => who))).toEqual(new Set(['local stack']));
  });

  test('creates, lists, rolls and revokes a key', async () => {
    const { id } = await newBusiness();
    const sort = ['--mode', 'test', '--kind', 'secret'];
    const { key } = await answer('key', 'create', '--business', id, ...sort, '--name', 'Checkout server');
    expect(key).toEqual({ id: expect.stringMatching(KEY_ID), mode: 'test', kind: 'secret', key: expect.any(String) });
    expect(isWellFormedKey(key.key)).toBe(true);

    const rolled = await answer('key', 'roll', key.id, '--grace', '30m');
    expect(rolled.key).toMatchObject({ mode: 'test', kind: 'secret' });
    expect(rolled.key.id).not.toBe(key.id);
    const left = Date.parse(rolled.replaced.expires_at) - Date.now();
    expect(left).toBeGreaterThan(29 * 60_000);
    expect(left).toBeLessThanOrEqual(30 * 60_000);

    const revoked = await answer('key', 'revoke', key.id);
    expect(revoked.key).toMatchObject({ id: key.id, revoked_at: expect.stringMatching(TIME) });
    const { keys } = await answer('key', 'list', '--business', id);
    expect(keys).toHaveLength(6);
    const own = { id: rolled.key.id, last4: rolled.key.key.slice(-4), name: 'Checkout server', last_used_at: null };
    expect(keys.at(-1)).toEqual({ ...keyView('test', 'secret'), ...own });
  });

  test('sets, shows and clears the whitelist of a key', async () => {
    const { keys } = await newBusiness();
    const id = keys[0]?.id ?? '';
    const entries = ['102.89.23.17', '2001:db8::/32'];
    expect(await answer('whitelist', 'set', id, ...entries)).toEqual({ key: { id, ip_whitelist: entries } });
    expect(await answer('whitelist', 'show', id)).toEqual({ key: { id, ip_whitelist: entries } });
    expect(await answer('whitelist', 'clear', id)).toEqual({ key: { id, ip_whitelist: [] } });
  });

  test('creates and lists a webhook endpoint, and shows its secret only once', async () => {
    const { id } = await newBusiness();
    const url = 'http://127.0.0.1:4000/webhooks';
    const create = ['endpoint', 'create', '--business', id, '--mode', 'test', '--url', url];
    const { endpoint } = await answer(...create, '--events', 'checkout.paid, checkout.overpaid');
    const { secret, ...view } = endpoint;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(view).toEqual({
      id: expect.stringMatching(new RegExp(`^whe_${ID}$`)),
      url,
      mode: 'test',
      events: ['checkout.paid', 'checkout.overpaid'],
      enabled: true,
      disabled_reason: null,
      created_at: expect.stringMatching(TIME),
    });
    expect((await answer(...create)).endpoint.events).toEqual(['*']);
    const { endpoints } = await answer('endpoint', 'list', '--business', id);
    expect(endpoints).toHaveLength(2);
    expect(endpoints[0]).toEqual(view);
  });
});

describe('the operations command without --json', () => {
  test('says that keys and secrets are shown only once, and what to do next', async () => {
    const created = await ops('business', 'create', '--name', 'Ada Stores');
    expect(created).toMatchObject({ code: 0, err: '' });
    expect(created.out).toMatch(/^Created the business Ada Stores: biz_\w{26}\n/);
    expect(created.out).toMatch(/^ {2}live {2}secret {2}sk_live_\w{38} {2}key_\w{26}$/m);
    expect(created.out).toContain('Keys are shown only this once. Store them now');
    const [, id = ''] = /(biz_\w{26})/.exec(created.out) ?? [];
    expect(created.out).toContain(`npm run --silent ops -- endpoint create --business ${id} --mode test --url URL`);

    const endpoint = await ops('endpoint', 'create', ...['--business', id, '--mode', 'test', '--url', 'http://[::1]/']);
    expect(endpoint.out).toMatch(/^ {2}whsec_\S+$/m);
    expect(endpoint.out).toContain('The secret is shown only this once');
    const shown = await ops('business', 'show', id);
    expect(shown.out).toMatch(/^ {2}ID +MODE +KIND +KEY +NAME +CREATED +STATE +ONLY FROM$/m);
    expect(shown.out).toMatch(/^ {2}key_\w{26} {2}test {2}public {2}pk_test_…\w{4} {2,}\S+ {2}works$/m);
    expect(shown.out).not.toContain('whsec_');
  });

  test.each([
    [
      [],
      ['Commands:', 'business create --name "Ada Stores"', 'Exit codes: 0 done, 1 refused or failed, 2 wrong usage.'],
    ],
    [
      ['key', 'roll'],
      ['--grace <duration>', '--json', '--stage <stage>', 'Examples:'],
    ],
  ])('explains %j --help with examples', async (command, texts) => {
    const { code, out, err } = await ops(...command, '--help');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const text of texts) expect(out).toContain(text);
  });
});

describe('a failure of the operations command', () => {
  test.each([
    [1, ['business', 'show', UNKNOWN_BUSINESS], `There is no business ${UNKNOWN_BUSINESS}.`],
    [1, ['key', 'revoke', UNKNOWN_KEY], `There is no key ${UNKNOWN_KEY}.`],
    [1, ['whitelist', 'show', 'key_1'], 'That is not the id of a key.'],
    [1, ['whitelist', 'set', UNKNOWN_KEY, '10.0.0.0/33'], '"10.0.0.0/33" is neither an IP address nor a CIDR range.'],
    [
      1,
      ['key', 'roll', UNKNOWN_KEY, '--grace', '8d'],
      'The grace period of a rolled key must be between 0 and 7 days.',
    ],
    [2, ['business', 'list', '--stage', 'qa'], 'Allowed choices are local, dev, staging, prod'],
    [2, ['queue', 'redrive', 'third'], 'Allowed choices are first, retry, slow, test.'],
    [1, ['queue', 'redrive', 'first'], 'The local stack has no dead-letter queues'],
    [1, ['event', 'redeliver', 'evt_1'], 'That is not the id of an event.'],
    [1, ['checkout', 'find', 'INV-2026-1120-0042'], 'For a merchant reference, give --business and --mode.'],
    [2, ['checkout', 'find', 'INV-1', '--mode', 'test'], '--business and --mode must be given together.'],
    [2, ['business', 'create'], "Required option '--name <name>' not specified."],
    [2, ['key', 'roll', UNKNOWN_KEY, '--grace', 'soon'], 'Give a number and a unit, such as 30m, 24h or 7d.'],
    [2, ['key', 'create', '--mode', 'demo'], 'Allowed choices are live, test.'],
    [2, ['business', 'creat'], "Unknown command 'creat' (Did you mean create?)"],
  ])('has exit code %d and one line without a stack trace: %j', async (code, args, message) => {
    const result = await ops(...args);
    expect(result).toMatchObject({ code, out: '' });
    expect(result.err).toMatch(/^Error: .+\n$/);
    expect(result.err).toContain(message);
  });

  test('prints one document on standard error with --json', async () => {
    const [refused, misused] = await Promise.all([
      ops('business', 'show', UNKNOWN_BUSINESS, '--json'),
      ops('--json', 'whitelist'),
    ]);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(JSON.parse(refused.err).error).toContain(`There is no business ${UNKNOWN_BUSINESS}.`);
    expect(misused).toMatchObject({ code: 2, out: '' });
    expect(JSON.parse(misused.err)).toEqual({ error: 'Give the command to run. Add --help to see all commands.' });
  });

  test('says how to start the local stack if the stack was never started or was killed', async () => {
    const port = await findQuietPort();
    const withoutStack = opsFor(emptyDir);
    const message = (dir: string) => `Error: The local stack is not running in ${dir}. Start it with: npm start\n`;
    expect(await withoutStack('business', 'list')).toEqual({ code: 1, out: '', err: message(emptyDir) });
    writeStackFile(emptyDir, stackOf(world, `http://127.0.0.1:${port}`));
    expect(await withoutStack('business', 'list')).toEqual({ code: 1, out: '', err: message(emptyDir) });
  });
});
