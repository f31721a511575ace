import { startFauxqs } from 'fauxqs';
import type { Engine } from './dynamodb-engine.ts';

const VISIBILITY_SECONDS = 180;
const MAX_RECEIVES = 5;
const ACCOUNT = '000000000000';

export interface QueueEngine extends Engine {
  /** Creates a delivery queue with its dead-letter queue, and gives its URL. */
  createDeliveryQueue(name: string): string;
}

/** Starts an embedded SQS engine in this process. It lives in memory: what was only in a queue comes back by the due-work index. */
export const startSqs = async (): Promise<QueueEngine> => {
  const server = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
  const endpoint = `http://127.0.0.1:${server.port}`;
  return {
    endpoint,
    createDeliveryQueue: (name) => {
      const dead = server.createQueue(`${name}-dlq`);
      server.createQueue(name, {
        attributes: {
          VisibilityTimeout: String(VISIBILITY_SECONDS),
          RedrivePolicy: JSON.stringify({ deadLetterTargetArn: dead.queueArn, maxReceiveCount: MAX_RECEIVES }),
        },
      });
      // The engine's own idea of its URL is a host name that nothing resolves.
      return `${endpoint}/${ACCOUNT}/${name}`;
    },
    stop: () => server.stop(),
  };
};
