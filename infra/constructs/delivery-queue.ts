import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import { Queue, QueueEncryption, RedrivePermission } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { FUNCTIONS, type Lane } from '#infra/functions.ts';
import { nameOf } from './names.ts';

/** AWS advises six times the consumer's time-out, so that a message is not seen again while it is worked on. */
const VISIBILITY_TIMEOUTS = 6;
/** A message that cannot be handled is our own bug; one receive alone may be lost without reaching the consumer. */
const MAX_RECEIVES = 5;

const consumerTimeoutSeconds = (lane: Lane): number =>
  Math.max(
    ...FUNCTIONS.filter(({ trigger }) => trigger.kind === 'queue' && trigger.lanes.includes(lane)).map(
      ({ timeoutSeconds }) => timeoutSeconds,
    ),
  );

const SHARED = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };

/**
 * A delivery queue with its dead letters, which go back to it and to no other queue. What is lost with a queue is sent again
 * by the sweeper: the table owns the schedule. Both have names, since each must name the other.
 */
export class DeliveryQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, stage: string, lane: Lane) {
    super(scope, `${lane}-queue`);
    const queueName = nameOf(stage, lane);
    const arn = Stack.of(this).formatArn({
      service: 'sqs',
      resource: queueName,
      arnFormat: ArnFormat.NO_RESOURCE_NAME,
    });
    this.deadLetters = new Queue(this, 'DeadLetters', {
      ...SHARED,
      queueName: `${queueName}-dlq`,
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
      visibilityTimeout: Duration.seconds(VISIBILITY_TIMEOUTS * consumerTimeoutSeconds(lane)),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_RECEIVES },
    });
  }
}
