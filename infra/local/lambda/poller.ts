import { setTimeout as wait } from 'node:timers/promises';
import { DeleteMessageBatchCommand, type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { ACCOUNT, REGION } from '#infra/local/aws-account.ts';
import { log } from '#shared/platform/observability/log.ts';
import { connectQueue } from '#shared/platform/queues/connect-queue.ts';
import type { Lambda } from './lambda.ts';

/** Work that is repeated until it is stopped. */
export interface Loop {
  /** Takes no new work, and waits for the work that is under way. */
  stop(): Promise<void>;
}

/**
 * Milliseconds to wait between two receives, so that one receive takes several messages. If each receive took only one message, the receives would
 * cost more than the work on the messages. After a full batch, and after a receive without messages, there is no wait.
 */
const GATHER_MS = 40;
/**
 * The most batches that are handled at once, like the concurrency of a function. Slow webhook endpoints delay other deliveries only while every
 * one of these batches waits for a slow endpoint.
 */
const MAX_BATCHES = 1_000;
const LONG_POLL_SECONDS = 20;
/** Time for the answer to a receive. A queue that takes longer is down, because a long poll ends after `LONG_POLL_SECONDS`. */
const ANSWER_MS = (LONG_POLL_SECONDS + 5) * 1_000;
const FIRST_BACK_OFF_MS = 100;
const LONGEST_BACK_OFF_MS = 2_000;

const toSqsEvent = (messages: readonly Message[], queueName: string): SQSEvent => ({
  Records: messages.map((message) => ({
    messageId: message.MessageId ?? '',
    receiptHandle: message.ReceiptHandle ?? '',
    body: message.Body ?? '',
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: '',
      SenderId: ACCOUNT,
      ApproximateFirstReceiveTimestamp: '',
      ...message.Attributes,
    },
    messageAttributes: {},
    md5OfBody: message.MD5OfBody ?? '',
    eventSource: 'aws:sqs',
    eventSourceARN: `arn:aws:sqs:${REGION}:${ACCOUNT}:${queueName}`,
    awsRegion: REGION,
  })),
});

/** Finds the messages that a handler finished: all except the failed ones, which its answer names. */
const findFinished = (messages: readonly Message[], answer: unknown): Message[] => {
  const { batchItemFailures = [] } = (answer ?? {}) as Partial<SQSBatchResponse>;
  const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  return messages.filter(({ MessageId }) => !failed.has(MessageId ?? ''));
};

/** Opens a queue. `receive` waits up to 20 seconds for a message. If the signal aborts, it throws at once. */
const openQueue = (queueUrl: string, batchSize: number, ending: AbortSignal) => {
  const client = connectQueue({ answerMs: ANSWER_MS, maxAttempts: 1 });
  return {
    receive: async (): Promise<Message[]> => {
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({
          QueueUrl: queueUrl,
          MaxNumberOfMessages: batchSize,
          WaitTimeSeconds: LONG_POLL_SECONDS,
          MessageSystemAttributeNames: ['All'],
        }),
        { abortSignal: ending },
      );
      return Messages;
    },
    remove: async (messages: readonly Message[]): Promise<void> => {
      if (messages.length === 0) return;
      const entries = messages.map(({ ReceiptHandle }, i) => ({ Id: String(i), ReceiptHandle }));
      await client.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries: entries }));
    },
  };
};

/**
 * Passes a queue's messages to a function, like Lambda's event source, at most `maxBatches` batches at once. Polling continues while the queue
 * is down.
 */
export const startPoller = (
  lambda: Pick<Lambda, 'invoke'>,
  queueUrl: string,
  batchSize: number,
  maxBatches = MAX_BATCHES,
): Loop => {
  const ending = new AbortController();
  const queue = openQueue(queueUrl, batchSize, ending.signal);
  const queueName = queueUrl.slice(queueUrl.lastIndexOf('/') + 1);
  const batches = new Set<Promise<void>>();

  const work = async (messages: readonly Message[]): Promise<void> => {
    try {
      await queue.remove(findFinished(messages, await lambda.invoke(toSqsEvent(messages, queueName))));
    } catch (error) {
      // Messages that were not deleted are received again.
      log('message_failed', { count: messages.length }, error);
    }
  };

  const poll = async (): Promise<void> => {
    let backOff = FIRST_BACK_OFF_MS;
    while (!ending.signal.aborted) {
      try {
        if (batches.size >= maxBatches) await Promise.race(batches);
        const messages = await queue.receive();
        backOff = FIRST_BACK_OFF_MS;
        if (messages.length === 0) continue;
        const batch = work(messages).finally(() => batches.delete(batch));
        batches.add(batch);
        if (messages.length < batchSize) await wait(GATHER_MS, undefined, { signal: ending.signal });
      } catch {
        await wait(backOff, undefined, { signal: ending.signal }).catch(() => {});
        backOff = Math.min(2 * backOff, LONGEST_BACK_OFF_MS);
      }
    }
  };

  const polling = poll();
  return {
    stop: async () => {
      ending.abort();
      await polling;
      await Promise.all(batches);
    },
  };
};
