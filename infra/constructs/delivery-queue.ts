import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import { Queue, QueueEncryption, RedrivePermission } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { QueueLane } from '#infra/lanes.ts';
import { MAX_RECEIVES, nameDeadLetterQueue, visibilitySeconds } from '#infra/queues.ts';
import { resourceName } from './names.ts';

const QUEUE_DEFAULTS = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };

/**
 * A queue of deliveries or of money work, and its dead-letter queue. No other queue may have this dead-letter queue. If a queue
 * is lost, the sweeper sends its work again, because the table has the schedule. The settings of each queue refer to the other queue. So
 * one of them must refer by a name that is known before the queue exists, and the names are fixed.
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
      ...QUEUE_DEFAULTS,
      queueName: nameDeadLetterQueue(queueName),
      retentionPeriod: Duration.days(14),
      redriveAllowPolicy: {
        redrivePermission: RedrivePermission.BY_QUEUE,
        sourceQueues: [Queue.fromQueueArn(this, 'Source', arn)],
      },
    });
    this.queue = new Queue(this, 'Queue', {
      ...QUEUE_DEFAULTS,
      queueName,
      retentionPeriod: Duration.days(4),
      visibilityTimeout: Duration.seconds(visibilitySeconds(lane)),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_RECEIVES },
    });
  }
}
