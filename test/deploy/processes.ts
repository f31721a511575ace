import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';

/** The repository. */
export const ROOT = resolve(import.meta.dirname, '../..');

export interface ExitResult {
  readonly code: number | null;
  /** What it wrote, standard output and errors in the order in which they came. */
  readonly output: string;
}

export interface Started {
  readonly child: ChildProcess;
  /** What it has written so far. */
  output(): string;
  readonly ended: Promise<ExitResult>;
}

export interface SpawnOptions {
  readonly cwd?: string;
  readonly env: NodeJS.ProcessEnv;
}

const running = new Set<ChildProcess>();

const signal = ({ pid }: ChildProcess, name: NodeJS.Signals): void => {
  try {
    // A process of ours leads a group: with the minus sign, what it started itself gets the signal too.
    if (pid !== undefined) process.kill(-pid, name);
  } catch {
    // It is gone already.
  }
};

/** Ends every process that is still running, and all that those started. */
export const endAll = (): void => {
  for (const child of running) signal(child, 'SIGKILL');
  running.clear();
};

/** Starts a command in a process group of its own, which `endAll` ends at the latest. */
export const start = (command: string, args: readonly string[], { cwd = ROOT, env }: SpawnOptions): Started => {
  const child = spawn(command, [...args], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let output = '';
  const keep = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const ended = new Promise<ExitResult>((done) => {
    const end = (code: number | null): void => {
      signal(child, 'SIGKILL');
      running.delete(child);
      done({ code, output });
    };
    child.once('close', end);
    child.once('error', ({ message }) => {
      output += message;
      end(null);
    });
  });
  return { child, output: () => output, ended };
};

/**
 * Runs a command to its end and gives what it wrote.
 * @throws Error with everything that it wrote when it fails.
 */
export const run = async (command: string, args: readonly string[], options: SpawnOptions): Promise<string> => {
  const { code, output } = await start(command, args, options).ended;
  if (code === 0) return output;
  throw new Error(`"${[command, ...args].join(' ')}" ended with code ${code}. All that it wrote:\n${output}`);
};
