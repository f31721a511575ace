import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { apiStackName } from '#infra/constructs/names.ts';
import { KEPT_UNRESERVED, sumReserved } from '#infra/constructs/reserved-concurrency.ts';
import { type StageSettings, settingsError } from '#infra/constructs/stage-settings.ts';
import { CLIENT_LIMITS } from './client-limits.ts';
import { readOutputs } from './stage-outputs.ts';

/** An account and region, in which CDK has credentials. */
interface Place {
  readonly account: string;
  readonly region: string;
}

/** CDK tells an app where its credentials lead, and nothing where it has none. Those of another account are refused by CDK itself. */
const findPlace = ({ account, region }: StageSettings, env: NodeJS.ProcessEnv): Place | undefined => {
  const place = { account: env.CDK_DEFAULT_ACCOUNT ?? '', region: region ?? env.CDK_DEFAULT_REGION ?? '' };
  return place.account !== '' && place.region !== '' && (account ?? place.account) === place.account
    ? place
    : undefined;
};

/** The executions that an account has, and those that nobody reserves; `isThere`: the stage's own are among the reserved. */
interface Room {
  readonly limit: number;
  readonly unreserved: number;
  readonly isThere: boolean;
}

const roomIn = async ({ stage }: StageSettings, { region }: Place): Promise<Room> => {
  const client = { ...CLIENT_LIMITS, region };
  const [{ AccountLimit }, api] = await Promise.all([
    new LambdaClient(client).send(new GetAccountSettingsCommand()),
    readOutputs(new CloudFormationClient(client), apiStackName(stage)),
  ]);
  const { ConcurrentExecutions: limit, UnreservedConcurrentExecutions: unreserved } = AccountLimit ?? {};
  if (limit === undefined || unreserved === undefined) throw new Error('Lambda names no limits.');
  // A stack whose creation was rolled back has no outputs, and reserves nothing.
  return { limit, unreserved, isThere: api?.BaseUrl !== undefined };
};

const ensureFits = (
  settings: StageSettings,
  { account, region }: Place,
  { limit, unreserved, isThere }: Room,
): void => {
  const { stage, concurrency } = settings;
  const own = sumReserved(concurrency);
  const lacking = own + KEPT_UNRESERVED - (isThere ? limit : unreserved);
  if (lacking > 0) {
    // The settings insist on their quota, so less would be refused the next time.
    const enough = Math.max(limit + lacking, concurrency.quota);
    const has =
      unreserved === limit
        ? `account ${account} has ${limit} in ${region}`
        : `only ${unreserved} of the ${limit} that account ${account} has in ${region} are unreserved`;
    throw new Error(
      `Stage "${stage}" reserves ${own} executions of Lambda, and AWS keeps ${KEPT_UNRESERVED} unreserved, but ${has}: request at least ${enough} first (docs/operating/first-deployment.md section 1), or write concurrency.reserved: false.`,
    );
  }
  if (limit < concurrency.quota) {
    throw settingsError(stage, [
      `concurrency.quota says ${concurrency.quota}, but account ${account} has ${limit} executions of Lambda in ${region}: request ${concurrency.quota}, or write ${limit}`,
    ]);
  }
};

/**
 * Compares what a stage reserves with what the account has, where CDK has credentials: Lambda would refuse it in the middle of a
 * deployment. Nothing of a template follows from it.
 * @throws Error with one sentence when there is no room. What AWS does not tell is a sentence to `warn`.
 */
export const ensureRoom = async (
  settings: StageSettings,
  env: NodeJS.ProcessEnv,
  warn: (sentence: string) => void,
): Promise<void> => {
  const place = findPlace(settings, env);
  const own = sumReserved(settings.concurrency);
  if (!place || own === 0) return;
  const room = await roomIn(settings, place).catch((error: Error) => {
    warn(
      `Nobody has compared what stage "${settings.stage}" reserves with what the account has (${error.name}): see that "aws lambda get-account-settings" says at least ${Math.max(own + KEPT_UNRESERVED, settings.concurrency.quota)}.`,
    );
    return undefined;
  });
  if (room) ensureFits(settings, place, room);
};
