import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** Throws unless the queue answers. */
export const probeQueue = async (client: SQSClient, queueUrl: string): Promise<void> => {
  await client.send(new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['QueueArn'] }));
};
