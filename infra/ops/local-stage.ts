import { resolve } from 'node:path';
import { readStackFile, type StackFile } from '#infra/local/data/stack-file.ts';
import { useLocalAws } from '#infra/local/environment.ts';
import { OperatorError } from '#infra/ops/operator-error.ts';

const DEFAULT_DATA_DIR = '.local';

/** Reads the data directory as `npm start` does: an empty variable counts as not set. */
const readDataDir = (): string => process.env.DATA_DIR?.trim() || DEFAULT_DATA_DIR;

/** Reads the set-up of the local stack; undefined if it does not run. */
export const readRunningStack = (): StackFile | undefined => readStackFile(resolve(readDataDir()));

/** Makes the error of a command that finds no running local stack. */
export const notRunningError = (): OperatorError =>
  new OperatorError(`The local stack is not running in ${readDataDir()}. Start it with: npm start`);

/** Points this process at the local stack, and returns its set-up. @throws OperatorError if it does not run. */
export const joinLocalStack = (): StackFile => {
  const stack = readRunningStack();
  if (!stack) throw notRunningError();
  useLocalAws(stack);
  return stack;
};
