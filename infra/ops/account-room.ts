import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { apiStackName } from '#infra/constructs/names.ts';
import { MIN_UNRESERVED, sumReserved } from '#infra/constructs/reserved-concurrency.ts';
import { type StageSettings, settingsError } from '#infra/constructs/stage-settings.ts';
import { CLIENT_LIMITS } from './client-limits.ts';
import { readOutputs } from './stage-outputs.ts';

/** The AWS account for which CDK has credentials, and the region of the deployment. */
interface Place {
  readonly account: string;
  readonly region: string;
}

/**
 * Reads the account and region from the variables that CDK sets. Returns undefined if CDK has no credentials, and also for credentials of
 * another account, because CDK rejects these itself.
 */
const findPlace = ({ account, region }: StageSettings, env: NodeJS.ProcessEnv): Place | undefined => {
  const place = { account: env.CDK_DEFAULT_ACCOUNT ?? '', region: region ?? env.CDK_DEFAULT_REGION ?? '' };
  return place.account !== '' && place.region !== '' && (account ?? place.account) === place.account
    ? place
    : undefined;
};

/**
 * Concurrent Lambda executions of an account: all (`limit`), and those that no function reserves (`unreserved`). If the stage is deployed already
 * (`isDeployed`), its own reserved executions are missing from `unreserved`.
 */
interface ExecutionLimits {
  readonly limit: number;
  readonly unreserved: number;
  readonly isDeployed: boolean;
}

const readExecutionLimits = async ({ stage }: StageSettings, { region }: Place): Promise<ExecutionLimits> => {
  const client = { ...CLIENT_LIMITS, region };
  const [{ AccountLimit }, api] = await Promise.all([
    new LambdaClient(client).send(new GetAccountSettingsCommand()),
    readOutputs(new CloudFormationClient(client), apiStackName(stage)),
  ]);
  const { ConcurrentExecutions: limit, UnreservedConcurrentExecutions: unreserved } = AccountLimit ?? {};
  if (limit === undefined || unreserved === undefined)
    throw new Error('Lambda did not return the limits of the account.');
  // A stack whose creation was rolled back has no outputs, and reserves nothing.
  return { limit, unreserved, isDeployed: api?.BaseUrl !== undefined };
};

const ensureFits = (
  settings: StageSettings,
  { account, region }: Place,
  { limit, unreserved, isDeployed }: ExecutionLimits,
): void => {
  const { stage, concurrency } = settings;
  const own = sumReserved(concurrency);
  const lacking = own + MIN_UNRESERVED - (isDeployed ? limit : unreserved);
  if (lacking > 0) {
    // A limit below `concurrency.quota` would fail the next check.
    const enough = Math.max(limit + lacking, concurrency.quota);
    const has =
      unreserved === limit
        ? `account ${account} has ${limit} in ${region}`
        : `only ${unreserved} of the ${limit} that account ${account} has in ${region} are unreserved`;
    throw new Error(
      `Stage "${stage}" reserves ${own} Lambda executions, and AWS keeps ${MIN_UNRESERVED} unreserved, but ${has}. Request at least ${enough} first (docs/operating/first-deployment.md section 1), or set concurrency.reserved: false.`,
    );
  }
  if (limit < concurrency.quota) {
    throw settingsError(stage, [
      `concurrency.quota is ${concurrency.quota}, but account ${account} has ${limit} Lambda executions in ${region}: request ${concurrency.quota}, or set it to ${limit}`,
    ]);
  }
};

/**
 * Checks that the account has the Lambda executions that a stage reserves: otherwise the deployment would fail in the middle.
 * Does nothing if CDK has no credentials, or if the stage reserves no executions. The CloudFormation templates are the same with and without
 * this check.
 * If AWS does not tell the limits, `warn` gets a sentence.
 * @throws Error with one sentence if the account has too few, or has fewer than the stage's `concurrency.quota`.
 */
export const ensureExecutionsFree = async (
  settings: StageSettings,
  env: NodeJS.ProcessEnv,
  warn: (sentence: string) => void,
): Promise<void> => {
  const place = findPlace(settings, env);
  const own = sumReserved(settings.concurrency);
  if (!place || own === 0) return;
  const limits = await readExecutionLimits(settings, place).catch((error: Error) => {
    warn(
      `The Lambda limit of the account could not be read (${error.name}), so the executions that stage "${settings.stage}" reserves were not checked. Make sure that "aws lambda get-account-settings" shows at least ${Math.max(own + MIN_UNRESERVED, settings.concurrency.quota)} concurrent executions.`,
    );
    return undefined;
  });
  if (limits) ensureFits(settings, place, limits);
};
