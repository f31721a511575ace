import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findSecrets } from '#test/support/hostile/secrets-seen.ts';
import { longTest } from '#test/support/jest/long.ts';
import { takeDenials } from '#test/support/permissions/roles.ts';
import { call, eventually, openBusiness } from '#test/support/worlds/merchant.ts';
import { logged, type Stack, startStack, watched } from '#test/support/worlds/stack.ts';

const run = promisify(execFile);
const CHECKOUT = { amount: 8_500.75, payer_email: 'ngozi.eze@example.com' };
const MEMBER = 'chidi@ada-stores.example.com';

/** Starts a local stack that must fail to start. Returns its exit code and output. */
const failToStart = async (env: NodeJS.ProcessEnv, args: string[] = []) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'payments-broken-'));
  const { AWS_ENDPOINT_URL_DYNAMODB: _, AWS_ENDPOINT_URL_SQS: __, ...inherited } = process.env;
  const outcome = await run(process.execPath, ['infra/local/main.ts', ...args], {
    env: { ...inherited, PORT: '0', DATA_DIR: dataDir, ...env },
    timeout: 120_000,
  }).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      output: error.stdout + error.stderr,
    }),
  );
  await rm(dataDir, { recursive: true, force: true });
  return outcome;
};

const findProcesses = async (dataDir: string): Promise<string[]> => {
  const { stdout } = await run('sh', ['-c', 'cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" " "']);
  return stdout.includes(dataDir) ? [stdout] : [];
};

/** Lists the addresses of `localhost` on this machine. Some containers have no IPv6. */
const listLoopbacks = () =>
  Object.values(networkInterfaces()).flatMap(
    (all) => all?.filter(({ address }) => ['127.0.0.1', '::1'].includes(address)) ?? [],
  );

