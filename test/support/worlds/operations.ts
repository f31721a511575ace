import type { Stage } from '#infra/ops/connect.ts';
import { operationsProgram } from '#infra/ops/program.ts';

/** Runs the operations command on a stage. Returns its output. */
export const runOpsAsText = async (stage: Stage, ...args: string[]): Promise<string> => {
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

/** Runs the operations command with `--json`. Returns the parsed document. */
export const runOpsAsJson = async (stage: Stage, ...args: string[]) =>
  JSON.parse(await runOpsAsText(stage, '--json', ...args));
