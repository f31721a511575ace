import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { useLocalAws } from '#infra/local/environment.ts';
import { readStackFile } from '#infra/local/stack-file.ts';
import { businessStore } from '#shared/adapters/dynamodb/business-store.ts';
import { connectTable } from '#shared/adapters/dynamodb/table.ts';
import { targetChecker } from '#shared/adapters/http-out/target-checker.ts';
import { landingDeps } from '#shared/adapters/payment-deps.ts';
import { OperatorError } from '#shared/domain/operator-error.ts';
import type { BusinessStore, CheckTarget, Nature } from '#shared/ports.ts';
import type { AssignDeps } from '#shared/use-cases/assign-payment.ts';

/** A stage, connected, and who is asking. */
export interface Stage extends Nature, AssignDeps {
  readonly businesses: BusinessStore;
  readonly checkTarget: CheckTarget;
  readonly who: string;
}

const DEFAULT_DATA_DIR = '.local';

/** As `npm start` reads it: a variable that is set to nothing counts as not set. */
const dataDir = (): string => process.env.DATA_DIR?.trim() || DEFAULT_DATA_DIR;

/** The one line for a local stack that cannot be reached. */
export const notRunning = (): OperatorError =>
  new OperatorError(`The local stack is not running in ${dataDir()}. Start it with: npm start`);

/** The user of the operating system; its number where it has no name, as in some containers. */
const operator = (): string => {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
};

/**
 * Connects to the table of a stage.
 * @throws OperatorError when the stage does not exist or does not run.
 */
export const connectStage = (stage: string): Stage => {
  if (stage !== 'local') {
    throw new OperatorError(`There is no stage "${stage}": only the local stage exists so far. Leave --stage out.`);
  }
  const stack = readStackFile(resolve(dataDir()));
  if (!stack) throw notRunning();
  useLocalAws(stack);
  const table = connectTable({ TABLE_NAME: stack.tableName, DUE_SHARDS: stack.dueShards });
  return {
    ...landingDeps(table, { FIRST_QUEUE_URL: stack.queueUrls.first }),
    businesses: businessStore(table),
    checkTarget: targetChecker('any'),
    who: operator(),
  };
};
