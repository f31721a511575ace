import {
  CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  waitUntilStackCreateComplete,
} from '@aws-sdk/client-cloudformation';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { CLIENT_LIMITS } from '#infra/ops/client-limits.ts';
import { OperatorError } from '#infra/ops/operator-error.ts';
import { readOutputs } from '#infra/ops/stage-outputs.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { type Attempt, makeAttempts, type Outcome, type RoleKeys, retryWhileDenied } from './attempts.ts';
import { buildTemplate, tryStackName } from './tried-stack.ts';

/** Longest wait for CloudFormation, in seconds. */
const CREATED_WITHIN_S = 300;
const POLL_EVERY_S = 3;

export interface TryContext {
  readonly say: (progress: string) => void;
  readonly wait: (milliseconds: Millis) => Promise<void>;
}

const readErrorName = (error: unknown): string => (error instanceof Error ? error.name : '');

const isDenied = (result: RoleKeys | Error): boolean => result instanceof Error;

/** Assumes the role. Repeats the request while AWS does not know the new role everywhere. @throws AWS's error if the last request fails too. */
const assumeRole = async (RoleArn: string, wait: TryContext['wait']): Promise<RoleKeys> => {
  const client = new STSClient(CLIENT_LIMITS);
  const assume = async (): Promise<RoleKeys | Error> => {
    try {
      const { Credentials } = await client.send(new AssumeRoleCommand({ RoleArn, RoleSessionName: 'payments-try' }));
      const { AccessKeyId = '', SecretAccessKey = '', SessionToken = '' } = Credentials ?? {};
      return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken };
    } catch (error) {
      if (readErrorName(error) !== 'AccessDenied') throw error;
      return error as Error;
    }
  };
  const keys = await retryWhileDenied(assume, isDenied, wait);
  if (keys instanceof Error) throw keys;
  return keys;
};

/** Starts to create the CloudFormation stack, and returns its id. @throws OperatorError if the stack of another try exists. */
const createStack = async (client: CloudFormationClient, StackName: string): Promise<string> => {
  try {
    const { StackId = StackName } = await client.send(
      new CreateStackCommand({ StackName, TemplateBody: buildTemplate(), Capabilities: ['CAPABILITY_IAM'] }),
    );
    return StackId;
  } catch (error) {
    if (readErrorName(error) !== 'AlreadyExistsException') throw error;
    throw new OperatorError(
      `The CloudFormation stack ${StackName} of another try exists. If nobody else runs "table try" now, delete it with: aws cloudformation delete-stack --stack-name ${StackName}`,
    );
  }
};

/** Waits until the CloudFormation stack is created, and returns its outputs. @throws OperatorError if it cannot be created. */
const waitForStack = async (client: CloudFormationClient, StackName: string) => {
  try {
    const limits = { client, maxWaitTime: CREATED_WITHIN_S, minDelay: POLL_EVERY_S, maxDelay: POLL_EVERY_S };
    await waitUntilStackCreateComplete(limits, { StackName });
  } catch {
    throw new OperatorError(
      `CloudFormation did not create the stack ${StackName}, and it is being deleted. See the reason in its events with: aws cloudformation describe-stack-events --stack-name ${StackName}`,
    );
  }
  const { TableName, RoleArn } = (await readOutputs(client, StackName)) ?? {};
  return { tableName: String(TableName), roleArn: String(RoleArn) };
};

/**
 * Tries which writes to a table AWS allows to a role, alone and in a transaction. The role has conditions like those of the functions' roles.
 * Creates the table and the role in their own CloudFormation stack, and deletes it.
 * @throws OperatorError if the stack cannot be created; and what the SDK throws.
 */
export const tryTable = async (
  stage: string,
  { say, wait }: TryContext,
): Promise<Readonly<Record<Attempt, Outcome>>> => {
  const client = new CloudFormationClient(CLIENT_LIMITS);
  const StackName = tryStackName(stage);
  say(`Creating a table and a role in the CloudFormation stack ${StackName}. This takes about a minute.`);
  const id = await createStack(client, StackName);
  try {
    const { tableName, roleArn } = await waitForStack(client, id);
    return await makeAttempts(tableName, await assumeRole(roleArn, wait), wait);
  } finally {
    say(`Deleting the CloudFormation stack ${StackName}.`);
    await client.send(new DeleteStackCommand({ StackName: id }));
  }
};
