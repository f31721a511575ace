import { CreateQueueCommand, GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { MONEY_PREFIX, QUEUE_LANES, type QueueLane } from '#infra/lanes.ts';
import { MAX_RECEIVES, nameDeadLetterQueue, visibilitySeconds } from '#infra/queues.ts';

/**
 * Creates a queue with its dead-letter queue, and returns its URL. An existing queue stays as it is.
 * The URL begins with the address in `endpoint`, because the emulator's own URL may have a host name that this machine cannot resolve.
 */
const createQueue = async (
  client: SQSClient,
  endpoint: string,
  prefix: string,
  lane: QueueLane | 'codes',
): Promise<string> => {
  const name = `${prefix}-${lane}`;
  const create = async (queueName: string, attributes: Record<string, string>): Promise<string> => {
    const { QueueUrl = '' } = await client.send(
      new CreateQueueCommand({ QueueName: queueName, Attributes: attributes }),
    );
    return QueueUrl.replace(/^https?:\/\/[^/]+/, new URL(endpoint).origin);
  };

  const deadLetters = await create(nameDeadLetterQueue(name), {});
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: deadLetters, AttributeNames: ['QueueArn'] }),
  );
  return create(name, {
    VisibilityTimeout: String(visibilitySeconds(lane)),
    RedrivePolicy: JSON.stringify({ deadLetterTargetArn: Attributes?.QueueArn, maxReceiveCount: MAX_RECEIVES }),
  });
};

/** The URLs of the queues by lane, and of the queue of sign-in codes. */
export type QueueUrls = Readonly<Record<QueueLane | 'codes', string>>;

/** Creates the queue of each lane, named `<prefix>-<lane>`, and the queue of sign-in codes. Returns their URLs. */
export const createQueues = async (client: SQSClient, endpoint: string, prefix: string): Promise<QueueUrls> => {
  const names = [...QUEUE_LANES, 'codes'] as const;
  const urls = await Promise.all(names.map((name) => createQueue(client, endpoint, prefix, name)));
  return Object.fromEntries(names.map((name, i) => [name, urls[i]])) as QueueUrls;
};

/** Returns the common beginning of the URLs of the money queues. */
export const moneyQueuesUrl = (urls: Pick<QueueUrls, 'first'>): string => urls.first.replace(/first$/, MONEY_PREFIX);
