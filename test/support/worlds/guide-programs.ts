import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { quietPort } from '#test/support/emulators/quiet-port.ts';
import { eventually } from './merchant.ts';
import { testWith } from './other-tools.ts';

/* The whole programs of the guide, in each of its languages, as a reader runs them. */

const run = promisify(execFile);
const FOLDER = resolve('infra/openapi/guide/programs');

export type Language = 'Node' | 'Python' | 'PHP' | 'Go';
export const LANGUAGES: readonly Language[] = ['Node', 'Python', 'PHP', 'Go'];

/** Jest's `test` of a scene in a language: `npm test` plays Node's alone, and of those not the ones that wait for long. */
export const testIn = (language: Language, { isLong = false } = {}) =>
  testWith([language], { isLong: isLong || language !== 'Node' });

const built = new Map<string, Promise<string>>();

const buildGo = async (name: string): Promise<string> => {
  const binary = join(await mkdtemp(join(tmpdir(), 'guide-')), name);
  await run('go', ['build', '-o', binary, `${name}.go`], { cwd: FOLDER });
  return binary;
};

/** The Go program's binary, made once for all scenes of a worker: compiling takes longer than any of them. */
const goProgram = (name: string): Promise<string> => {
  const before = built.get(name) ?? buildGo(name);
  built.set(name, before);
  return before;
};

const commandOf = async (language: Language, name: string, port: number): Promise<readonly [string, ...string[]]> => {
  if (language === 'Node') return [process.execPath, join(FOLDER, `${name}.mjs`)];
  if (language === 'Python') return ['python3', '-B', join(FOLDER, `${name}.py`)];
  if (language === 'PHP') return ['php', '-S', `127.0.0.1:${port}`, join(FOLDER, `${name}.php`)];
  return [await goProgram(name)];
};

/** Runs a program of the guide that ends by itself, with arguments. Returns what it printed. */
export const runProgram = async (
  language: Language,
  name: string,
  variables: Record<string, string>,
  args: readonly string[],
): Promise<string> => {
  const [command, ...before] =
    language === 'PHP' ? ['php', join(FOLDER, `${name}.php`)] : await commandOf(language, name, 0);
  return (await run(command, [...before, ...args], { env: { ...process.env, ...variables } })).stdout;
};

/** A program that runs. */
export interface Program {
  readonly port: number;
  readonly url: string;
  /** All that it has printed so far, to either stream. */
  printed(): string;
  stop(): Promise<void>;
}

/** Starts a program of the guide on a port, with these variables of the environment, and waits until it listens. */
export const startProgram = async (
  language: Language,
  name: string,
  port: number,
  variables: Record<string, string>,
): Promise<Program> => {
  const folder = await mkdtemp(join(tmpdir(), 'guide-'));
  const [command, ...args] = await commandOf(language, name, port);
  const env = { ...process.env, ...variables, PORT: String(port), PHP_CLI_SERVER_WORKERS: '4' };
  // A process group of its own: the workers of PHP's server end with it. PHP keeps its rows in the folder.
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed += chunk;
    });
  }
  const url = `http://127.0.0.1:${port}`;
  await eventually(`${name} in ${language} listens`, async () => {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${printed}`);
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

/** A port for a program, before it is started: whoever sends it webhooks must know where. */
export const programPort = quietPort;
