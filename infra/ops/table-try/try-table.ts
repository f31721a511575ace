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
import { type Attempt, makeAttempts, type Outcome, type RoleKeys, whileNew } from './attempts.ts';
import { triedStackName, triedTemplate } from './tried-stack.ts';

/** Seconds in which CloudFormation makes a table and a role, and between two questions whether it has. */
const MADE_WITHIN = 300;
const ASK_EVERY = 3;

/** What a try needs of its surroundings. */
export interface TryContext {
  readonly say: (progress: string) => void;
  readonly wait: (milliseconds: Millis) => Promise<void>;
}

const readErrorName = (error: unknown): string => (error instanceof Error ? error.name : '');

const isNotYet = (result: RoleKeys | Error): boolean => result instanceof Error;

/** Takes the role over. AWS refuses that until the new role is known everywhere. @throws what AWS answers then. */
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
  const keys = await whileNew(assume, isNotYet, wait);
  if (keys instanceof Error) throw keys;
  return keys;
};

/** Begins to make the stack, and gives its id. @throws OperatorError when one of another try is there. */
const makeStack = async (client: CloudFormationClient, StackName: string): Promise<string> => {
  try {
    const { StackId = StackName } = await client.send(
      new CreateStackCommand({ StackName, TemplateBody: triedTemplate(), Capabilities: ['CAPABILITY_IAM'] }),
    );
    return StackId;
  } catch (error) {
    if (readErrorName(error) !== 'AlreadyExistsException') throw error;
    throw new OperatorError(
      `The stack ${StackName} of another try is there. If nobody is trying now, delete it: aws cloudformation delete-stack --stack-name ${StackName}`,
    );
  }
};

/** Waits for the stack, and gives its outputs. @throws OperatorError when it cannot be made. */
const untilMade = async (client: CloudFormationClient, StackName: string) => {
  try {
    const limits = { client, maxWaitTime: MADE_WITHIN, minDelay: ASK_EVERY, maxDelay: ASK_EVERY };
    await waitUntilStackCreateComplete(limits, { StackName });
  } catch {
    throw new OperatorError(
      `CloudFormation did not make the stack ${StackName}, and it is deleted again. Its events say why: aws cloudformation describe-stack-events --stack-name ${StackName}`,
    );
  }
  const { TableName, RoleArn } = (await readOutputs(client, StackName)) ?? {};
  return { tableName: String(TableName), roleArn: String(RoleArn) };
};

/**
 * Tries what a role with the conditions of the functions' roles may do with a table, within a transaction and alone. Makes a table and a
 * role for it in a stack of their own, and deletes them.
 * @throws OperatorError that says what to do when these cannot be made; and what the SDK throws.
 */
export const tryTable = async (
  stage: string,
  { say, wait }: TryContext,
): Promise<Readonly<Record<Attempt, Outcome>>> => {
  const client = new CloudFormationClient(CLIENT_LIMITS);
  const StackName = triedStackName(stage);
  say(`Making a table and a role in the stack ${StackName}, which takes about a minute.`);
  const id = await makeStack(client, StackName);
  try {
    const { tableName, roleArn } = await untilMade(client, id);
    return await makeAttempts(tableName, await assumeRole(roleArn, wait), wait);
  } finally {
    say(`Deleting the stack ${StackName}.`);
    await client.send(new DeleteStackCommand({ StackName: id }));
  }
};
