import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { readIfThere, writePrivately } from '#infra/local/data/data-dir.ts';
import { endProcess, markOf } from '#infra/local/data/processes.ts';
import { CannotStart } from '#infra/local/errors.ts';
import type { Engine } from './engine.ts';
import { openGuard } from './engine-guard.ts';
import { findDynoxide } from './find-dynoxide.ts';
import { type Address, hiddenAddresses } from './hidden-address.ts';
import { startListening } from './listening-thread.ts';

const GUARD_THREAD = new URL('./engine-guard-worker.ts', import.meta.url);
const READY_WITHIN_MS = 10_000;
const STOPS_WITHIN_MS = 1_000;
const POLL_MS = 20;
const GREETING = /^Dynoxide listening on .*$/m;
const IN_USE = 'already in use';

const accepts = ({ host, port }: Address): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, host);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** The engine's process mark is written beside its file, so that the next start finds an engine that outlived its stack. */
const markPath = (dbPath: string): string => `${dbPath}.pid`;

/** Ends the engine that still holds a database file after its stack was killed; nothing happens when there is none. */
export const endLeftOverEngine = async (dbPath: string): Promise<void> => {
  const mark = readIfThere(markPath(dbPath));
  if (mark !== undefined) await endProcess(mark);
};

/** Resolves with the engine's last output when it ends, or with the reason why it could not be run. */
const reasonOfEnd = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-500);
    });
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => {
      const complaint = said
        .replace(GREETING, '')
        .trim()
        .replace(/\s*\n\s*/g, ' ');
      resolve(complaint || (signal ? `it got ${signal}` : `it ended with code ${code}`));
    });
  });

/** Until the engine says so and takes connections: whoever took the port before it would take them, too. */
const ready = async (child: ChildProcess, address: Address, died: Promise<string>): Promise<void> => {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  let reason: string | undefined;
  void died.then((ended) => {
    reason = ended;
  });
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!GREETING.test(said) || !(await accepts(address)) || reason !== undefined) {
    if (reason !== undefined) throw new CannotStart(`The DynamoDB engine did not start: ${reason}.`);
    if (Date.now() > deadline) throw new CannotStart('The DynamoDB engine did not start within 10 s. Try again.');
    await wait(POLL_MS);
  }
};

/** The engine alone, at an address of its own, where it answers everybody. */
const startBare = async (address: Address, dbPath: string | undefined): Promise<Omit<Engine, 'endpoint'>> => {
  const listen = ['--host', address.host, '--port', String(address.port)];
  const args = ['serve', ...listen, ...(dbPath ? ['--db-path', dbPath] : [])];
  // A group of its own: Ctrl-C in the terminal must not end the engine before the service that writes to it.
  // It needs nothing of our environment, which holds secrets.
  const child = spawn(findDynoxide(), args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true, env: {} });
  const killWithUs = (): void => {
    child.kill('SIGKILL');
    if (dbPath) rmSync(markPath(dbPath), { force: true });
  };
  process.once('exit', killWithUs);
  const ended = reasonOfEnd(child);
  if (dbPath && child.pid !== undefined) writePrivately(markPath(dbPath), markOf(child.pid));

  let asked = false;
  const stop = async (): Promise<void> => {
    asked = true;
    child.kill('SIGTERM');
    const forced = setTimeout(killWithUs, STOPS_WITHIN_MS);
    await ended;
    clearTimeout(forced);
    process.off('exit', killWithUs);
    if (dbPath) rmSync(markPath(dbPath), { force: true });
  };
  try {
    await ready(child, address, ended);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    stop,
    died: new Promise((resolve) => {
      void ended.then((reason) => asked || resolve(reason));
    }),
  };
};

/** Another process may have a port already. */
const startSomewhere = async (dbPath: string | undefined) => {
  const addresses = hiddenAddresses();
  for (const [tried, address] of addresses.entries()) {
    try {
      return { address, bare: await startBare(address, dbPath) };
    } catch (error) {
      const isLast = tried === addresses.length - 1;
      if (isLast || !(error instanceof Error && error.message.includes(IN_USE))) throw error;
    }
  }
  throw new Error('There are no addresses to try.');
};

interface Options {
  /** The file that survives restarts. */
  readonly dbPath?: string;
  /**
   * Whether a debugger may stop this thread. The guard then has its own, so that other threads go on; that costs a tenth more of the
   * stack's processor time.
   */
  readonly isDebugged?: boolean;
}

/**
 * Starts an embedded DynamoDB engine: in memory, or over a file that survives restarts. An engine that was left over
 * on that file by a killed stack is ended first. Its endpoint is a guard's, which lets clients with this access key id through.
 * @throws CannotStart when there is no engine for this machine or it does not come up.
 */
export const startDynamoDb = async (accessKeyId: string, { dbPath, isDebugged }: Options = {}): Promise<Engine> => {
  if (dbPath) await endLeftOverEngine(dbPath);
  const { address, bare } = await startSomewhere(dbPath);
  const opening = isDebugged
    ? startListening(GUARD_THREAD, { engine: address, accessKeyId })
    : openGuard(address, accessKeyId);
  const guard = await opening.catch(async (error: unknown) => {
    await bare.stop();
    throw error;
  });
  return {
    endpoint: guard.endpoint,
    stop: async () => {
      await Promise.all([guard.stop(), bare.stop()]);
    },
    died: Promise.race([bare.died, guard.died]),
  };
};
