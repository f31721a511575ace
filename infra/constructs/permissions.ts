import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { FunctionSpec } from '#infra/function-spec.ts';
import { MONEY_LANES, type QueueLane } from '#infra/lanes.ts';
import { attributeCondition, type Conditions, familyCondition } from '#infra/role-conditions.ts';
import { listRights, type TableAction } from '#infra/table-rights.ts';
import { UPDATED_ATTRIBUTES } from '#shared/platform/table/families.ts';
import { LANES } from '#shared/webhooks/domain/delivery.ts';
import { knowsProviders, variableNames } from './environment.ts';
import { KEYS_VARIABLES, type KeysVariable } from './names.ts';

/** The resources that the functions of a stage may be given access to. */
export interface AccessibleResources {
  readonly table: { readonly tableArn: string; readonly tableName: string };
  readonly queues: Readonly<Record<QueueLane, IQueue>>;
  /** The dashboard's: the queue of codes, the sender, and what SES asks a right on for each mail of it. */
  readonly mail?: { readonly queue: IQueue; readonly from: string; readonly sendingArns: readonly string[] };
  /** ARNs of the secrets of keys, by the variable that names them to a function. */
  readonly keys: Readonly<Record<KeysVariable, string>>;
  /** ARNs of the secrets of the providers that are enabled. */
  readonly providerSecrets: readonly string[];
}

/** What Lambda itself does on a function's behalf when a queue calls it (AWS: "Configuring the execution role", Lambda with SQS). */
const CONSUMER_ACTIONS = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

const allow = (
  actions: readonly string[],
  resources: readonly string[],
  conditions: Conditions = {},
): PolicyStatement[] =>
  actions.length === 0 || resources.length === 0
    ? []
    : [new PolicyStatement({ actions: [...actions], resources: [...resources], conditions })];

/** On the table, or on the index whose name follows an action. The partition keys that are compared are then the index's own. */
const toResourceArn = (action: TableAction, { tableArn }: AccessibleResources['table']): string => {
  const [, index] = action.split(' ');
  return index === undefined ? tableArn : `${tableArn}/index/${index}`;
};

/** What an action may touch: families, of some of which an update may change few attributes. */
interface Reach {
  readonly action: TableAction;
  readonly families: readonly string[];
  readonly attributes?: readonly string[] | undefined;
}

const updatedAttributes = (family: string): readonly string[] | undefined =>
  (UPDATED_ATTRIBUTES as Readonly<Record<string, readonly string[]>>)[family];

/** An update names one item, so its families may be in several statements. */
const listReaches = (spec: FunctionSpec): Reach[] =>
  listRights(spec).flatMap(([action, families]): Reach[] =>
    action === 'UpdateItem'
      ? [...Map.groupBy(families, updatedAttributes)].map(([attributes, group]) => ({
          action,
          families: group,
          attributes,
        }))
      : [{ action, families }],
  );

/**
 * One statement for all actions on the same families. But for updates, an action is in no second one of a resource, since a batch may
 * name keys of all its families, and a single statement must allow all of them.
 */
const tableStatements = (spec: FunctionSpec, { table }: AccessibleResources): PolicyStatement[] => {
  const alike = Map.groupBy(listReaches(spec), ({ action, families, attributes = [] }) =>
    [toResourceArn(action, table), ...attributes, ...[...families].sort()].join(' '),
  );
  return [...alike.values()].flatMap((reaches) => {
    const [{ action, families, attributes }] = reaches as [Reach];
    const actions = reaches.map((reach) => `dynamodb:${reach.action.split(' ')[0]}`);
    return allow(actions, [toResourceArn(action, table)], {
      ...familyCondition([...families].sort()),
      ...(attributes && attributeCondition(attributes)),
    });
  });
};

/** The queues whose URLs a function gets as environment variables. */
const listQueues = (spec: FunctionSpec, { queues, mail }: AccessibleResources): IQueue[] => [
  ...LANES.filter((lane) => variableNames(spec).includes(`${lane.toUpperCase()}_QUEUE_URL`)).map(
    (lane) => queues[lane],
  ),
  ...(variableNames(spec).includes('MONEY_QUEUES_URL') ? MONEY_LANES.map((lane) => queues[lane]) : []),
  ...(mail && variableNames(spec).includes('CODE_QUEUE_URL') ? [mail.queue] : []),
];

const queueStatements = (spec: FunctionSpec, resources: AccessibleResources): PolicyStatement[] => [
  ...allow(
    spec.queue.map((action) => `sqs:${action}`),
    listQueues(spec, resources).map(({ queueArn }) => queueArn),
  ),
  ...(spec.trigger.kind === 'queue'
    ? allow(
        CONSUMER_ACTIONS,
        spec.trigger.lanes.map((lane) => resources.queues[lane].queueArn),
      )
    : []),
  ...(spec.trigger.kind === 'mails' && resources.mail ? allow(CONSUMER_ACTIONS, [resources.mail.queue.queueArn]) : []),
];

/** Whatever the mail touches, it has this sender. */
const mailStatements = (spec: FunctionSpec, { mail }: AccessibleResources): PolicyStatement[] =>
  mail && variableNames(spec).includes('MAIL_FROM')
    ? allow(['ses:SendEmail'], mail.sendingArns, { StringEquals: { 'ses:FromAddress': mail.from } })
    : [];

/** Whether the environment of a function names these keys. */
const knowsKeys = (spec: FunctionSpec, variable: KeysVariable): boolean => variableNames(spec).includes(variable);

const secretStatements = (spec: FunctionSpec, { keys, providerSecrets }: AccessibleResources): PolicyStatement[] =>
  allow(
    ['secretsmanager:GetSecretValue'],
    [
      ...KEYS_VARIABLES.filter((variable) => knowsKeys(spec, variable)).map((variable) => keys[variable]),
      ...(knowsProviders(spec) ? providerSecrets : []),
    ],
  );

/** A log group's ARN ends in `:*`: its streams, whose names Lambda makes up. */
const logStatements = (logs: ILogGroup): PolicyStatement[] =>
  allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [logs.logGroupArn]);

/** A function's own role: the manifest's actions on exactly what it reaches, key family by key family, its own log, and nothing else. */
export const makeRole = (
  scope: Construct,
  spec: FunctionSpec,
  resources: AccessibleResources,
  logs: ILogGroup,
): Role => {
  const statements = [
    ...logStatements(logs),
    ...tableStatements(spec, resources),
    ...queueStatements(spec, resources),
    ...secretStatements(spec, resources),
    ...mailStatements(spec, resources),
  ];
  return new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    description: `What ${spec.name} may do.`,
    inlinePolicies: { own: new PolicyDocument({ statements }) },
  });
};
