import {
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  type SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import type { Lane } from '#shared/domain/webhooks/delivery.ts';

/** How far SQS has come with moving messages back. */
export interface Move {
  readonly state: 'running' | 'completed' | 'failed' | 'cancelled';
  /** Milliseconds since the epoch: what tells one move from the next. */
  readonly startedAt: number;
  readonly moved: number;
  /** Null while SQS does not tell. */
  readonly toMove: number | null;
  readonly failure: string | null;
}

const STATES: Readonly<Record<string, Move['state']>> = {
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
};

/** The queues of messages that the consumer failed on, by the lane that they came from. */
export const deadLetterQueues = (client: SQSClient, urls: Record<Lane, string>) => {
  const attributesOf = async (lane: Lane) => {
    const { Attributes = {} } = await client.send(
      new GetQueueAttributesCommand({
        QueueUrl: urls[lane],
        AttributeNames: ['QueueArn', 'ApproximateNumberOfMessages'],
      }),
    );
    return Attributes;
  };
  return {
    /** How many messages wait; SQS tells it roughly. */
    waiting: async (lane: Lane): Promise<number> => Number((await attributesOf(lane)).ApproximateNumberOfMessages ?? 0),
    /** Has SQS move all of them back to the lane's queue, on its own from now on. It takes one such order at a time. */
    startMove: async (lane: Lane): Promise<void> => {
      const { QueueArn } = await attributesOf(lane);
      await client.send(new StartMessageMoveTaskCommand({ SourceArn: QueueArn }));
    },
    /** The move that runs, or the one that ran last; undefined when SQS knows of none. */
    latestMove: async (lane: Lane): Promise<Move | undefined> => {
      const { QueueArn } = await attributesOf(lane);
      const { Results = [] } = await client.send(
        new ListMessageMoveTasksCommand({ SourceArn: QueueArn, MaxResults: 1 }),
      );
      const [latest] = Results;
      return (
        latest && {
          // Whatever else SQS says, such as CANCELLING, is not over yet.
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
