import {
  CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import * as z from 'zod';
import { apiStackName, dataStackName } from '#infra/constructs/names.ts';
import { OperatorError } from '#infra/ops/operator-error.ts';
import { json, tableEnv } from '#shared/platform/env.ts';
import { providerName } from '#shared/providers/domain/provider.ts';
import { CLIENT_LIMITS } from './client-limits.ts';

const stageOutputs = z.object({
  TableName: z.string().min(1),
  DueShards: tableEnv.shape.DUE_SHARDS,
  FirstQueueUrl: z.url(),
  RetryQueueUrl: z.url(),
  SlowQueueUrl: z.url(),
  TestQueueUrl: z.url(),
  /** The common beginning of the URLs of the money queues. */
  MoneyQueuesUrl: z.url(),
  FirstDeadLetterQueueUrl: z.url(),
  RetryDeadLetterQueueUrl: z.url(),
  SlowDeadLetterQueueUrl: z.url(),
  TestDeadLetterQueueUrl: z.url(),
  /** The secrets of the enabled live providers, as JSON. */
  ProviderSecrets: z.pipe(json, z.partialRecord(providerName, z.string())),
  /** Absent before the first deployment of the API. */
  BaseUrl: z.url().optional(),
});

/** The outputs of a deployed stage's CDK stacks. */
export type StageOutputs = z.infer<typeof stageOutputs>;

/** Whether a CDK stack does not exist. CloudFormation has no special error for that. */
const isMissing = (error: unknown): boolean =>
  error instanceof CloudFormationServiceException &&
  error.name === 'ValidationError' &&
  error.message.includes('does not exist');

/** Reads the outputs of a CDK stack by name; undefined if there is no such stack in this account and region. */
export const readOutputs = async (
  client: CloudFormationClient,
  stack: string,
): Promise<Record<string, unknown> | undefined> => {
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stack }));
    const outputs = Stacks[0]?.Outputs ?? [];
    return Object.fromEntries(outputs.map(({ OutputKey = '', OutputValue }) => [OutputKey, OutputValue]));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

/**
 * Finds a stage by the outputs of its CDK stacks, with the operator's own credentials and region. If the data's and the API's CDK stack both
 * have an output, the value of the API's is used: its functions may use a restored table.
 * @throws OperatorError if the stage does not exist or lacks outputs; and what the SDK throws.
 */
export const findStage = async (stage: string): Promise<StageOutputs> => {
  const client = new CloudFormationClient(CLIENT_LIMITS);
  const names = [dataStackName(stage), apiStackName(stage)] as const;
  const [data, api] = await Promise.all(names.map((name) => readOutputs(client, name)));
  const deploy = `npx cdk deploy --all -c stage=${stage}`;
  if (!data && !api) {
    throw new OperatorError(
      `There is no stage "${stage}" in ${await client.config.region()}: this AWS account has no CloudFormation stack ${names[0]} there. Set AWS_REGION and AWS_PROFILE to the region and account of the stage, or deploy it with: ${deploy}`,
    );
  }
  const parsed = stageOutputs.safeParse({ ...data, ...api });
  if (parsed.success) return parsed.data;
  const wrong = [...new Set(parsed.error.issues.map(({ path }) => path.join('.')))].join(', ');
  throw new OperatorError(
    `These outputs of the CloudFormation stacks ${names.join(' and ')} are missing or invalid: ${wrong}. The deployment has not finished, or is of another version. Deploy the stage again with: ${deploy}`,
  );
};
