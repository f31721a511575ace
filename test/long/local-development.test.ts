import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '#infra/local/data/processes.ts';
import { endLeftOverEmulator } from '#infra/local/emulators/dynamodb-emulator.ts';
import { findQuietPort } from '#test/support/emulators/quiet-port.ts';
import { eventually } from '#test/support/worlds/merchant.ts';

/** The position at which the program is paused. Lines count from 0. */
interface Pause {
  readonly url: string | undefined;
  readonly lineNumber: number;
}

/** Attaches a debugger that speaks the inspector protocol, as an editor does. */
const attach = async (url: string) => {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  const answers = new Map<number, () => void>();
  const scripts = new Map<string, string>();
  const pauses: Pause[] = [];
  socket.addEventListener('message', ({ data }) => {
    const { id, method, params } = JSON.parse(String(data));
    if (method === 'Debugger.scriptParsed') scripts.set(params.scriptId, params.url);
    if (method === 'Debugger.paused') {
      const { scriptId, lineNumber } = params.callFrames[0].location;
      pauses.push({ url: scripts.get(scriptId), lineNumber });
    }
    answers.get(id)?.();
  });
  let sent = 0;
  const send = (method: string, params: object = {}): Promise<void> =>
    new Promise((resolve) => {
      sent += 1;
      answers.set(sent, resolve);
      socket.send(JSON.stringify({ id: sent, method, params }));
    });
  await send('Debugger.enable');
  return {
    send,
    nextPause: (): Promise<Pause> => eventually('the debugger pauses', () => pauses.shift()),
    close: () => socket.close(),
  };
};

/** Tests `npm run dev` and `--inspect` with real processes, on a copy of the code that the test changes. */
describe('developing with the local stack', () => {
  let folder: string;
  let port: number;
  let child: ChildProcess;
  let output: string;
  const PARTS = ['functions', 'infra', 'shared', 'package.json', 'tsconfig.json'];
  const path = (...names: string[]): string => join(folder, ...names);

  const run = async (args: readonly string[]): Promise<void> => {
    output = '';
    port = await findQuietPort();
    const { AWS_ENDPOINT_URL_DYNAMODB: _, AWS_ENDPOINT_URL_SQS: __, ...inherited } = process.env;
    child = spawn('npm', ['run', ...args], {
      cwd: folder,
      env: { ...inherited, PORT: String(port), DATA_DIR: path('data'), INSPECT_PORT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Start a process group, so that Ctrl-C reaches every process, as in a terminal.
      detached: true,
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
  };
  const countStarts = (): number => output.match(/^Ready on /gm)?.length ?? 0;
  const awaitStart = (count: number) => eventually(`start ${count} is ready`, () => countStarts() === count);
  const interrupt = async (): Promise<void> => {
    const closed = once(child, 'close');
    process.kill(-(child.pid ?? 0), 'SIGINT');
    await closed;
  };
  const api = async (method: string, url: string, body?: unknown) => {
    const { keys } = JSON.parse(await readFile(path('data', 'demo.json'), 'utf8'));
    const { key } = keys.find(
      (candidate: { mode: string; kind: string }) => candidate.mode === 'test' && candidate.kind === 'secret',
    );
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const request = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return (await (await fetch(`http://127.0.0.1:${port}${url}`, request)).json()) as { data: Record<string, unknown> };
  };
  const readInbox = async (): Promise<unknown[]> =>
    ((await (await fetch(`http://127.0.0.1:${port}/_local/inbox.json`)).json()) as { webhooks: unknown[] }).webhooks;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'payments-development-'));
    await Promise.all(PARTS.map((part) => cp(part, path(part), { recursive: true })));
    await symlink(join(process.cwd(), 'node_modules'), path('node_modules'));
  });
  afterEach(async () => {
    // A process that is paused at a breakpoint reacts to no other signal.
    if (child.exitCode === null && child.signalCode === null) {
      const closed = once(child, 'close');
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      await closed;
    }
    await endLeftOverEmulator(path('data', 'table.db'));
    await rm(folder, { recursive: true, force: true });
  });

  test('npm run dev restarts on a change with its data, waits after a syntax error, and ends on Ctrl-C', async () => {
    await run(['dev']);
    await awaitStart(1);
    const demo = await readFile(path('data', 'demo.json'), 'utf8');
    const { data } = await api('POST', '/api/v1/checkout/initialize', { amount: 500, payer_email: 'ada@example.com' });
    await api('POST', '/api/v1/checkout/sandbox/simulate', { reference: data.reference });
    await eventually('the webhook is in the inbox', async () => (await readInbox()).length === 1);

    // Only the background thread loads this file.
    const sweep = path('shared', 'sweeps', 'use-cases', 'sweep-payments.ts');
    const before = await readFile(sweep, 'utf8');
    await appendFile(sweep, '// changed\n');
    await awaitStart(2);
    expect(await readFile(path('data', 'demo.json'), 'utf8')).toBe(demo);
    expect((await api('GET', `/api/v1/checkout/verify/${data.reference}`)).data).toMatchObject({ status: 'paid' });
    expect(await readInbox()).toHaveLength(1);

    const handler = path('functions', 'verify-checkout', 'handler.ts');
    for (const file of [sweep, handler]) {
      const source = file === sweep ? before : await readFile(handler, 'utf8');
      const readyBefore = countStarts();
      output = output.replaceAll('Failed running', 'Failed before');
      await writeFile(file, `${source}const unfinished = ;\n`);
      await eventually('npm run dev waits for the next change', () => output.includes('Failed running'));
      expect(output).toContain('Expression expected');
      expect(output).toContain(`${file}:${source.split('\n').length}`);
      await writeFile(file, source);
      await awaitStart(readyBefore + 1);
    }

    const { pid } = JSON.parse(await readFile(path('data', 'stack.json'), 'utf8'));
    const emulator = Number.parseInt(await readFile(path('data', 'table.db.pid'), 'utf8'), 10);
    expect([pid, emulator].map(isRunning)).toEqual([true, true]);
    await interrupt();
    await eventually('the local stack and its emulator have ended', () => ![pid, emulator].some(isRunning));
  });

  test('an attached debugger stops at breakpoints in a handler and in code that it calls', async () => {
    await run(['start', '--', '--inspect']);
    await awaitStart(1);
    const debug = await attach(/Debugger listening on (ws:\S+)/.exec(output)?.[1] ?? '');
    const breakpoints = await Promise.all(
      [
        ['functions/verify-checkout/handler.ts', 'deps.checkouts.find('],
        ['shared/checkouts/store/checkout-store.ts', 'const existing = readVisible('],
      ].map(async ([file = '', text = '']) => {
        const lineNumber = (await readFile(path(file), 'utf8')).split('\n').findIndex((line) => line.includes(text));
        if (lineNumber === -1) throw new Error(`${file} has no line with: ${text}`);
        return { url: `file://${path(file)}`, lineNumber };
      }),
    );
    for (const breakpoint of breakpoints) await debug.send('Debugger.setBreakpointByUrl', breakpoint);
    const answer = api('GET', '/api/v1/checkout/verify/PAY-01KDVDNX1Q0Y8J6W6KZ0H3S5TA');
    for (const breakpoint of breakpoints) {
      expect(await debug.nextPause()).toEqual(breakpoint);
      await debug.send('Debugger.resume');
    }
    expect(await answer).toMatchObject({ status: false });
    debug.close();
  });
});
