import {
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  type SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import type { Lane } from '#shared/webhooks/domain/delivery.ts';

/** The progress of SQS in moving messages back. */
export interface Move {
  readonly state: 'running' | 'completed' | 'failed' | 'cancelled';
  /** The start, in milliseconds since the epoch. It identifies the move. */
  readonly startedAt: number;
  readonly moved: number;
  /** Null while SQS does not report it. */
  readonly toMove: number | null;
  readonly failure: string | null;
}

const STATES: Readonly<Record<string, Move['state']>> = {
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
};

/** The dead-letter queues, by the lane that their messages came from. */
export const deadLetterQueues = (client: SQSClient, urls: Record<Lane, string>) => {
  const readAttributes = async (lane: Lane) => {
    const { Attributes = {} } = await client.send(
      new GetQueueAttributesCommand({
        QueueUrl: urls[lane],
        AttributeNames: ['QueueArn', 'ApproximateNumberOfMessages'],
      }),
    );
    return Attributes;
  };
  return {
    /** Returns the approximate number of waiting messages. */
    countWaiting: async (lane: Lane): Promise<number> =>
      Number((await readAttributes(lane)).ApproximateNumberOfMessages ?? 0),
    /** Makes SQS move all waiting messages back to the lane's queue, in the background. SQS runs one such move at a time. */
    startMove: async (lane: Lane): Promise<void> => {
      const { QueueArn } = await readAttributes(lane);
      await client.send(new StartMessageMoveTaskCommand({ SourceArn: QueueArn }));
    },
    /** Returns the running move, or the last one; undefined if SQS knows of none. */
    latestMove: async (lane: Lane): Promise<Move | undefined> => {
      const { QueueArn } = await readAttributes(lane);
      const { Results = [] } = await client.send(
        new ListMessageMoveTasksCommand({ SourceArn: QueueArn, MaxResults: 1 }),
      );
      const [latest] = Results;
      return (
        latest && {
          // Any other status, such as CANCELLING, means that the move still runs.
          state: STATES[latest.Status ?? ''] ?? 'running',
          startedAt: latest.StartedTimestamp ?? 0,
          moved: Number(latest.ApproximateNumberOfMessagesMoved ?? 0),
          toMove: latest.ApproximateNumberOfMessagesToMove ?? null,
          failure: latest.FailureReason ?? null,
        }
      );
    },
  };
};
