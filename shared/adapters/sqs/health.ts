import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import type { QueueClient } from './queue-client.ts';

/** @throws when the queue does not answer. */
export const probeQueue = async (client: QueueClient, queueUrl: string): Promise<void> => {
  await client.send(new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['QueueArn'] }));
};
