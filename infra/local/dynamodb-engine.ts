import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { readIfThere, writePrivately } from './data-dir.ts';
import { CannotStart } from './errors.ts';
import { findDynoxide } from './find-dynoxide.ts';
import { endProcess, markOf } from './processes.ts';

export interface Engine {
  readonly endpoint: string;
  stop(): Promise<void>;
}

export interface DynamoDbEngine extends Engine {
  /** Resolves with the reason when the engine ends without having been stopped. */
  readonly died: Promise<string>;
}

const READY_WITHIN_MS = 10_000;
const STOPS_WITHIN_MS = 1_000;
const POLL_MS = 20;
const GREETING = /^Dynoxide listening on .*$/m;
/** Another process may take the free port before the engine does. */
const TRIES = 3;

/** A port that is free at this moment, on the loopback interface. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
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
const lastWords = (child: ChildProcess): Promise<string> =>
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
const ready = async (child: ChildProcess, port: number, died: Promise<string>): Promise<void> => {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  let words: string | undefined;
  void died.then((last) => {
    words = last;
  });
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!GREETING.test(said) || !(await accepts(port)) || words !== undefined) {
    if (words !== undefined) throw new CannotStart(`The DynamoDB engine did not start: ${words}.`);
    if (Date.now() > deadline) throw new CannotStart('The DynamoDB engine did not start within 10 s. Try again.');
    await wait(POLL_MS);
  }
};

const startOnce = async (dbPath: string | undefined): Promise<DynamoDbEngine> => {
  const port = await freePort();
  const args = ['serve', '--host', '127.0.0.1', '--port', String(port), ...(dbPath ? ['--db-path', dbPath] : [])];
  // A group of its own: Ctrl-C in the terminal must not end the engine before the service that writes to it.
  const child = spawn(findDynoxide(), args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  const killWithUs = (): void => {
    child.kill('SIGKILL');
    if (dbPath) rmSync(markPath(dbPath), { force: true });
  };
  process.once('exit', killWithUs);
  const ended = lastWords(child);
  if (dbPath && child.pid !== undefined) writePrivately(markPath(dbPath), markOf(child.pid));

  let asked = false;
  const stop = async (): Promise<void> => {
    asked = true;
    child.kill('SIGTERM');
    const insist = setTimeout(killWithUs, STOPS_WITHIN_MS);
    await ended;
    clearTimeout(insist);
    process.off('exit', killWithUs);
    if (dbPath) rmSync(markPath(dbPath), { force: true });
  };
  try {
    await ready(child, port, ended);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop,
    died: new Promise((resolve) => {
      void ended.then((words) => asked || resolve(words));
    }),
  };
};

/**
 * Starts an embedded DynamoDB engine: in memory, or over a file that survives restarts. An engine that was left over
 * on that file by a killed stack is ended first.
 * @throws CannotStart when there is no engine for this machine or it does not come up.
 */
export const startDynamoDb = async (dbPath?: string): Promise<DynamoDbEngine> => {
  if (dbPath) await endLeftOverEngine(dbPath);
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(dbPath);
    } catch (error) {
      if (attempt === TRIES || !(error instanceof Error && error.message.includes('already in use'))) throw error;
    }
  }
};
