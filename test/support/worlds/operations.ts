import type { Stage } from '#infra/ops/connect.ts';
import { operationsProgram } from '#infra/ops/program.ts';

/** What the operations command prints on a stage. */
export const opsPrinted = async (stage: Stage, ...args: string[]): Promise<string> => {
  let printed = '';
  await operationsProgram({
    connect: () => stage,
    out: (text) => {
      printed += text;
    },
    err: () => {},
  }).parseAsync(['node', 'ops', ...args]);
  return printed;
};

/** The same as JSON. */
export const opsOn = async (stage: Stage, ...args: string[]) => JSON.parse(await opsPrinted(stage, '--json', ...args));
