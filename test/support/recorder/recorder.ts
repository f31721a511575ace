import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { beyondAttributes, namedFamilies, queriedFamily, type TableInput } from './families.ts';

/** One request to AWS, by the permissions that it takes. */
export interface AwsCall {
  /** The function that made it. */
  readonly caller: string;
  /** As IAM names them, on the key family that they touch: `dynamodb:PutItem on CHK#*`. Several for a transaction or a batch. */
  readonly actions: readonly string[];
  /** The queue that it is about. */
  readonly queueUrl: string | undefined;
}

/** Publishes every HTTP request of this process, the SDK's among them, as it is made, in the context of whoever makes it. */
const CHANNEL = 'http.client.request.created';

/** The services that the functions may call, by the prefix of the SDK's x-amz-target header. */
const SERVICES: Readonly<Record<string, string>> = {
  DynamoDB_20120810: 'dynamodb',
  AmazonSQS: 'sqs',
  secretsmanager: 'secretsmanager',
};

/** IAM knows the members of a transaction, not the transaction (DynamoDB developer guide, "Using IAM with DynamoDB transactions"). */
const MEMBERS: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
  Get: 'GetItem',
};

/** Operations that go by the permission of another one. */
const PERMISSIONS: Readonly<Record<string, string>> = {
  SendMessageBatch: 'SendMessage',
  DeleteMessageBatch: 'DeleteMessage',
  ChangeMessageVisibilityBatch: 'ChangeMessageVisibility',
};

interface Input extends TableInput {
  readonly QueueUrl?: string;
}

const onFamilies = (action: string, families: readonly string[]): string[] =>
  families.length === 0 ? [action] : families.map((family) => `${action} on ${family}`);

/** The members of a transaction and the items of a batch each touch a family of their own. */
const actionsOf = (operation: string, input: Input): string[] => {
  if (operation === 'Query') {
    const action = ['Query', ...(input.IndexName === undefined ? [] : [input.IndexName])].join(' ');
    return onFamilies(action, [queriedFamily(input)]);
  }
  if (input.TransactItems === undefined) {
    return onFamilies(`${PERMISSIONS[operation] ?? operation}${beyondAttributes(input)}`, namedFamilies(input));
  }
  return input.TransactItems.flatMap(Object.entries).flatMap(([member, of]) =>
    onFamilies(`${MEMBERS[member] ?? `${operation} of ${member}`}${beyondAttributes(of)}`, namedFamilies(of)),
  );
};

/** What a request to AWS does; one without a target (S3, say) is named by its host, so that it cannot go unseen. */
const callOf = (caller: string, request: ClientRequest, body: string): AwsCall => {
  if (request.path.endsWith('/v2/email/outbound-emails')) {
    return { caller, actions: ['ses:SendEmail'], queueUrl: undefined };
  }
  const [prefix = '', operation = ''] = String(request.getHeader('x-amz-target') ?? '').split('.');
  if (operation === '') return { caller, actions: [`${request.host}:${request.method}`], queueUrl: undefined };
  const input = JSON.parse(body) as Input;
  const actions = actionsOf(operation, input).map((action) => `${SERVICES[prefix] ?? prefix}:${action}`);
  return { caller, actions: [...new Set(actions)], queueUrl: input.QueueUrl };
};

const isAws = (request: ClientRequest): boolean => String(request.getHeader('authorization')).startsWith('AWS4-');

/**
 * Tells, from the wire, what functions ask of AWS, whichever client they use. What runs outside of `during`, such as a test's own
 * look into the table, is no function's and is left out.
 */
export const startRecorder = (record: (call: AwsCall) => void) => {
  const callers = new AsyncLocalStorage<string>();

  const listen = (message: unknown): void => {
    const { request } = message as { request: ClientRequest };
    const caller = callers.getStore();
    if (caller === undefined || !isAws(request)) return;
    // The SDK hands over the whole body at the end.
    const end = request.end.bind(request) as (...rest: unknown[]) => ClientRequest;
    request.end = ((...rest: unknown[]) => {
      record(callOf(caller, request, String(rest[0])));
      return end(...rest);
    }) as typeof request.end;
  };
  subscribe(CHANNEL, listen);

  return {
    /** Who runs, for callers that record it in their own way. */
    callers,
    /** Does a function's work under its name, and whatever that leaves running. */
    during: <T>(caller: string, work: () => T): T => callers.run(caller, work),
    stop: (): void => {
      unsubscribe(CHANNEL, listen);
    },
  };
};
