import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { readIfThere, writePrivately } from '#infra/local/data/data-dir.ts';
import { endProcess, formatMark } from '#infra/local/data/processes.ts';
import { CannotStart } from '#infra/local/errors.ts';
import { watchEnd } from '#infra/local/watch-end.ts';
import type { Emulator } from './emulator.ts';
import { findDynoxide } from './find-dynoxide.ts';

const HOST = '127.0.0.1';
/**
 * The emulator answers everybody who reaches it, and listens on a TCP port only. No browser opens a connection to these ports for any
 * page, by whatever name: they are "bad ports" of the Fetch standard (https://fetch.spec.whatwg.org/#port-blocking).
 * 4190 and 6679, which the standard has too, are left out: Chromium 156 opens them.
 */
export const PORTS_WITHOUT_BROWSERS = [
  6667, 6666, 6668, 6669, 6665, 6697, 6566, 5060, 5061, 10_080, 4045, 3659, 2049, 1723, 1720, 1719,
];
const READY_WITHIN_MS = 10_000;
const STOPS_WITHIN_MS = 1_000;
const POLL_MS = 20;
const GREETING = /^Dynoxide listening on .*$/m;
const IN_USE = 'already in use';

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, HOST);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** The emulator's process mark is written beside its file, so that the next start finds an emulator that outlived its stack. */
const markPath = (dbPath: string): string => `${dbPath}.pid`;

/** Ends the emulator that still holds a database file after its stack was killed; nothing happens when there is none. */
export const endLeftOverEmulator = async (dbPath: string): Promise<void> => {
  const mark = readIfThere(markPath(dbPath));
  if (mark !== undefined) await endProcess(mark);
};

/** Resolves with the emulator's last output when it ends, or with the reason why it could not be run. */
const awaitEndReason = (child: ChildProcess): Promise<string> =>
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

/** Waits until the emulator reports that it listens, and takes connections. A connection alone proves nothing: another process may have the port. */
const ready = async (child: ChildProcess, port: number, died: Promise<string>): Promise<void> => {
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  let reason: string | undefined;
  void died.then((ended) => {
    reason = ended;
  });
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!GREETING.test(output) || !(await accepts(port)) || reason !== undefined) {
    if (reason !== undefined) throw new CannotStart(`The DynamoDB emulator did not start: ${reason}.`);
    if (Date.now() > deadline) throw new CannotStart('The DynamoDB emulator did not start within 10 s. Try again.');
    await wait(POLL_MS);
  }
};

/** Starts the emulator at a port. */
const startAt = async (port: number, dbPath: string | undefined): Promise<Emulator> => {
  const listen = ['--host', HOST, '--port', String(port)];
  const args = ['serve', ...listen, ...(dbPath ? ['--db-path', dbPath] : [])];
  // A group of its own: Ctrl-C in the terminal must not end the emulator before the service that writes to it.
  // It needs nothing of our environment, which holds secrets.
  const child = spawn(findDynoxide(), args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true, env: {} });
  const killWithUs = (): void => {
    child.kill('SIGKILL');
    if (dbPath) rmSync(markPath(dbPath), { force: true });
  };
  process.once('exit', killWithUs);
  const ended = awaitEndReason(child);
  if (dbPath && child.pid !== undefined) writePrivately(markPath(dbPath), formatMark(child.pid));

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
    await ready(child, port, ended);
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoint: `http://${HOST}:${port}`, stop, died };
};

/**
 * Starts an embedded DynamoDB emulator at the first free port: in memory, or over a file that survives restarts. An emulator that a killed
 * stack left over on that file is ended first.
 * @throws CannotStart when there is no emulator for this machine, no port is free or it does not come up.
 */
export const startDynamoDb = async ({
  dbPath,
  ports = PORTS_WITHOUT_BROWSERS,
}: {
  readonly dbPath?: string;
  readonly ports?: readonly number[];
} = {}): Promise<Emulator> => {
  if (dbPath) await endLeftOverEmulator(dbPath);
  for (const port of ports) {
    try {
      return await startAt(port, dbPath);
    } catch (error) {
      if (!(error instanceof Error && error.message.includes(IN_USE))) throw error;
    }
  }
  throw new CannotStart(
    `The DynamoDB emulator found none of its ports free (${ports.join(', ')}). End other local stacks, or set DYNAMODB_ENDPOINT.`,
  );
};
