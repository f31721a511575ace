import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { AccessibleResources } from './permissions.ts';
import type { ServiceFunction } from './service-function.ts';
import type { StageSettings } from './stage-settings.ts';

/** Lets queues call their consumer, each lane with a concurrency of its own. */
export const consume = (
  consumer: ServiceFunction,
  settings: StageSettings,
  { queues }: Pick<AccessibleResources, 'queues'>,
): void => {
  const { trigger } = consumer.spec;
  if (trigger.kind !== 'queue') return;
  for (const lane of trigger.lanes) {
    new EventSourceMapping(consumer, `${lane}-lane`, {
      target: consumer.lambda,
      eventSourceArn: queues[lane].queueArn,
      batchSize: trigger.batchSize,
      reportBatchItemFailures: true,
      maxConcurrency: settings.concurrency.lanes[lane],
    });
  }
};

/**
 * Runs a function on a schedule. A rule of EventBridge, not its Scheduler, which needs a role for each schedule and offers nothing
 * more that we need. A missed run is not repeated: the next one handles everything that is due.
 */
export const schedule = (scheduled: ServiceFunction): void => {
  const { trigger, name } = scheduled.spec;
  if (trigger.kind !== 'schedule') return;
  new Rule(scheduled, 'Schedule', {
    description: `Runs ${name}.`,
    schedule: Schedule.rate(Duration.seconds(trigger.everySeconds)),
    targets: [new LambdaTarget(scheduled.lambda, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
  });
};
