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
 * Ports of the emulator. It answers everybody on this machine, so it uses ports to which browsers open no connections for web pages: "bad
 * ports" of the Fetch standard (https://fetch.spec.whatwg.org/#port-blocking).
 * 4190 and 6679 are also in the standard, but Chromium 156 opens them.
 */
export const PORTS_WITHOUT_BROWSERS = [
  6667, 6666, 6668, 6669, 6665, 6697, 6566, 5060, 5061, 10_080, 4045, 3659, 2049, 1723, 1720, 1719,
];
const READY_WITHIN_MS = 10_000;
const STOPS_WITHIN_MS = 1_000;
const POLL_MS = 20;
const GREETING = /^Dynoxide listening on .*$/m;
const IN_USE = 'already in use';

const acceptsConnections = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, HOST);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/**
 * Returns the file for the emulator's process mark. With it, the next start finds an emulator that still runs although its local stack has
 * ended.
 */
const markPath = (dbPath: string): string => `${dbPath}.pid`;

/** Ends an emulator that still uses a database file after its local stack was killed. Does nothing if there is none. */
export const endLeftOverEmulator = async (dbPath: string): Promise<void> => {
  const mark = readIfThere(markPath(dbPath));
  if (mark !== undefined) await endProcess(mark);
};

/** Resolves when the emulator ends: with its last output, or with its signal or exit code if it wrote nothing. Resolves with the error if it cannot start. */
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

/**
 * Waits until the emulator has reported that it listens, and its port accepts a connection. A connection alone is no proof, because another
 * process may use the port.
 */
const waitUntilReady = async (child: ChildProcess, port: number, endReason: Promise<string>): Promise<void> => {
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  let reason: string | undefined;
  void endReason.then((ended) => {
    reason = ended;
  });
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!GREETING.test(output) || !(await acceptsConnections(port)) || reason !== undefined) {
    if (reason !== undefined) throw new CannotStart(`The DynamoDB emulator did not start: ${reason}.`);
    if (Date.now() > deadline)
      throw new CannotStart('The DynamoDB emulator did not start within 10 s. Start the local stack again.');
    await wait(POLL_MS);
  }
};

/** Starts the emulator on a port. */
const startAt = async (port: number, dbPath: string | undefined): Promise<Emulator> => {
  const listen = ['--host', HOST, '--port', String(port)];
  const args = ['serve', ...listen, ...(dbPath ? ['--db-path', dbPath] : [])];
  // It has its own process group, because Ctrl-C must not end it before the service that writes to it.
  // It gets an empty environment, because ours contains secrets.
  const child = spawn(findDynoxide(), args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true, env: {} });
  const killEmulator = (): void => {
    child.kill('SIGKILL');
    if (dbPath) rmSync(markPath(dbPath), { force: true });
  };
  process.once('exit', killEmulator);
  const ended = awaitEndReason(child);
  if (dbPath && child.pid !== undefined) writePrivately(markPath(dbPath), formatMark(child.pid));

  const { expectEnd, died } = watchEnd(ended);
  const stop = async (): Promise<void> => {
    expectEnd();
    child.kill('SIGTERM');
    const forced = setTimeout(killEmulator, STOPS_WITHIN_MS);
    await ended;
    clearTimeout(forced);
    process.off('exit', killEmulator);
    if (dbPath) rmSync(markPath(dbPath), { force: true });
  };
  try {
    await waitUntilReady(child, port, ended);
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoint: `http://${HOST}:${port}`, stop, died };
};

/**
 * Starts an embedded DynamoDB emulator on the first free port. With `dbPath` its data is in that file and survives restarts; otherwise it is in
 * memory. A local stack that was killed may have left an emulator that still uses the file. That emulator is ended first.
 * @throws CannotStart if there is no emulator for this machine, if no port is free, or if it does not start.
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
    `All ports for the DynamoDB emulator are in use (${ports.join(', ')}). Stop other local stacks, or set DYNAMODB_ENDPOINT.`,
  );
};
