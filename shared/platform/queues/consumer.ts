import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Log } from '#shared/platform/observability/log.ts';

/** Makes a handler for batches of queue messages, handled concurrently. Only failed messages are received again (SQS partial batch responses). */
export const consumer =
  <S extends z.ZodMiniType>(message: S, log: Log, work: (body: z.infer<S>, queueName: string) => Promise<void>) =>
  async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const results = await Promise.allSettled(
      Records.map(async ({ body, eventSourceARN }) =>
        work(message.parse(JSON.parse(body)), eventSourceARN.slice(eventSourceARN.lastIndexOf(':') + 1)),
      ),
    );
    const failures = results.flatMap((outcome, i) => {
      const record = Records[i];
      if (outcome.status === 'fulfilled' || !record) return [];
      log('message_failed', { message_id: record.messageId }, outcome.reason);
      return [{ itemIdentifier: record.messageId }];
    });
    return { batchItemFailures: failures };
  };
