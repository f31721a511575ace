import inspector from 'node:inspector';
import { say } from '#infra/local/terminal/terminal.ts';
import { briefWelcome, welcome } from '#infra/local/welcome/welcome.ts';
import { newCleanup } from './cleanup.ts';
import { CannotStart } from './errors.ts';
import { HELP, readSettings } from './settings.ts';
import { startStack } from './stack.ts';

/** A second signal within this time comes from the same Ctrl-C: the terminal sends the signal, and npm sends it again. */
const SAME_CTRL_C_MS = 500;

// Only the user may read files of the stack and its emulator.
process.umask(0o077);

const cleanup = newCleanup();
let endingSince: number | undefined;

const end = async (exitCode: number): Promise<never> => {
  endingSince ??= Date.now();
  await cleanup.run();
  if (exitCode === 0) say('Stopped.');
  process.exit(exitCode);
};

const onSignal = (): void => {
  if (endingSince === undefined) void end(0);
  else if (Date.now() - endingSince > SAME_CTRL_C_MS) process.exit(1);
};

const fail = async (error: unknown): Promise<void> => {
  if (endingSince !== undefined) return;
  if (!(error instanceof CannotStart)) throw error;
  process.stderr.write(`${error.message}\n`);
  await end(1);
};

const main = async (): Promise<void> => {
  const settings = readSettings(process.argv.slice(2), process.env);
  if (settings.help) return say(HELP);
  if (settings.inspectPort !== undefined) inspector.open(settings.inspectPort, '127.0.0.1');
  const stack = await startStack(settings, cleanup);
  const greet = settings.brief ? briefWelcome : welcome;
  say(greet(stack, settings.dataDir, performance.now()));
  throw new CannotStart(`${await stack.died} Start again with: npm start`);
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
// The service continues even if nobody reads its output any more.
process.stdout.on('error', () => {});
await main().catch(fail);
