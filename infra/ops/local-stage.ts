import { resolve } from 'node:path';
import { readStackFile, type StackFile } from '#infra/local/data/stack-file.ts';
import { useLocalAws } from '#infra/local/environment.ts';
import { OperatorError } from '#infra/ops/operator-error.ts';

const DEFAULT_DATA_DIR = '.local';

/** As `npm start` reads it: a variable that is set to nothing counts as not set. */
const dataDir = (): string => process.env.DATA_DIR?.trim() || DEFAULT_DATA_DIR;

/** The set-up of the local stack, if it runs. */
export const runningStack = (): StackFile | undefined => readStackFile(resolve(dataDir()));

/** The one line for a local stack that cannot be reached. */
export const notRunning = (): OperatorError =>
  new OperatorError(`The local stack is not running in ${dataDir()}. Start it with: npm start`);

/** Points this process at the local stack, and returns that stack's set-up. @throws OperatorError when it does not run. */
export const joinLocalStack = (): StackFile => {
  const stack = runningStack();
  if (!stack) throw notRunning();
  useLocalAws(stack);
  return stack;
};
