import { CreateQueueCommand, GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Lane } from '#infra/functions.ts';

/** Six times the consumer's time-out, as AWS advises. */
const VISIBILITY_SECONDS = 180;
const MAX_RECEIVES = 5;

/**
 * Creates a delivery queue with its dead-letter queue, and gives its URL; one that exists already stays as it is.
 * `endpoint` is where the engine is reached: the host that it writes into its URLs may be known to nobody else.
 */
const createDeliveryQueue = async (client: SQSClient, endpoint: string, name: string): Promise<string> => {
  const create = async (queueName: string, attributes: Record<string, string>): Promise<string> => {
    const { QueueUrl = '' } = await client.send(
      new CreateQueueCommand({ QueueName: queueName, Attributes: attributes }),
    );
    return QueueUrl.replace(/^https?:\/\/[^/]+/, new URL(endpoint).origin);
  };

  const deadLetters = await create(`${name}-dlq`, {});
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: deadLetters, AttributeNames: ['QueueArn'] }),
  );
  return create(name, {
    VisibilityTimeout: String(VISIBILITY_SECONDS),
    RedrivePolicy: JSON.stringify({ deadLetterTargetArn: Attributes?.QueueArn, maxReceiveCount: MAX_RECEIVES }),
  });
};

/** The delivery queues' URLs by lane. */
export type QueueUrls = Record<Lane, string>;

/** Creates the delivery queue of each lane, and gives their URLs. */
export const createDeliveryQueues = async (client: SQSClient, endpoint: string, name: string): Promise<QueueUrls> => {
  const [first, retry, slow, test] = await Promise.all([
    createDeliveryQueue(client, endpoint, `${name}-first`),
    createDeliveryQueue(client, endpoint, `${name}-retry`),
    createDeliveryQueue(client, endpoint, `${name}-slow`),
    createDeliveryQueue(client, endpoint, `${name}-test`),
  ]);
  return { first, retry, slow, test };
};
