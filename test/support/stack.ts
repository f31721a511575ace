import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = process.cwd();
const UP_WITHIN_MS = 20_000;

/** What a test needs of any stage: where the API is, and how to operate it. */
export interface Target {
  readonly baseUrl: string;
  /** Runs an operations command with `--json` and gives the document that it prints. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the document holds, and fails where it does not.
  ops(...args: string[]): Promise<any>;
  stop(): Promise<void>;
}

export interface Stack extends Target {
  readonly dataDir: string;
  readonly child: ChildProcess;
  /** Everything that it has printed so far. */
  output(): string;
  /** SIGKILL: nothing gets to say goodbye. */
  kill(): Promise<void>;
}

const exited = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });

const opsRunner =
  (command: string, env: NodeJS.ProcessEnv) =>
  async (...args: string[]) => {
    const { stdout } = await run('sh', ['-c', `${command} --json "$@"`, 'ops', ...args], { cwd: ROOT, env });
    return JSON.parse(stdout);
  };

/** Starts the local stack as a process of its own on a free port; `dataDir` given again is a restart. */
export const startStack = async (
  options: { dataDir?: string; env?: NodeJS.ProcessEnv; args?: string[] } = {},
): Promise<Stack> => {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'payments-stack-')));
  const { AWS_ENDPOINT_URL_DYNAMODB: _, AWS_ENDPOINT_URL_SQS: __, ...inherited } = process.env;
  const env = { ...inherited, PORT: '0', DATA_DIR: dataDir, ...options.env };
  const child = spawn(process.execPath, ['infra/local/main.ts', ...(options.args ?? [])], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const baseUrl = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The stack did not come up:\n${printed}`)), UP_WITHIN_MS);
    const read = (chunk: Buffer): void => {
      printed += chunk.toString();
      const url = /Ready on (http:\/\/\S+)/.exec(printed)?.[1];
      if (!url) return;
      clearTimeout(timer);
      resolve(url);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`The stack ended with code ${code}:\n${printed}`));
    });
  });
  return {
    baseUrl,
    dataDir,
    child,
    output: () => printed,
    ops: opsRunner(`${process.execPath} infra/ops/main.ts`, env),
    stop: async () => {
      child.kill('SIGTERM');
      await exited(child);
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited(child);
    },
  };
};

/**
 * The stage that the end-to-end suite runs against: the one that E2E_BASE_URL and E2E_OPS name
 * (`npm run --silent ops -- --stage dev --yes`), or a local stack of the suite's own.
 */
export const openTarget = async (): Promise<Target> => {
  const { E2E_BASE_URL, E2E_OPS } = process.env;
  if (!E2E_BASE_URL || !E2E_OPS) return startStack();
  return { baseUrl: E2E_BASE_URL.replace(/\/$/, ''), ops: opsRunner(E2E_OPS, process.env), stop: async () => {} };
};
