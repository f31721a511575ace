import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { type Faults, startFaultProxy } from '#test/support/emulators/fault-proxy.ts';
import { findQuietPort } from '#test/support/emulators/quiet-port.ts';
import { startTableEmulator } from '#test/support/emulators/start-emulators.ts';
import type { OperatorKey } from '#test/support/worlds/merchant.ts';
import type { SimulatedProviders } from '#test/support/worlds/payers-charge.ts';
import { type Answer, type Request, send } from './requests.ts';

const run = promisify(execFile);
const UP_WITHIN_MS = 60_000;
/** Sweeps are rare, so that they add few table calls to those of an attack. */
const SWEEP_SECONDS = '30';
const SIMULATOR = 'infra/local/simulator/main.ts';
const WRITES = ['UpdateItem', 'PutItem', 'DeleteItem', 'TransactWriteItems', 'BatchWriteItem'];
const READS = ['GetItem', 'BatchGetItem', 'Query'];

export interface Business {
  readonly id: string;
  key(kind: 'secret' | 'public', mode: 'live' | 'test'): string;
  keyId(kind: 'secret' | 'public', mode: 'live' | 'test'): string;
}

/** A running local stack with two unrelated businesses. */
export interface Target {
  readonly attacker: Business;
  readonly neighbour: Business;
  /** The key that signs Korapay's notifications. With it a test makes the signed notification that an attacker has seen. */
  readonly korapaySecret: string;
  /** The providers' base URLs at the simulator, and their credentials. */
  readonly providers: SimulatedProviders;
  ask(request: Request): Promise<Answer>;
  /** Runs a command of the operations program. */
  operate(...command: string[]): Promise<string>;
  /** Sends a transfer to the simulator. `amount` is in naira. */
  pay(accountNumber: string, amount: number): Promise<void>;
  /** Counts the table calls that read and wrote since the last call. */
  takeCosts(): { readonly reads: number; readonly writes: number };
  /** Sets the faults of all table calls from now on. */
  inject(faults: Faults): void;
  stop(): Promise<void>;
}

export interface TargetOptions {
  /** The working copy whose local stack is attacked. */
  readonly directory: string;
  /** Environment variables that are added to the local stack's own. */
  readonly env?: NodeJS.ProcessEnv;
  /** The call limits of each provider, as the simulator's SIMULATOR_LIMITS. */
  readonly simulatorLimits?: object;
}

const awaitLine = async (child: ChildProcess, pattern: RegExp): Promise<string> => {
  let printed = '';
  if (!child.stdout) throw new Error('The output of the child process is not readable.');
  const timer = setTimeout(() => child.kill('SIGKILL'), UP_WITHIN_MS);
  for await (const line of createInterface(child.stdout)) {
    printed += `${line}\n`;
    const match = pattern.exec(line)?.[1];
    if (match === undefined) continue;
    clearTimeout(timer);
    child.stdout.resume();
    return match;
  }
  throw new Error(`The child process did not come up. Its output:\n${printed}`);
};

const terminate = async (child: ChildProcess): Promise<void> => {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
};

const meter = () => {
  let counts = { reads: 0, writes: 0 };
  return {
    count: (operation: string): void => {
      if (READS.includes(operation)) counts.reads += 1;
      if (WRITES.includes(operation)) counts.writes += 1;
    },
    take: () => {
      const taken = counts;
      counts = { reads: 0, writes: 0 };
      return taken;
    },
  };
};

/** Starts the simulator of this working copy for a local stack of any version, so that all versions are attacked with the same providers. */
const startSimulator = async (notifyBaseUrl: string, limits: object) => {
  const child = spawn(process.execPath, [SIMULATOR], {
    env: { PATH: process.env.PATH, NOTIFY_BASE_URL: notifyBaseUrl, SIMULATOR_LIMITS: JSON.stringify(limits) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { payUrl, settings, credentials } = JSON.parse(await awaitLine(child, /^(\{.*)$/));
  return { child, payUrl: String(payUrl), settings, credentials };
};

/** Starts a local stack behind a proxy that counts its table calls, with the simulator as its providers. */
export const startTarget = async ({ directory, env = {}, simulatorLimits = {} }: TargetOptions): Promise<Target> => {
  const [emulator, port] = [await startTableEmulator(), await findQuietPort()];
  const dataDir = await mkdtemp(join(tmpdir(), 'payments-attack-'));
  const costs = meter();
  let faults: Faults = () => undefined;
  const proxy = await startFaultProxy(emulator.endpoint);
  proxy.inject((operation, input) => {
    costs.count(operation);
    return faults(operation, input);
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  const { child: simulator, payUrl, settings, credentials } = await startSimulator(baseUrl, simulatorLimits);
  const secrets = Object.entries<object>(credentials).map(([name, fields]) => [
    `${name.toUpperCase()}_CREDENTIALS`,
    JSON.stringify(fields),
  ]);
  // Pass on only these variables, because the emulators of this test run have set others.
  const { PATH, HOME } = process.env;
  const stackEnv = {
    PATH,
    HOME,
    PORT: String(port),
    DATA_DIR: dataDir,
    DYNAMODB_ENDPOINT: proxy.endpoint,
    SWEEP_SECONDS,
    PROVIDERS: JSON.stringify(settings),
    ...Object.fromEntries(secrets),
    ...env,
  };
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const stack = spawn(process.execPath, ['infra/local/main.ts'], { cwd: directory, env: stackEnv, stdio: [...stdio] });
  await awaitLine(stack, /Ready on (\S+)/);

  const operate = async (...command: string[]): Promise<string> => {
    const options = { cwd: directory, env: stackEnv };
    return (await run(process.execPath, ['infra/ops/main.ts', '--json', '--yes', ...command], options)).stdout;
  };
  const open = async (name: string): Promise<Business> => {
    const created = await operate('business', 'create', '--name', name);
    const { business, keys } = JSON.parse(created) as { business: { id: string }; keys: OperatorKey[] };
    const find = (kind: string, mode: string) =>
      keys.find((candidate) => candidate.kind === kind && candidate.mode === mode);
    return {
      id: business.id,
      key: (kind, mode) => find(kind, mode)?.key ?? '',
      keyId: (kind, mode) => find(kind, mode)?.id ?? '',
    };
  };
  return {
    attacker: await open('Mallory Imports Limited'),
    neighbour: await open('Ada Stores Limited'),
    korapaySecret: credentials.korapay.secretKey,
    providers: {
      baseUrls: {
        paystack: settings.paystack.baseUrl,
        monnify: settings.monnify.baseUrl,
        korapay: settings.korapay.baseUrl,
      },
      credentials,
    },
    ask: (request) => send(baseUrl, request),
    operate,
    pay: async (accountNumber, amount) => {
      const body = JSON.stringify({ account_number: accountNumber, amount, sender_name: 'Chidi Eze' });
      const answer = await fetch(payUrl, { method: 'POST', body });
      if (!answer.ok) throw new Error(`The simulator refused the transfer: ${answer.status} ${await answer.text()}`);
    },
    takeCosts: costs.take,
    inject: (next) => {
      faults = next;
    },
    stop: async () => {
      await Promise.all([terminate(stack), terminate(simulator)]);
      await proxy.stop();
      await emulator.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};
