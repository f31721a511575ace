import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Command, Printed } from './ops-child.ts';

/** The child process. It starts with the first command, and ends with its worker of Jest. */
let child: ChildProcess | undefined;
/** Resolves when the latest command has ended: commands run one after the other. */
let last: Promise<unknown> = Promise.resolve();

const startChild = (): ChildProcess => {
  const started = fork(new URL('./ops-child.ts', import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  started.unref();
  started.channel?.unref();
  return started;
};

const send = async (command: Command): Promise<Printed> => {
  child ??= startChild();
  child.channel?.ref();
  child.send(command);
  const listening = new AbortController();
  const ended = async () => {
    await once(child as ChildProcess, 'exit', listening);
    throw new Error('The process that runs operations commands has ended.');
  };
  try {
    const [printed] = await Promise.race([once(child, 'message', listening), ended()]);
    return printed as Printed;
  } finally {
    listening.abort();
    child.channel?.unref();
  }
};

/**
 * Runs `npm run ops` outside of this process, with the given environment and without a terminal. The process stays for the next command,
 * because a start takes fifty times as long as most commands.
 */
export const runOps = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<Printed> => {
  const printed = last.then(() => send({ args, env }));
  last = printed.catch(() => {});
  return printed;
};
