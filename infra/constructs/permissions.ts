import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { FunctionSpec, Lane } from '#infra/functions.ts';
import { TABLE } from '#infra/table.ts';
import { LANES } from './delivery-queue.ts';
import { knowsProviders, variableNames } from './environment.ts';

/** The resources that the functions of a stage may be given access to. */
export interface AccessibleResources {
  readonly table: { readonly tableArn: string; readonly tableName: string };
  readonly queues: Readonly<Record<Lane, IQueue>>;
  /** ARNs of the secrets of the providers that are enabled. */
  readonly providerSecrets: readonly string[];
}

/** What Lambda itself does on a function's behalf when a queue calls it (AWS: "Configuring the execution role", Lambda with SQS). */
const CONSUMER_ACTIONS = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

const allow = (actions: readonly string[], resources: readonly string[]): PolicyStatement[] =>
  actions.length === 0 || resources.length === 0
    ? []
    : [new PolicyStatement({ actions: [...actions], resources: [...resources] })];

/** Of all that a function does, only a query goes to an index, and names it. */
const tableStatements = (spec: FunctionSpec, { table }: AccessibleResources): PolicyStatement[] => {
  const onTable = spec.table.filter((action) => !action.includes(' '));
  const indexes = TABLE.indexes.filter(({ name }) => spec.table.some((action) => action === `Query ${name}`));
  return [
    ...allow(
      onTable.map((action) => `dynamodb:${action}`),
      [table.tableArn],
    ),
    ...allow(
      ['dynamodb:Query'],
      indexes.map(({ name }) => `${table.tableArn}/index/${name}`),
    ),
  ];
};

/** The queues whose URLs a function gets as environment variables. */
const queuesOf = (spec: FunctionSpec, { queues }: AccessibleResources): IQueue[] =>
  LANES.filter((lane) => variableNames(spec).includes(`${lane.toUpperCase()}_QUEUE_URL`)).map((lane) => queues[lane]);

const queueStatements = (spec: FunctionSpec, resources: AccessibleResources): PolicyStatement[] => [
  ...allow(
    spec.queue.map((action) => `sqs:${action}`),
    queuesOf(spec, resources).map(({ queueArn }) => queueArn),
  ),
  ...(spec.trigger.kind === 'queue'
    ? allow(
        CONSUMER_ACTIONS,
        spec.trigger.lanes.map((lane) => resources.queues[lane].queueArn),
      )
    : []),
];

const secretStatements = (spec: FunctionSpec, { providerSecrets }: AccessibleResources): PolicyStatement[] =>
  knowsProviders(spec) ? allow(['secretsmanager:GetSecretValue'], providerSecrets) : [];

/** A log group's ARN ends in `:*`: its streams, whose names Lambda makes up. */
const logStatements = (logs: ILogGroup): PolicyStatement[] =>
  allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [logs.logGroupArn]);

/** A function's own role: the manifest's actions on exactly what it reaches, its own log, and nothing else. */
export const roleOf = (scope: Construct, spec: FunctionSpec, resources: AccessibleResources, logs: ILogGroup): Role => {
  const statements = [
    ...logStatements(logs),
    ...tableStatements(spec, resources),
    ...queueStatements(spec, resources),
    ...secretStatements(spec, resources),
  ];
  return new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    description: `What ${spec.name} may do.`,
    inlinePolicies: { own: new PolicyDocument({ statements }) },
  });
};
