import type * as z from 'zod';
import type { FunctionSpec, Lane } from '#infra/functions.ts';
import type { AwsCall } from './recorder.ts';

/** What the manifest says that a function may do: its actions, and the queues that it may send to. */
interface Grants {
  readonly actions: readonly string[];
  readonly lanes: readonly string[];
}

/** The variable that tells a function of a queue. */
const QUEUE_VARIABLE: Record<Lane, string> = {
  first: 'FIRST_QUEUE_URL',
  retry: 'RETRY_QUEUE_URL',
  slow: 'SLOW_QUEUE_URL',
};

/** A function that is told of providers reads their secrets, one that is told of a queue uses it (shared/env.ts). */
const grantsOf = ({ table, queue, env }: Pick<FunctionSpec, 'table' | 'queue' | 'env'>): Grants => {
  const told = (env as z.ZodObject).shape;
  return {
    actions: [
      ...table.map((action) => `dynamodb:${action}`),
      ...queue.map((action) => `sqs:${action}`),
      ...('PROVIDERS' in told ? ['secretsmanager:GetSecretValue'] : []),
    ],
    lanes: Object.entries(QUEUE_VARIABLE).flatMap(([lane, variable]) => (variable in told ? [lane] : [])),
  };
};

const without = (all: readonly string[], some: readonly string[]): string[] =>
  [...new Set(all)].filter((one) => !some.includes(one)).sort();

/**
 * Where the manifest and what a function was seen to do are not the same, a sentence each. `queueUrls` are the stage's. What an
 * event source does (receive and delete messages) is Lambda's own and not among the calls.
 */
export const deviationsOf = (
  spec: Pick<FunctionSpec, 'name' | 'table' | 'queue' | 'env'>,
  calls: readonly AwsCall[],
  queueUrls: Readonly<Record<Lane, string>>,
): readonly string[] => {
  const { name } = spec;
  const granted = grantsOf(spec);
  const made = calls.filter(({ caller }) => caller === name);
  const actions = made.flatMap((call) => call.actions);
  const laneOf = (url: string): string => Object.entries(queueUrls).find(([, known]) => known === url)?.[0] ?? url;
  const lanes = made.flatMap(({ queueUrl }) => (queueUrl === undefined ? [] : [laneOf(queueUrl)]));
  return [
    ...without(actions, granted.actions).map((action) => `${name} makes ${action}, but its role does not allow it.`),
    ...without(granted.actions, actions).map((action) => `${name} may make ${action}, but it never does.`),
    ...without(lanes, granted.lanes).map((lane) => `${name} uses the ${lane} queue, but it is not told of it.`),
    ...without(granted.lanes, lanes).map((lane) => `${name} is told of the ${lane} queue, but it never uses it.`),
  ];
};
