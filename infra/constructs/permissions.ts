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

/** The resources that functions of a stage may get access to. */
export interface AccessibleResources {
  readonly table: { readonly tableArn: string; readonly tableName: string };
  readonly queues: Readonly<Record<QueueLane, IQueue>>;
  /** For the dashboard: the queue of codes, the sender's address, and the ARNs that a permission to send mail must name. */
  readonly mail?: { readonly queue: IQueue; readonly from: string; readonly sendingArns: readonly string[] };
  /** ARNs of the secrets that hold keys. Each is found by the environment variable whose value is the secret's name. */
  readonly keys: Readonly<Record<KeysVariable, string>>;
  /** ARNs of the enabled providers' secrets. */
  readonly providerSecrets: readonly string[];
}

/** Actions that Lambda itself needs to read a queue for a function (AWS: "Configuring the execution role", Lambda with SQS). */
const CONSUMER_ACTIONS = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

const allow = (
  actions: readonly string[],
  resources: readonly string[],
  conditions: Conditions = {},
): PolicyStatement[] =>
  actions.length === 0 || resources.length === 0
    ? []
    : [new PolicyStatement({ actions: [...actions], resources: [...resources], conditions })];

/** Returns the ARN of the table, or of the index that `action` names, as in `Query gsi1`. For an index, conditions compare its partition keys. */
const toResourceArn = (action: TableAction, { tableArn }: AccessibleResources['table']): string => {
  const [, index] = action.split(' ');
  return index === undefined ? tableArn : `${tableArn}/index/${index}`;
};

/** The key families that an action may use. `attributes`: the only attributes that an update may change; undefined: all attributes. */
interface TableRight {
  readonly action: TableAction;
  readonly families: readonly string[];
  readonly attributes?: readonly string[] | undefined;
}

const findUpdatedAttributes = (family: string): readonly string[] | undefined =>
  (UPDATED_ATTRIBUTES as Readonly<Record<string, readonly string[]>>)[family];

/**
 * Lists a function's rights on the table. The right to update is split into one right for each list of attributes that may change. An update has
 * only one key, so a single one of these rights allows it.
 */
const listTableRights = (spec: FunctionSpec): TableRight[] =>
  listRights(spec).flatMap(([action, families]): TableRight[] =>
    action === 'UpdateItem'
      ? [...Map.groupBy(families, findUpdatedAttributes)].map(([attributes, group]) => ({
          action,
          families: group,
          attributes,
        }))
      : [{ action, families }],
  );

/**
 * Makes one statement for all actions that may use the same families of the same resource (the table or an index). For each resource, an
 * action is in one statement only: a batch may have keys of several families, and one statement must allow all of them. Updates are the
 * exception: they may be in several statements (`listTableRights`).
 */
const tableStatements = (spec: FunctionSpec, { table }: AccessibleResources): PolicyStatement[] => {
  const groups = Map.groupBy(listTableRights(spec), ({ action, families, attributes = [] }) =>
    [toResourceArn(action, table), ...attributes, ...[...families].sort()].join(' '),
  );
  return [...groups.values()].flatMap((rights) => {
    const [{ action, families, attributes }] = rights as [TableRight];
    const actions = rights.map((right) => `dynamodb:${right.action.split(' ')[0]}`);
    return allow(actions, [toResourceArn(action, table)], {
      ...familyCondition([...families].sort()),
      ...(attributes && attributeCondition(attributes)),
    });
  });
};

/** Lists the queues whose URLs a function gets as environment variables. */
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

/** Allows a function to send mail, only from the stage's sender. */
const mailStatements = (spec: FunctionSpec, { mail }: AccessibleResources): PolicyStatement[] =>
  mail && variableNames(spec).includes('MAIL_FROM')
    ? allow(['ses:SendEmail'], mail.sendingArns, { StringEquals: { 'ses:FromAddress': mail.from } })
    : [];

/** Whether a function gets the environment variable `variable`, which names a secret with keys. */
const getsKeys = (spec: FunctionSpec, variable: KeysVariable): boolean => variableNames(spec).includes(variable);

const secretStatements = (spec: FunctionSpec, { keys, providerSecrets }: AccessibleResources): PolicyStatement[] =>
  allow(
    ['secretsmanager:GetSecretValue'],
    [
      ...KEYS_VARIABLES.filter((variable) => getsKeys(spec, variable)).map((variable) => keys[variable]),
      ...(knowsProviders(spec) ? providerSecrets : []),
    ],
  );

/** Allows a function to write its log. The ARN of a log group ends in `:*`, which stands for its streams. */
const logStatements = (logs: ILogGroup): PolicyStatement[] =>
  allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [logs.logGroupArn]);

/** Makes a function's role. It allows only the manifest's actions on the function's key families, queues and secrets, and its own log. */
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
    description: `Permissions of the function ${spec.name}.`,
    inlinePolicies: { own: new PolicyDocument({ statements }) },
  });
};
