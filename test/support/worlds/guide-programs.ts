import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { findQuietPort } from '#test/support/emulators/quiet-port.ts';
import { eventually } from './merchant.ts';
import { testWith } from './other-tools.ts';

/* Runs the complete programs of the guide, in each language, as a reader does. */

const run = promisify(execFile);
const FOLDER = resolve('infra/openapi/guide/programs');

export type Language = 'Node' | 'Python' | 'PHP' | 'Go';
export const LANGUAGES: readonly Language[] = ['Node', 'Python', 'PHP', 'Go'];

/** Returns Jest's `test` for a scene in a language. `npm test` plays only Node's scenes, and of these only the short ones. */
export const testIn = (language: Language, { isLong = false } = {}) =>
  testWith([language], { isLong: isLong || language !== 'Node' });

const built = new Map<string, Promise<string>>();

const buildGo = async (name: string): Promise<string> => {
  const binary = join(await mkdtemp(join(tmpdir(), 'guide-')), name);
  await run('go', ['build', '-o', binary, `${name}.go`], { cwd: FOLDER });
  return binary;
};

/** Returns the binary of a Go program. It is built once for all scenes of a worker, because compiling takes longer than a scene. */
const goProgram = (name: string): Promise<string> => {
  const binary = built.get(name) ?? buildGo(name);
  built.set(name, binary);
  return binary;
};

const makeCommand = async (language: Language, name: string, port: number): Promise<readonly [string, ...string[]]> => {
  if (language === 'Node') return [process.execPath, join(FOLDER, `${name}.mjs`)];
  if (language === 'Python') return ['python3', '-B', join(FOLDER, `${name}.py`)];
  if (language === 'PHP') return ['php', '-S', `127.0.0.1:${port}`, join(FOLDER, `${name}.php`)];
  return [await goProgram(name)];
};

/** Runs a program of the guide to its end, with arguments. Returns its output. */
export const runProgram = async (
  language: Language,
  name: string,
  variables: Record<string, string>,
  args: readonly string[],
): Promise<string> => {
  const [command, ...programArgs] =
    language === 'PHP' ? ['php', join(FOLDER, `${name}.php`)] : await makeCommand(language, name, 0);
  return (await run(command, [...programArgs, ...args], { env: { ...process.env, ...variables } })).stdout;
};

/** A running program. */
export interface Program {
  readonly port: number;
  readonly url: string;
  /** Returns its whole output so far, of both streams. */
  printed(): string;
  stop(): Promise<void>;
}

/** Starts a program of the guide on a port with these environment variables, and waits until it listens. */
export const startProgram = async (
  language: Language,
  name: string,
  port: number,
  variables: Record<string, string>,
): Promise<Program> => {
  const folder = await mkdtemp(join(tmpdir(), 'guide-'));
  const [command, ...args] = await makeCommand(language, name, port);
  const env = { ...process.env, ...variables, PORT: String(port), PHP_CLI_SERVER_WORKERS: '4' };
  // Start a process group, so that the workers of PHP's server end with it. PHP stores its rows in the folder.
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed += chunk;
    });
  }
  const url = `http://127.0.0.1:${port}`;
  await eventually(`${name} in ${language} listens`, async () => {
    if (child.exitCode !== null) throw new Error(`The program ended with code ${child.exitCode}: ${printed}`);
    return fetch(url).then(
      () => true,
      () => false,
    );
  });
  return {
    port,
    url,
    printed: () => printed,
    stop: async () => {
      if (child.pid === undefined || child.exitCode !== null) return;
      process.kill(-child.pid, 'SIGKILL');
      await once(child, 'exit');
    },
  };
};

/** Finds a port for a program before its start, because the webhook endpoint needs its URL. */
export const programPort = findQuietPort;
