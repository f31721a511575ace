import type * as z from 'zod/mini';
import { KEYS_VARIABLES } from '#infra/constructs/names.ts';
import type { FunctionSpec } from '#infra/function-spec.ts';
import type { MONEY_PREFIX } from '#infra/lanes.ts';
import { listRights } from '#infra/table-rights.ts';
import type { Lane } from '#shared/webhooks/domain/delivery.ts';
import type { AwsCall } from './recorder.ts';

/** The permissions that the manifest gives a function: actions on key families, and queues for sending. */
interface Grants {
  readonly actions: readonly string[];
  readonly lanes: readonly string[];
}

/** The variable with the URL of a queue. All queues of money work share one variable. */
const QUEUE_VARIABLE: Record<Lane | typeof MONEY_PREFIX | 'codes', string> = {
  first: 'FIRST_QUEUE_URL',
  retry: 'RETRY_QUEUE_URL',
  slow: 'SLOW_QUEUE_URL',
  test: 'TEST_QUEUE_URL',
  codes: 'CODE_QUEUE_URL',
  money: 'MONEY_QUEUES_URL',
};

/** The variables with the names of secrets. */
const SECRETS = ['PROVIDERS', ...KEYS_VARIABLES];

/** Derives the permissions. A function reads secrets if its environment (env.ts) names providers or keys, and uses each queue that it names. */
const listGrants = ({ table, queue, env }: Pick<FunctionSpec, 'table' | 'queue' | 'env'>): Grants => {
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

const without = (all: readonly string[], excluded: readonly string[]): string[] =>
  [...new Set(all)].filter((item) => !excluded.includes(item)).sort();

type Spec = Pick<FunctionSpec, 'name' | 'table' | 'queue' | 'env'>;
/** Finds the lane of a queue by its URL: `money` for all queues of money work, or the URL itself for an unknown queue. */
export type FindLane = (queueUrl: string) => string;

const listLanes = (calls: readonly AwsCall[], findLane: FindLane): string[] =>
  calls.flatMap(({ queueUrl }) => (queueUrl === undefined ? [] : [findLane(queueUrl)]));

/** Lists the calls of a function that its role does not allow, a sentence each. */
export const findForbidden = (spec: Spec, calls: readonly AwsCall[], findLane: FindLane): readonly string[] => {
  const granted = listGrants(spec);
  const actions = calls.flatMap((call) => call.actions);
  return [
    ...without(actions, granted.actions).map(
      (action) => `${spec.name} makes ${action}, but its role does not allow it.`,
    ),
    ...without(listLanes(calls, findLane), granted.lanes).map(
      (lane) => `${spec.name} uses the ${lane} queue, but its environment does not name it.`,
    ),
  ];
};

/**
 * Lists the permissions of a function that none of its calls uses, a sentence each. The calls must be complete. An event source's calls
 * (receive and delete messages) are Lambda's own and not included.
 */
const findUnused = (spec: Spec, calls: readonly AwsCall[], findLane: FindLane): readonly string[] => {
  const granted = listGrants(spec);
  const actions = calls.flatMap((call) => call.actions);
  return [
    ...without(granted.actions, actions).map((action) => `${spec.name} may make ${action}, but it never does.`),
    ...without(granted.lanes, listLanes(calls, findLane)).map(
      (lane) => `${spec.name} has the ${lane} queue in its environment, but it never uses it.`,
    ),
  ];
};

/** Lists the differences between a function's permissions and its calls, a sentence each. */
export const findDeviations = (spec: Spec, calls: readonly AwsCall[], findLane: FindLane): readonly string[] => {
  const ownCalls = calls.filter(({ caller }) => caller === spec.name);
  return [...findForbidden(spec, ownCalls, findLane), ...findUnused(spec, ownCalls, findLane)];
};
