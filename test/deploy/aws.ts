import { ACCOUNT, type Emulator, REGION } from './emulator.ts';

/* The few calls for which this repository has no SDK client. The emulator reads service and region of a signature and does not check it. */

const signature = (service: string): string =>
  `AWS4-HMAC-SHA256 Credential=test/20260101/${REGION}/${service}/aws4_request, SignedHeaders=host, Signature=0`;

type Answer = Readonly<Record<string, unknown>>;

const read = async (response: Response): Promise<Answer> => {
  const text = await response.text();
  if (!response.ok) throw new Error(`The emulator answered ${response.status} to ${response.url}: ${text}`);
  return JSON.parse(text || 'null') as Answer;
};

const post = async ({ endpoint }: Emulator, service: string, target: string): Promise<Answer> =>
  read(
    await fetch(endpoint, {
      method: 'POST',
      headers: {
        authorization: signature(service),
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': target,
      },
      body: '{}',
    }),
  );

/** Lists the elements of an XML answer. Older services answer in XML. */
const listElements = async (
  { endpoint }: Emulator,
  service: string,
  action: string,
  version: string,
): Promise<Answer> => {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { authorization: signature(service), 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ Action: action, Version: version }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`The emulator answered ${response.status} to ${action}: ${text}`);
  return { elements: text.match(/<(Arn|TopicArn|AlarmArn|DashboardArn)>/g) ?? [] };
};

const get = async ({ endpoint }: Emulator, service: string, path: string): Promise<Answer> =>
  read(await fetch(`${endpoint}${path}`, { headers: { authorization: signature(service) } }));

/** Calls a function as its schedule does, and waits until it ends. @throws Error when the function fails. */
export const invoke = async ({ endpoint }: Emulator, functionName: string): Promise<void> => {
  const response = await fetch(`${endpoint}/2015-03-31/functions/${functionName}/invocations`, {
    method: 'POST',
    headers: { authorization: signature('lambda') },
    body: JSON.stringify({ 'detail-type': 'Scheduled Event', source: 'aws.events', account: ACCOUNT, region: REGION }),
  });
  const text = await response.text();
  if (response.status !== 200 || response.headers.has('x-amz-function-error')) {
    throw new Error(`The function ${functionName} failed: ${text}`);
  }
};

interface ResourceKind {
  readonly kind: string;
  readonly list: (emulator: Emulator) => Promise<Answer>;
  readonly field: string;
}

/** Every kind of resource that a deployed stage has. It has no KMS key: only topics of permanent stages are encrypted with one. */
const LISTS: readonly ResourceKind[] = [
  { kind: 'table', field: 'TableNames', list: (at) => post(at, 'dynamodb', 'DynamoDB_20120810.ListTables') },
  { kind: 'queue', field: 'QueueUrls', list: (at) => post(at, 'sqs', 'AmazonSQS.ListQueues') },
  { kind: 'secret', field: 'SecretList', list: (at) => post(at, 'secretsmanager', 'secretsmanager.ListSecrets') },
  { kind: 'log group', field: 'logGroups', list: (at) => post(at, 'logs', 'Logs_20140328.DescribeLogGroups') },
  { kind: 'rule', field: 'Rules', list: (at) => post(at, 'events', 'AWSEvents.ListRules') },
  { kind: 'function', field: 'Functions', list: (at) => get(at, 'lambda', '/2015-03-31/functions/') },
  {
    kind: 'event source',
    field: 'EventSourceMappings',
    list: (at) => get(at, 'lambda', '/2015-03-31/event-source-mappings/'),
  },
  { kind: 'API', field: 'items', list: (at) => get(at, 'apigateway', '/v2/apis') },
  { kind: 'role', field: 'elements', list: (at) => listElements(at, 'iam', 'ListRoles', '2010-05-08') },
  { kind: 'topic', field: 'elements', list: (at) => listElements(at, 'sns', 'ListTopics', '2010-03-31') },
  { kind: 'alarm', field: 'elements', list: (at) => listElements(at, 'monitoring', 'DescribeAlarms', '2010-08-01') },
  {
    kind: 'dashboard',
    field: 'elements',
    list: (at) => listElements(at, 'monitoring', 'ListDashboards', '2010-08-01'),
  },
];

/** Counts the resources of each kind, in the order of the kinds above. */
export const countResources = async (emulator: Emulator): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>();
  for (const { kind, list, field } of LISTS) {
    const answer = await list(emulator);
    // SQS leaves an empty list of queues out of its answer.
    const resources = answer[field] ?? [];
    if (!Array.isArray(resources))
      throw new Error(`The emulator's list for “${kind}” is not a list: ${JSON.stringify(answer)}`);
    counts.set(kind, resources.length);
  }
  return counts;
};
