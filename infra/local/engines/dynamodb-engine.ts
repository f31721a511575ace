import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { readIfThere, writePrivately } from '#infra/local/data/data-dir.ts';
import { endProcess, markOf } from '#infra/local/data/processes.ts';
import { CannotStart } from '#infra/local/errors.ts';
import { watchEnd } from '#infra/local/watch-end.ts';
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
    let output = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-500);
    });
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => {
      const complaint = output
        .replace(GREETING, '')
        .trim()
        .replace(/\s*\n\s*/g, ' ');
      resolve(complaint || (signal ? `it got ${signal}` : `it ended with code ${code}`));
    });
  });

/** Waits until the engine reports that it listens, and takes connections. A connection alone proves nothing: another process may have the port. */
const ready = async (child: ChildProcess, address: Address, died: Promise<string>): Promise<void> => {
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  let reason: string | undefined;
  void died.then((ended) => {
    reason = ended;
  });
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!GREETING.test(output) || !(await accepts(address)) || reason !== undefined) {
    if (reason !== undefined) throw new CannotStart(`The DynamoDB engine did not start: ${reason}.`);
    if (Date.now() > deadline) throw new CannotStart('The DynamoDB engine did not start within 10 s. Try again.');
    await wait(POLL_MS);
  }
};

/** Starts the engine without its guard, at an address of its own, where it answers everybody. */
const startUnguarded = async (address: Address, dbPath: string | undefined): Promise<Omit<Engine, 'endpoint'>> => {
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

  const { expectEnd, died } = watchEnd(ended);
  const stop = async (): Promise<void> => {
    expectEnd();
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
  return { stop, died };
};

/** Starts the engine at the first address whose port no other process has. */
const startAtFreeAddress = async (dbPath: string | undefined) => {
  const addresses = hiddenAddresses();
  for (const [tried, address] of addresses.entries()) {
    try {
      return { address, unguarded: await startUnguarded(address, dbPath) };
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
  /** Whether a debugger may stop this thread. The guard then has its own, so that the operations command goes on. */
  readonly isDebugged?: boolean;
}

/**
 * Starts an embedded DynamoDB engine: in memory, or over a file that survives restarts. An engine that was left over
 * on that file by a killed stack is ended first. Its endpoint is a guard's, which lets clients with this access key id through; the
 * functions of this process, which know the engine's address, do without.
 * @throws CannotStart when there is no engine for this machine or it does not come up.
 */
export const startDynamoDb = async (accessKeyId: string, { dbPath, isDebugged }: Options = {}): Promise<Engine> => {
  if (dbPath) await endLeftOverEngine(dbPath);
  const { address, unguarded } = await startAtFreeAddress(dbPath);
  const opening = isDebugged
    ? startListening(GUARD_THREAD, { engine: address, accessKeyId })
    : openGuard(address, accessKeyId);
  const guard = await opening.catch(async (error: unknown) => {
    await unguarded.stop();
    throw error;
  });
  return {
    endpoint: guard.endpoint,
    ownEndpoint: `http://${address.host}:${address.port}`,
    stop: async () => {
      await Promise.all([guard.stop(), unguarded.stop()]);
    },
    died: Promise.race([unguarded.died, guard.died]),
  };
};
