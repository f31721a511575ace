import { resourceName } from '#infra/constructs/names.ts';
import { DASHBOARD_FUNCTIONS } from '#infra/dashboard-functions.ts';
import type { FunctionSpec } from '#infra/function-spec.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import { isMoneyLane, type QueueLane } from '#infra/lanes.ts';
import { nameDeadLetterQueue } from '#infra/queues.ts';

/**
 * The watched stage. The CDK stack of the alarms names functions and queues by names computed from stage and manifest. If it used CDK
 * references instead, the CDK stack of the API could never delete a function: CloudFormation keeps what another CDK stack refers to.
 */
export interface WatchedStage {
  readonly stage: string;
  /** The table that the functions use. */
  readonly tableName: string;
  readonly apiId: string;
  /** Whether the stage has the dashboard of businesses. */
  readonly hasDashboard: boolean;
  /** The certificate of the API's domain, if it has one. */
  readonly certificateArn?: string | undefined;
}

/** The name of a function of the stage. */
export const functionName = ({ stage }: WatchedStage, { name }: FunctionSpec): string => resourceName(stage, name);
/** The name of the queue of sign-in codes. */
export const codeQueueName = ({ stage }: WatchedStage): string => resourceName(stage, 'codes');
/** The name of a queue of deliveries, or of a provider's money work. */
export const queueName = ({ stage }: WatchedStage, lane: QueueLane): string => resourceName(stage, lane);
/** The name of a queue's dead-letter queue. */
export const deadLetterQueueName = (watched: WatchedStage, lane: QueueLane): string =>
  nameDeadLetterQueue(queueName(watched, lane));

const doesMoneyWork = ({ trigger }: FunctionSpec): boolean =>
  trigger.kind === 'queue' && trigger.lanes.some(isMoneyLane);

const receivesNotifications = ({ trigger }: FunctionSpec): boolean =>
  trigger.kind === 'route' && trigger.route === 'POST /providers/{provider}/notifications';

/** The functions of the manifest in groups, by what stops if they fail. Each function is in one group. */
export const GROUPS = {
  consumers: FUNCTIONS.filter((spec) => spec.trigger.kind === 'queue' && !doesMoneyWork(spec)),
  money: FUNCTIONS.filter(doesMoneyWork),
  sweepers: FUNCTIONS.filter(({ trigger }) => trigger.kind === 'schedule'),
  notifications: FUNCTIONS.filter(receivesNotifications),
  api: FUNCTIONS.filter(
    (spec) => (spec.trigger.kind === 'endpoint' || spec.trigger.kind === 'route') && !receivesNotifications(spec),
  ),
} as const;

/**
 * The functions of the dashboard that the alarm watches: those that members need to sign in, or to lock out a thief. The dashboard has more
 * functions, but an alarm takes ten metrics at most
 * (https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-limits.html).
 */
const ALARMING_NAMES = [
  'serve-dashboard',
  'start-sign-in',
  'send-mail',
  'finish-sign-in',
  'challenge-passkey',
  'use-passkey',
  'show-me',
  'roll-key',
  'set-key-whitelist',
] as const;
export const ALARMING_DASHBOARD_FUNCTIONS = ALARMING_NAMES.map((name) => {
  const spec = DASHBOARD_FUNCTIONS.find((candidate) => candidate.name === name);
  if (!spec) throw new Error(`The dashboard has no function ${name}.`);
  return spec;
});

/** Names the route or endpoint of a function, for a sentence. */
export const describeRoute = ({ name, trigger }: FunctionSpec): string => {
  if (trigger.kind === 'endpoint') return `${trigger.contract.method} ${trigger.contract.path}`;
  if (trigger.kind !== 'route') return name;
  return trigger.route === '$default' ? 'paths that do not exist' : trigger.route;
};
