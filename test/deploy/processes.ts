import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';

/** The root of the repository. */
export const ROOT = resolve(import.meta.dirname, '../..');

export interface ExitResult {
  readonly code: number | null;
  /** Everything that the process wrote: standard output and errors, in the order of writing. */
  readonly output: string;
}

export interface RunningProcess {
  readonly child: ChildProcess;
  /** Returns everything that the process has written so far. */
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
    // A process of ours leads a group. The minus sign sends the signal to its children too.
    if (pid !== undefined) process.kill(-pid, name);
  } catch {
    // The process has ended already.
  }
};

/** Ends every process that is still running, and their children. */
export const endAll = (): void => {
  for (const child of running) signal(child, 'SIGKILL');
  running.clear();
};

/** Starts a command in a process group of its own. If the process still runs at the end, `endAll` ends it. */
export const start = (command: string, args: readonly string[], { cwd = ROOT, env }: SpawnOptions): RunningProcess => {
  const child = spawn(command, [...args], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let output = '';
  const addOutput = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on('data', addOutput);
  child.stderr.on('data', addOutput);
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
 * Runs a command to its end and returns its output.
 * @throws Error with the whole output when the command fails.
 */
export const run = async (command: string, args: readonly string[], options: SpawnOptions): Promise<string> => {
  const { code, output } = await start(command, args, options).ended;
  if (code === 0) return output;
  throw new Error(`"${[command, ...args].join(' ')}" ended with code ${code}. All that it wrote:\n${output}`);
};
