import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** Checks a queue. @throws if the queue does not answer. */
export const probeQueue = async (client: SQSClient, queueUrl: string): Promise<void> => {
  await client.send(new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['QueueArn'] }));
};
