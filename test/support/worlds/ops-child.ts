import { Writable } from 'node:stream';

/* Runs operations commands for ops-process.ts, one after the other. Each command evaluates main.ts anew, as a new process would. */

export interface Command {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** The output of a command, and its exit code. */
export interface Printed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const MAIN = new URL('../../../infra/ops/main.ts', import.meta.url);

/** Replaces one of the standard streams. Returns a function that reads what was written to it. */
const collect = (name: 'stdout' | 'stderr') => {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
  Object.defineProperty(process, name, { configurable: true, value: stream });
  return () => Buffer.concat(chunks).toString();
};

let commands = 0;
const run = async ({ args, env }: Command): Promise<Printed> => {
  process.env = { ...env };
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...args);
  process.exitCode = 0;
  const [out, err] = [collect('stdout'), collect('stderr')];
  commands += 1;
  await import(`${MAIN}?${commands}`);
  return { code: Number(process.exitCode), out: out(), err: err() };
};

process.on('disconnect', () => process.exit());
process.on('message', async (command: Command) => {
  process.send?.(await run(command));
});
