import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findQuietPort } from '#test/support/emulators/quiet-port.ts';
import { ROOT, type RunningProcess, start } from './processes.ts';

export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';

const UP_WITHIN_MS = 60_000;
const POLL_MS = 100;

/** The search path. The tools of this repository come first, and with them Node 24, which Lambda has. */
const PATH = `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH ?? ''}`;

export interface Emulator {
  readonly endpoint: string;
  /** Returns everything that the emulator has logged so far. */
  log(): string;
  /** The environment for a command that should use the emulator as AWS. It contains none of the user's own AWS settings. */
  readonly env: NodeJS.ProcessEnv;
}

const clientEnv = (endpoint: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(AWS|CDK|E2E)_/.test(name))),
  PATH,
  // Halves the start time of CDK and of the operations command. The emulator's functions start without it, as in Lambda.
  NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compiled'),
  AWS_ENDPOINT_URL: endpoint,
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: REGION,
  AWS_DEFAULT_REGION: REGION,
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_EC2_METADATA_DISABLED: 'true',
  // A command of CDK that names no CDK stack selects all of them. Operators can set this variable permanently.
  CDK_ALL: 'true',
});

/** Returns the URL at which the emulator shows the mails that its SES accepted. */
export const mailsUrl = ({ endpoint }: Pick<Emulator, 'endpoint'>): string => `${endpoint}/_ministack/ses/messages`;

const isUp = (endpoint: string): Promise<boolean> =>
  fetch(`${endpoint}/_ministack/health`).then(
    ({ ok }) => ok,
    () => false,
  );

const awaitUp = async (endpoint: string, { ended, output }: RunningProcess): Promise<void> => {
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  for (const deadline = Date.now() + UP_WITHIN_MS; !(await isUp(endpoint)); ) {
    if (hasEnded || Date.now() > deadline)
      throw new Error(`The emulator did not come up. All that it wrote:\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
};

/** Starts the emulator on a free port of this machine only. Its files go to `directory`. */
export const startEmulator = async (python: string, directory: string): Promise<Emulator> => {
  const port = await findQuietPort();
  const endpoint = `http://127.0.0.1:${port}`;
  await mkdir(directory);
  const started = start(python, [join(import.meta.dirname, 'patched_emulator.py')], {
    cwd: directory,
    // The functions in the emulator inherit this environment. It has none of our own variables, as in Lambda.
    env: {
      PATH,
      HOME: directory,
      TMPDIR: directory,
      PYTHONDONTWRITEBYTECODE: '1',
      GATEWAY_PORT: String(port),
      BIND_HOST: '127.0.0.1',
    },
  });
  await awaitUp(endpoint, started);
  return { endpoint, log: started.output, env: clientEnv(endpoint) };
};
