import type * as z from 'zod/mini';
import { KEYS_VARIABLES } from '#infra/constructs/names.ts';
import type { FunctionSpec } from '#infra/function-spec.ts';
import type { MONEY } from '#infra/lanes.ts';
import { listRights } from '#infra/table-rights.ts';
import type { Lane } from '#shared/webhooks/domain/delivery.ts';
import type { AwsCall } from './recorder.ts';

/** What the manifest says that a function may do: its actions, on each key family, and the queues that it may send to. */
interface Grants {
  readonly actions: readonly string[];
  readonly lanes: readonly string[];
}

/** The variable that names a queue to a function; one names all queues of money work. */
const QUEUE_VARIABLE: Record<Lane | typeof MONEY | 'codes', string> = {
  first: 'FIRST_QUEUE_URL',
  retry: 'RETRY_QUEUE_URL',
  slow: 'SLOW_QUEUE_URL',
  test: 'TEST_QUEUE_URL',
  codes: 'CODE_QUEUE_URL',
  money: 'MONEY_QUEUES_URL',
};

/** The variables that name secrets to a function. */
const SECRETS = ['PROVIDERS', ...KEYS_VARIABLES];

/** A function whose environment names providers or keys reads their secrets; one whose environment names a queue uses it (env.ts of its capability). */
const grantsOf = ({ table, queue, env }: Pick<FunctionSpec, 'table' | 'queue' | 'env'>): Grants => {
  const variables = (env as z.ZodMiniObject).shape;
  return {
    actions: [
      ...listRights({ table }).flatMap(([action, families]) =>
        families.map((family) => `dynamodb:${action} on ${family}`),
      ),
      ...queue.map((action) => `sqs:${action}`),
      ...('MAIL_FROM' in variables ? ['ses:SendEmail'] : []),
      ...(SECRETS.some((variable) => variable in variables) ? ['secretsmanager:GetSecretValue'] : []),
    ],
    lanes: Object.entries(QUEUE_VARIABLE).flatMap(([lane, variable]) => (variable in variables ? [lane] : [])),
  };
};

const without = (all: readonly string[], some: readonly string[]): string[] =>
  [...new Set(all)].filter((one) => !some.includes(one)).sort();

type Spec = Pick<FunctionSpec, 'name' | 'table' | 'queue' | 'env'>;
/** The lane of a queue by its URL, `money` for each queue of money work; the URL itself for a queue that is none of the stage's. */
export type LaneOf = (queueUrl: string) => string;

const lanesOf = (calls: readonly AwsCall[], laneOf: LaneOf): string[] =>
  calls.flatMap(({ queueUrl }) => (queueUrl === undefined ? [] : [laneOf(queueUrl)]));

/** What a function did in these calls that its role does not allow, a sentence each. */
export const beyondRole = (spec: Spec, calls: readonly AwsCall[], laneOf: LaneOf): readonly string[] => {
  const granted = grantsOf(spec);
  const actions = calls.flatMap((call) => call.actions);
  return [
    ...without(actions, granted.actions).map((one) => `${spec.name} makes ${one}, but its role does not allow it.`),
    ...without(lanesOf(calls, laneOf), granted.lanes).map(
      (lane) => `${spec.name} uses the ${lane} queue, but its environment does not name it.`,
    ),
  ];
};

/**
 * What the role of a function allows and these calls, which are all that it ever makes, do not use, a sentence each. What an event
 * source does (receive and delete messages) is Lambda's own and not among the calls.
 */
const unusedOf = (spec: Spec, calls: readonly AwsCall[], laneOf: LaneOf): readonly string[] => {
  const granted = grantsOf(spec);
  const actions = calls.flatMap((call) => call.actions);
  return [
    ...without(granted.actions, actions).map((action) => `${spec.name} may make ${action}, but it never does.`),
    ...without(granted.lanes, lanesOf(calls, laneOf)).map(
      (lane) => `${spec.name} has the ${lane} queue in its environment, but it never uses it.`,
    ),
  ];
};

/** The differences between a function's permissions and the calls that it made, of all these calls, a sentence each. */
export const deviationsOf = (spec: Spec, calls: readonly AwsCall[], laneOf: LaneOf): readonly string[] => {
  const own = calls.filter(({ caller }) => caller === spec.name);
  return [...beyondRole(spec, own, laneOf), ...unusedOf(spec, own, laneOf)];
};
