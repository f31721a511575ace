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
  /** What the URLs of the queues of money work begin with. */
  MoneyQueuesUrl: z.url(),
  FirstDeadLetterQueueUrl: z.url(),
  RetryDeadLetterQueueUrl: z.url(),
  SlowDeadLetterQueueUrl: z.url(),
  TestDeadLetterQueueUrl: z.url(),
  /** The secret of each live provider that is enabled, as JSON. */
  ProviderSecrets: z.pipe(json, z.partialRecord(providerName, z.string())),
  /** Absent while there is no API, as in the middle of a first deployment. */
  BaseUrl: z.url().optional(),
});

/** The outputs of a deployed stage's stacks. */
export type StageOutputs = z.infer<typeof stageOutputs>;

/** CloudFormation has no error of its own for a stack that does not exist. */
const isMissing = (error: unknown): boolean =>
  error instanceof CloudFormationServiceException &&
  error.name === 'ValidationError' &&
  error.message.includes('does not exist');

/** The outputs of a stack by their names; undefined when there is no such stack in this account and region. */
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
 * Finds a stage by the outputs of its stacks, with the operator's own credentials and region. Where both stacks have an output,
 * the API stack's counts: its functions may use a restored table beside the one that the data stack made.
 * @throws OperatorError when the stage does not exist or lacks outputs; and what the SDK throws.
 */
export const findStage = async (stage: string): Promise<StageOutputs> => {
  const client = new CloudFormationClient(CLIENT_LIMITS);
  const names = [dataStackName(stage), apiStackName(stage)] as const;
  const [data, api] = await Promise.all(names.map((name) => readOutputs(client, name)));
  const deploy = `npx cdk deploy --all -c stage=${stage}`;
  if (!data && !api) {
    throw new OperatorError(
      `There is no stage "${stage}" in ${await client.config.region()}: this AWS account has no stack ${names[0]} there. Set AWS_REGION and AWS_PROFILE to where it was deployed, or deploy it: ${deploy}`,
    );
  }
  const parsed = stageOutputs.safeParse({ ...data, ...api });
  if (parsed.success) return parsed.data;
  const wrong = [...new Set(parsed.error.issues.map(({ path }) => path.join('.')))].join(', ');
  throw new OperatorError(
    `The stacks ${names.join(' and ')} lack these outputs or have invalid ones: ${wrong}. Their deployment has not finished, or is of another version. Deploy the stage again: ${deploy}`,
  );
};
