import { CreateQueueCommand, GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { deadLetterQueueOf, MAX_RECEIVES, visibilitySeconds } from '#infra/queues.ts';
import type { Lane } from '#shared/webhooks/domain/delivery.ts';

/**
 * Creates a queue with its dead-letter queue, and gives its URL; one that exists already stays as it is.
 * `endpoint` is where the engine is reached: the host that it writes into its URLs may be known to nobody else.
 */
const createQueue = async (
  client: SQSClient,
  endpoint: string,
  prefix: string,
  lane: Lane | 'codes',
): Promise<string> => {
  const name = `${prefix}-${lane}`;
  const create = async (queueName: string, attributes: Record<string, string>): Promise<string> => {
    const { QueueUrl = '' } = await client.send(
      new CreateQueueCommand({ QueueName: queueName, Attributes: attributes }),
    );
    return QueueUrl.replace(/^https?:\/\/[^/]+/, new URL(endpoint).origin);
  };

  const deadLetters = await create(deadLetterQueueOf(name), {});
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: deadLetters, AttributeNames: ['QueueArn'] }),
  );
  return create(name, {
    VisibilityTimeout: String(visibilitySeconds(lane)),
    RedrivePolicy: JSON.stringify({ deadLetterTargetArn: Attributes?.QueueArn, maxReceiveCount: MAX_RECEIVES }),
  });
};

/** The URLs of the delivery queues by lane, and of the queue of codes. */
export type QueueUrls = Record<Lane | 'codes', string>;

/** Creates the delivery queue of each lane, named `<prefix>-<lane>`, and the queue of codes, and gives their URLs. */
export const createDeliveryQueues = async (client: SQSClient, endpoint: string, prefix: string): Promise<QueueUrls> => {
  const [first, retry, slow, test, codes] = await Promise.all([
    createQueue(client, endpoint, prefix, 'first'),
    createQueue(client, endpoint, prefix, 'retry'),
    createQueue(client, endpoint, prefix, 'slow'),
    createQueue(client, endpoint, prefix, 'test'),
    createQueue(client, endpoint, prefix, 'codes'),
  ]);
  return { first, retry, slow, test, codes };
};
