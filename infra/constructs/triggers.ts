import { Duration } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { AccessibleResources } from './permissions.ts';
import type { ServiceFunction } from './service-function.ts';
import type { StageSettings } from './stage-settings.ts';

/** Lets queues call their consumer, each lane with its own concurrency. */
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
 * Runs a function on a schedule, by an EventBridge rule. The EventBridge Scheduler can do more than we need, and needs a role for each
 * schedule. A missed run is not repeated, because the next run does everything that is due. If several runs share the work, each has its
 * own rule with its part.
 */
export const schedule = (scheduled: ServiceFunction, { concurrency }: StageSettings): void => {
  const { trigger, name } = scheduled.spec;
  if (trigger.kind !== 'schedule') return;
  const parts = trigger.isShared ? concurrency.sweeps : 1;
  for (let part = 0; part < parts; part++) {
    const event = parts > 1 ? { event: RuleTargetInput.fromObject({ part, parts }) } : {};
    new Rule(scheduled, part === 0 ? 'Schedule' : `Schedule${part}`, {
      description: `Runs ${name}.`,
      schedule: Schedule.rate(Duration.seconds(trigger.everySeconds)),
      targets: [new LambdaTarget(scheduled.lambda, { ...event, retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
    });
  }
};
