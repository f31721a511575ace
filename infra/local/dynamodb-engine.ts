import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { connect, createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CannotStart } from './errors.ts';

export interface Engine {
  readonly endpoint: string;
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 10_000;
const POLL_MS = 20;

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The engine's binary: the npm package on Linux x64, elsewhere a `dynoxide` on the PATH. */
const findBinary = (): string => {
  const candidates = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'dynoxide'));
  try {
    const manifest = createRequire(import.meta.url).resolve('@dynoxide/linux-x64/package.json');
    candidates.unshift(join(manifest, '..', 'dynoxide'));
  } catch {
    // Not Linux x64: npm has left the optional package out.
  }
  const found = candidates.find(isExecutable);
  if (found) return found;
  throw new CannotStart(
    'No DynamoDB engine for this machine. Put `dynoxide` on the PATH, or start DynamoDB Local and set DYNAMODB_ENDPOINT=http://127.0.0.1:8000.',
  );
};

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

const stopped = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });

/**
 * Starts an embedded DynamoDB engine: in memory, or over a file that survives restarts.
 * @throws CannotStart when there is no engine for this machine or it does not come up.
 */
export const startDynamoDb = async (dbPath?: string): Promise<Engine> => {
  const port = await freePort();
  const args = ['serve', '--host', '127.0.0.1', '--port', String(port), ...(dbPath ? ['--db-path', dbPath] : [])];
  // A group of its own: Ctrl-C in the terminal must not end the engine before the service that writes to it.
  const child = spawn(findBinary(), args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-500);
  });
  child.once('error', (error) => {
    complaint = error.message;
  });
  const killWithUs = (): void => {
    child.kill('SIGKILL');
  };
  process.once('exit', killWithUs);

  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await accepts(port))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      throw new CannotStart(`The DynamoDB engine did not start: ${complaint.trim() || 'it gave no reason'}.`);
    }
    await wait(POLL_MS);
  }
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: async () => {
      await stopped(child);
      process.off('exit', killWithUs);
    },
  };
};
