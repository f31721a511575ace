import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { watchSecrets } from '#test/support/hostile/secrets-seen.ts';
import { takeUpDenials } from '#test/support/permissions/roles.ts';
import { runOps } from './ops-process.ts';

const run = promisify(execFile);
const ROOT = process.cwd();
const UP_WITHIN_MS = 60_000;
/** High limits, so that a slow machine refuses nothing. Tests of overload set their own. */
const CONCURRENCY = '1000';
/** Functions are restricted to their roles in tests, but not in a benchmark. */
const PRELOAD = process.env.JEST_WORKER_ID ? ['--import', './test/support/permissions/roles-of-stack.ts'] : [];

/** The access of a test to any stage: the API's URL, and the operations command. */
export interface Target {
  readonly baseUrl: string;
  /** The origin of a page on the stage, as a browser sends it. */
  readonly origin: string;
  /** Runs an operations command with `--json`. Returns the parsed document. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any field of the document, and fails if it is missing.
  ops(...args: string[]): Promise<any>;
  /** Lists the stage's mails, newest first. */
  mails(): Promise<readonly Mail[]>;
  stop(): Promise<void>;
}

interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

const readJson = async <T>(url: string): Promise<T> => (await (await fetch(url)).json()) as T;

/** Reads the mails that MiniStack's SES has kept. AWS has no such endpoint. */
const mailsOfEmulator = async (url: string): Promise<readonly Mail[]> => {
  const { messages } = await readJson<{
    messages: Record<string, { To: string[]; Subject: string; BodyText: string }[]>;
  }>(url);
  return Object.values(messages)
    .flat()
    .toReversed()
    .map(({ To: [to = ''], Subject: subject, BodyText: text }) => ({ to, subject, text }));
};

export interface Stack extends Target {
  readonly dataDir: string;
  readonly child: ChildProcess;
  /** Returns all output so far. */
  output(): string;
  /** Kills it with SIGKILL, so that it cannot shut down in order. */
  kill(): Promise<void>;
}

/** Collects the secrets that this test file exchanges with its local stacks, from the first one on. */
let watch: ReturnType<typeof watchSecrets> | undefined;
export const watched = () => watch;

/** Ends the collection. Returns the secrets; undefined for a file without a local stack. */
export const endWatch = () => {
  const secrets = watch?.secrets();
  watch?.stop();
  watch = undefined;
  return secrets;
};

/** A local stack of this test file, whose log is searched after the last test (search-logs.ts). */
interface StackToSearch {
  readonly dataDir: string;
  readonly child: ChildProcess;
  /** Resolves when it has ended and all its output was read. */
  readonly closed: Promise<void>;
  /** Returns the text to search: the service's log and the terminal output, without the welcome, which shows the demo keys. */
  log(): string;
}
export const logged: StackToSearch[] = [];

/** Matches the welcome: from `Ready on` to the first line that begins with a time, or with `Stopped.` */
const WELCOME = /^Ready on [\s\S]*?(?=^\d\d:\d\d:\d\d {2}|^Stopped\.|$(?![\s\S]))/m;

const keepLog = (dataDir: string, child: ChildProcess): StackToSearch => {
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.on('data', (chunk: Buffer) => {
      printed[stream] += chunk.toString();
    });
  }
  let file: string | undefined;
  // Read the log when the stack closes, because a test may delete the directory later. At `exit`, output may still be unread.
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => {
      const path = join(dataDir, 'service.log');
      if (existsSync(path)) file = readFileSync(path, 'utf8');
      resolve();
    });
  });
  const log = (): string => {
    const hasServed = /^Ready on /m.test(printed.stdout);
    if (hasServed && file === undefined)
      throw new Error(`The local stack of ${dataDir} has left no service.log to search.`);
    return [file ?? '', printed.stdout.replace(WELCOME, ''), printed.stderr].join('\n');
  };
  const stack: StackToSearch = { dataDir, child, closed, log };
  logged.push(stack);
  return stack;
};

/** Runs an operations command for a local stack with this environment. */
const opsOfStack =
  (env: NodeJS.ProcessEnv) =>
  async (...args: string[]) => {
    const { code, out, err } = await runOps(['--json', ...args], env);
    if (code !== 0) throw new Error(err);
    watch?.note(out);
    return JSON.parse(out);
  };

/** Runs an operations command for a stage, through the command that the user has set. */
const opsByCommand =
  (command: string) =>
  async (...args: string[]) => {
    const { stdout } = await run('sh', ['-c', `${command} --json "$@"`, 'ops', ...args], { cwd: ROOT });
    return JSON.parse(stdout);
  };

/** Records secrets that only the local stack knows: the key of its hashes, and its credentials at the providers. */
const noteOwnSecrets = (dataDir: string): void => {
  const { hashKey, accessKeyId, live } = JSON.parse(readFileSync(join(dataDir, 'stack.json'), 'utf8'));
  watch?.keep('the key of the hashes', hashKey);
  watch?.keep('the access key id of the emulators', accessKeyId);
  for (const json of Object.values<string>(live.credentials)) {
    watch?.keep('a provider’s credentials', ...Object.values<string>(JSON.parse(json)));
  }
};

/** Starts the local stack as a process on a free port. The same `dataDir` again is a restart. */
export const startStack = async (
  options: { dataDir?: string; env?: NodeJS.ProcessEnv; args?: string[] } = {},
): Promise<Stack> => {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'payments-stack-')));
  const { AWS_ENDPOINT_URL_DYNAMODB: _, AWS_ENDPOINT_URL_SQS: __, ...inherited } = process.env;
  const env = { ...inherited, PORT: '0', CONCURRENCY, DATA_DIR: dataDir, ...options.env };
  const child = spawn(process.execPath, [...PRELOAD, 'infra/local/main.ts', ...(options.args ?? [])], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  watch ??= watchSecrets();
  const { closed } = keepLog(dataDir, child);
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
    child.once('close', (code) => {
      clearTimeout(timer);
      takeUpDenials(printed);
      reject(new Error(`The stack ended with code ${code}:\n${printed}`));
    });
  });
  noteOwnSecrets(dataDir);
  return {
    baseUrl,
    origin: baseUrl,
    dataDir,
    child,
    output: () => printed,
    ops: opsOfStack(env),
    mails: async () => (await readJson<{ mails: readonly Mail[] }>(`${baseUrl}/_local/mail.json`)).mails,
    stop: async () => {
      child.kill('SIGTERM');
      await closed;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await closed;
    },
  };
};

/**
 * Opens the stage of the end-to-end suite. With E2E_BASE_URL and E2E_OPS (`npm run --silent ops -- --stage dev --yes`) it is a deployed stage,
 * otherwise a new local stack. For the emulator, E2E_MAILS is the URL of its mails, and E2E_ORIGIN the stage's address there.
 */
export const openTarget = async (): Promise<Target> => {
  const { E2E_BASE_URL, E2E_OPS, E2E_MAILS = '', E2E_ORIGIN } = process.env;
  if (!E2E_BASE_URL || !E2E_OPS) return startStack();
  return {
    baseUrl: E2E_BASE_URL.replace(/\/$/, ''),
    origin: E2E_ORIGIN ?? new URL(E2E_BASE_URL).origin,
    ops: opsByCommand(E2E_OPS),
    mails: () => mailsOfEmulator(E2E_MAILS),
    stop: async () => {},
  };
};
