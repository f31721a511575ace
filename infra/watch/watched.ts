import { resourceName } from '#infra/constructs/names.ts';
import { DASHBOARD_FUNCTIONS } from '#infra/dashboard-functions.ts';
import type { FunctionSpec } from '#infra/function-spec.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import { isMoneyLane, type QueueLane } from '#infra/lanes.ts';
import { nameDeadLetterQueue } from '#infra/queues.ts';

/**
 * What is watched, by name. Functions and queues are named by stage and manifest, so they are not taken by reference: an export
 * of a function's name would keep the API's stack from ever dropping that function, since this stack still held on to it.
 */
export interface WatchedStage {
  readonly stage: string;
  /** The table that the functions work on. */
  readonly tableName: string;
  readonly apiId: string;
  /** Whether the stage has the dashboard of businesses. */
  readonly hasDashboard: boolean;
  /** The certificate of the API's own name, where it has one. */
  readonly certificateArn?: string | undefined;
}

/** A function of the stage. */
export const functionName = ({ stage }: WatchedStage, { name }: FunctionSpec): string => resourceName(stage, name);
/** The queue of codes for who signs in. */
export const codeQueueName = ({ stage }: WatchedStage): string => resourceName(stage, 'codes');
/** A queue of deliveries, or of a provider's money work. */
export const queueName = ({ stage }: WatchedStage, lane: QueueLane): string => resourceName(stage, lane);
/** Its dead letters. */
export const deadLetterQueueName = (watched: WatchedStage, lane: QueueLane): string =>
  nameDeadLetterQueue(queueName(watched, lane));

const doesMoneyWork = ({ trigger }: FunctionSpec): boolean =>
  trigger.kind === 'queue' && trigger.lanes.some(isMoneyLane);

const receivesNotifications = ({ trigger }: FunctionSpec): boolean =>
  trigger.kind === 'route' && trigger.route === 'POST /providers/{provider}/notifications';

/** The functions of the manifest by what depends on them. Each is in one of these. */
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
 * The functions of the dashboard without which nobody can sign in, or shut somebody out. An alarm takes ten metrics at most
 * (https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-limits.html).
 */
const ALARMING = [
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
export const ALARMING_DASHBOARD_FUNCTIONS = ALARMING.map((name) => {
  const spec = DASHBOARD_FUNCTIONS.find((candidate) => candidate.name === name);
  if (!spec) throw new Error(`The dashboard has no function ${name}.`);
  return spec;
});

/** What calls a function of the API, for a sentence. */
export const describeRoute = ({ name, trigger }: FunctionSpec): string => {
  if (trigger.kind === 'endpoint') return `${trigger.contract.method} ${trigger.contract.path}`;
  if (trigger.kind !== 'route') return name;
  return trigger.route === '$default' ? 'paths that do not exist' : trigger.route;
};