/** Signs a member in. Returns the secrets of the sign-in: the code, the values of both cookies, and the challenge of a passkey. */
const signIn = async (stack: Stack, businessId: string): Promise<string[]> => {
  await stack.ops('member', 'invite', MEMBER, '--business', businessId, '--role', 'owner');
  const post = (path: string, body: object, cookie = ''): Promise<Response> =>
    fetch(`${stack.baseUrl}/api/dashboard${path}`, {
      method: 'POST',
      headers: { origin: stack.origin, 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    });
  const readCookie = ({ headers }: Response): string => headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const waitingCookie = readCookie(await post('/sign-in', { email: MEMBER }));
  const code = await eventually(
    'the code was mailed',
    async () => /code is (\d{8})/.exec((await stack.mails())[0]?.text ?? '')?.[1],
  );
  const sessionCookie = readCookie(await post('/sign-in/verify', { code }, waitingCookie));
  const { data } = (await (await post('/passkeys/challenge', {})).json()) as { data: { challenge: string } };
  return [
    code,
    ...[waitingCookie, sessionCookie].map((cookie) => cookie.slice(cookie.indexOf('=') + 1)),
    data.challenge,
  ];
};

describe('the local stack', () => {
  const stacks: Stack[] = [];
  const start = async (...args: Parameters<typeof startStack>): Promise<Stack> => {
    const stack = await startStack(...args);
    stacks.push(stack);
    return stack;
  };
  afterEach(async () => {
    await Promise.all(stacks.splice(0).map((stack) => stack.stop()));
  });

  test('prints commands that work when pasted into a shell, and shows the verified webhook in the inbox', async () => {
    const stack = await start();
    const [, block = ''] = /^Paste this block .*\n\n((?: {2}.*\n|\n)+)/m.exec(stack.output()) ?? [];
    const shell = run('bash', ['-s']);
    shell.child.stdin?.end(block);
    const { stdout, stderr } = await shell;
    expect(stderr).toBe('');
    expect(stdout.match(/^# /gm)).toHaveLength(5);
    expect(stdout.match(/"status":"paid"/g)).toHaveLength(2);
    const webhooks = await eventually('the webhook in the inbox', async () => {
      const { webhooks } = (await call(stack, 'GET', '/_local/inbox.json')).json;
      return webhooks.length > 0 ? webhooks : undefined;
    });
    expect(webhooks[0]).toMatchObject({ type: 'checkout.paid', verified: true });
    const page = await fetch(`${stack.baseUrl}/_local/inbox`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
    const text = await page.text();
    expect(text).toContain(webhooks[0].id);
    expect(text).toContain('₦8,500.75 of ₦8,500.75');

    const forged = await call(stack, 'POST', '/_local/inbox', {
      body: { type: '<script>alert(1)</script>' },
      headers: { 'webhook-id': 'evt_forged', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' },
    });
    expect(forged.status).toBe(400);
    const after = (await call(stack, 'GET', '/_local/inbox.json')).json.webhooks;
    expect(after[0]).toMatchObject({ id: 'evt_forged', verified: false });
    expect(await (await fetch(`${stack.baseUrl}/_local/inbox`)).text()).not.toContain('<script>alert(1)');
  });

  test('keeps data and keys over a restart, and deletes them with --reset', async () => {
    const first = await start();
    const demo = JSON.parse(await readFile(join(first.dataDir, 'demo.json'), 'utf8'));
    const merchant = await openBusiness(first, 'Ada Stores Limited');
    const { reference } = (await merchant.api('POST', '/checkout/initialize', { body: CHECKOUT })).json.data;
    await first.stop();
    expect(first.child.exitCode).toBe(0);

    const second = await start({ dataDir: first.dataDir });
    expect(JSON.parse(await readFile(join(first.dataDir, 'demo.json'), 'utf8'))).toMatchObject({
      ...demo,
      endpoint: expect.anything(),
      liveEndpoint: expect.anything(),
    });
    const kept = await call(second, 'GET', `/api/v1/checkout/verify/${reference}`, { key: merchant.secretTest.key });
    expect(kept.status).toBe(200);
    await second.stop();

    const third = await start({ dataDir: first.dataDir, args: ['--reset'] });
    const gone = await call(third, 'GET', `/api/v1/checkout/verify/${reference}`, { key: merchant.secretTest.key });
    expect(gone.status).toBe(401);
  });

  test('answers on each loopback address of localhost, and ends server and emulator on Ctrl-C', async () => {
    const stack = await start();
    expect(await findProcesses(stack.dataDir)).not.toEqual([]);
    const { port } = new URL(stack.baseUrl);
    expect(stack.output()).toContain(`http://localhost:${port}/dashboard `);
    for (const { address, family } of listLoopbacks()) {
      const host = family === 'IPv6' ? `[${address}]` : address;
      expect((await fetch(`http://${host}:${port}/health`)).status).toBe(200);
    }
    stack.child.kill('SIGINT');
    await eventually('the process ends', () => stack.child.exitCode !== null);
    expect(stack.child.exitCode).toBe(0);
    expect(await findProcesses(stack.dataDir)).toEqual([]);
    await expect(fetch(`${stack.baseUrl}/health`)).rejects.toThrow();
  });

  longTest('refuses a second start on the same data directory in one line', async () => {
    const stack = await start();
    const { code, output } = await failToStart({ DATA_DIR: stack.dataDir });
    expect([code, output.trim().split('\n').length]).toEqual([1, 1]);
    expect((await call(stack, 'GET', '/health')).status).toBe(200);
    const head = await fetch(`${stack.baseUrl}/health`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await stack.ops('health')).parts).toContainEqual({ part: 'queue first', state: 'ok' });
  });

  longTest(
    'reports a used port, an unusable directory or a bad setting in one line without a stack trace',
    async () => {
      const blocker = createServer();
      await new Promise<void>((resolve) => {
        blocker.listen(0, '127.0.0.1', resolve);
      });
      const address = blocker.address();
      const usedPort = typeof address === 'object' && address ? String(address.port) : '';
      const foreignDir = await mkdtemp(join(tmpdir(), 'payments-foreign-'));
      await writeFile(join(foreignDir, 'thesis.txt'), 'ten years of work');

      const outcomes = await Promise.all([
        failToStart({ PORT: usedPort }),
        failToStart({ DATA_DIR: '/dev/null/data' }),
        failToStart({ PORT: 'eighty' }),
        failToStart({ DYNAMODB_ENDPOINT: 'http://127.0.0.1:9' }),
        failToStart({ DATA_DIR: foreignDir }, ['--reset']),
        failToStart({}, ['--nonsense']),
      ]);
      for (const { code, output } of outcomes) {
        expect(code).not.toBe(0);
        expect(output).not.toMatch(/^\s+at /m);
        expect(output.trim().split('\n')).toHaveLength(1);
        // The output ends as a sentence, or with the command to run.
        expect(output).toMatch(/(\.|: [^:]*npm start[^:]*)$/m);
      }
      expect(outcomes[0]?.output).toContain(usedPort);
      expect(await readFile(join(foreignDir, 'thesis.txt'), 'utf8')).toBe('ten years of work');
      await new Promise((resolve) => blocker.close(resolve));
    },
  );

  test('ends at a call that a function’s role does not allow, and the test that started it fails', async () => {
    const stack = await start({ env: { NODE_OPTIONS: '--import ./test/support/permissions/ungranted-call.ts' } });
    const closed = once(stack.child, 'close');
    // The stack may end before it answers.
    await fetch(`${stack.baseUrl}/health`).catch(() => {});
    await closed;
    expect(takeDenials()).toContain('check-health makes dynamodb:DeleteTable, but its role does not allow it.');
  });

  test('the log of a local stack is searched for every secret of a test, and each secret that is put into it is found', async () => {
    const stack = await start();
    const merchant = await openBusiness(stack, 'Ada Stores Limited');
    const receiver = await merchant.listen();
    await merchant.api('POST', '/virtual-accounts', {
      body: {
        customer_name: 'Amara Okonkwo',
        customer_phone: '+2348031234567',
        provider: 'korapay',
        bvn: '22345678901',
      },
    });
    const { reference, checkout_url: url } = (
      await merchant.api('POST', '/checkout/initialize', {
        body: { ...CHECKOUT, merchant_reference: 'INV-2026-0117', metadata: { cart: 'ankara-6-yards' } },
        headers: { 'idempotency-key': 'order-2026-11-20-0117' },
      })
    ).json.data;
    await merchant.api('POST', '/checkout/sandbox/simulate', { body: { reference } });
    await eventually('the webhook', () => receiver.received.length > 0);
    await merchant.api('GET', '/webhook-endpoints');
    const dashboard = await signIn(stack, merchant.id);
    await stack.stop();
    await receiver.stop();

    const log = logged.at(-1)?.log() ?? '';
    expect(log).toContain('"event":"request_answered"');
    expect(log).toContain('"event":"delivery_attempted"');
    expect(log).toMatch(/^\d\d:\d\d:\d\d {2}webhook checkout\.paid/m);
    const secrets = watched()?.secrets() ?? new Map();
    for (const secret of [
      ...[
        merchant.secretTest.key,
        receiver.secret,
        receiver.url,
        '22345678901',
        '+2348031234567',
        CHECKOUT.payer_email,
      ],
      ...['Amara Okonkwo', 'INV-2026-0117', 'ankara-6-yards', 'order-2026-11-20-0117'],
      ...[url.slice(url.indexOf('PAY-')), MEMBER, ...dashboard],
    ]) {
      const kind = secrets.get(secret);
      const planted = `${log}{"event":"request_answered","fields":${JSON.stringify(`of ${secret}`)}}\n`;
      expect(findSecrets(planted, secrets)).toEqual([`${kind} in request_answered`]);
    }
  });
});
