import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import { Queue, QueueEncryption, RedrivePermission } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { QueueLane } from '#infra/lanes.ts';
import { MAX_RECEIVES, nameDeadLetterQueue, visibilitySeconds } from '#infra/queues.ts';
import { resourceName } from './names.ts';

const SHARED = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };

/**
 * A queue with its dead letters, which go back to it and to no other queue. What is lost with a queue is sent again
 * by the sweeper: the table owns the schedule. Both have names, since each must name the other.
 */
export class DeliveryQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, stage: string, lane: QueueLane) {
    super(scope, `${lane}-queue`);
    const queueName = resourceName(stage, lane);
    const arn = Stack.of(this).formatArn({
      service: 'sqs',
      resource: queueName,
      arnFormat: ArnFormat.NO_RESOURCE_NAME,
    });
    this.deadLetters = new Queue(this, 'DeadLetters', {
      ...SHARED,
      queueName: nameDeadLetterQueue(queueName),
      retentionPeriod: Duration.days(14),
      redriveAllowPolicy: {
        redrivePermission: RedrivePermission.BY_QUEUE,
        sourceQueues: [Queue.fromQueueArn(this, 'Source', arn)],
      },
    });
    this.queue = new Queue(this, 'Queue', {
      ...SHARED,
      queueName,
      retentionPeriod: Duration.days(4),
      visibilityTimeout: Duration.seconds(visibilitySeconds(lane)),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_RECEIVES },
    });
  }
}
