import {
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  type SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import type { Lane } from '#shared/webhooks/domain/delivery.ts';

/** How far SQS has come with moving messages back. */
export interface Move {
  readonly state: 'running' | 'completed' | 'failed' | 'cancelled';
  /** Milliseconds since the epoch. Identifies the move. */
  readonly startedAt: number;
  readonly moved: number;
  /** Null while SQS does not say. */
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
    /** Roughly how many messages wait. */
    waiting: async (lane: Lane): Promise<number> =>
      Number((await readAttributes(lane)).ApproximateNumberOfMessages ?? 0),
    /** Makes SQS move all of them back to the lane's queue, in the background. SQS runs one such move at a time. */
    startMove: async (lane: Lane): Promise<void> => {
      const { QueueArn } = await readAttributes(lane);
      await client.send(new StartMessageMoveTaskCommand({ SourceArn: QueueArn }));
    },
    /** The move that runs, or the one that ran last; undefined when SQS knows of none. */
    latestMove: async (lane: Lane): Promise<Move | undefined> => {
      const { QueueArn } = await readAttributes(lane);
      const { Results = [] } = await client.send(
        new ListMessageMoveTasksCommand({ SourceArn: QueueArn, MaxResults: 1 }),
      );
      const [latest] = Results;
      return (
        latest && {
          // Any other status, such as CANCELLING, means that the move is not over.
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
