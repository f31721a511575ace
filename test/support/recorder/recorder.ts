import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { describeForbidden, findQueriedFamily, listNamedFamilies, type TableInput } from './families.ts';

/** One request to AWS, with the permissions that it needs. */
export interface AwsCall {
  /** The function that made the request. */
  readonly caller: string;
  /** IAM's names with the key family: `dynamodb:PutItem on CHK#*`. Several for a transaction or a batch. */
  readonly actions: readonly string[];
  /** The queue of the request. */
  readonly queueUrl: string | undefined;
}

/** Node's channel that publishes every HTTP request of this process (the SDK's, too) when it is made, in the context of its caller. */
const CHANNEL = 'http.client.request.created';

/** The services that functions may call, by the prefix of the SDK's x-amz-target header. */
const SERVICES: Readonly<Record<string, string>> = {
  DynamoDB_20120810: 'dynamodb',
  AmazonSQS: 'sqs',
  secretsmanager: 'secretsmanager',
};

/** The IAM action of each member of a transaction (DynamoDB developer guide, "Using IAM with DynamoDB transactions"). */
const MEMBERS: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
  Get: 'GetItem',
};

/** Operations that need the permission of another operation. */
const PERMISSIONS: Readonly<Record<string, string>> = {
  SendMessageBatch: 'SendMessage',
  DeleteMessageBatch: 'DeleteMessage',
  ChangeMessageVisibilityBatch: 'ChangeMessageVisibility',
};

interface Input extends TableInput {
  readonly QueueUrl?: string;
}

const addFamilies = (action: string, families: readonly string[]): string[] =>
  families.length === 0 ? [action] : families.map((family) => `${action} on ${family}`);

/** Lists the actions of a request. Each member of a transaction and each item of a batch has a family of its own. */
const listActions = (operation: string, input: Input): string[] => {
  if (operation === 'Query') {
    const action = ['Query', ...(input.IndexName === undefined ? [] : [input.IndexName])].join(' ');
    return addFamilies(action, [findQueriedFamily(input)]);
  }
  if (input.TransactItems === undefined) {
    return addFamilies(`${PERMISSIONS[operation] ?? operation}${describeForbidden(input)}`, listNamedFamilies(input));
  }
  return input.TransactItems.flatMap(Object.entries).flatMap(([member, operationInput]) =>
    addFamilies(
      `${MEMBERS[member] ?? `${operation} of ${member}`}${describeForbidden(operationInput)}`,
      listNamedFamilies(operationInput),
    ),
  );
};

/** Reads a request to AWS. A request without a target, such as S3's, is named by its host, so that it is noticed. */
const readCall = (caller: string, request: ClientRequest, body: string): AwsCall => {
  if (request.path.endsWith('/v2/email/outbound-emails')) {
    return { caller, actions: ['ses:SendEmail'], queueUrl: undefined };
  }
  const [prefix = '', operation = ''] = String(request.getHeader('x-amz-target') ?? '').split('.');
  if (operation === '') return { caller, actions: [`${request.host}:${request.method}`], queueUrl: undefined };
  const input = JSON.parse(body) as Input;
  const actions = listActions(operation, input).map((action) => `${SERVICES[prefix] ?? prefix}:${action}`);
  return { caller, actions: [...new Set(actions)], queueUrl: input.QueueUrl };
};

const isAws = (request: ClientRequest): boolean => String(request.getHeader('authorization')).startsWith('AWS4-');

/**
 * Records the functions' requests to AWS from the wire, whatever client they use. Requests outside of `during`, such as a test's own look
 * into the table, belong to no function and are left out.
 */
export const startRecorder = (record: (call: AwsCall) => void) => {
  const callers = new AsyncLocalStorage<string>();

  const listen = (message: unknown): void => {
    const { request } = message as { request: ClientRequest };
    const caller = callers.getStore();
    if (caller === undefined || !isAws(request)) return;
    // The SDK passes the whole body to `end`.
    const end = request.end.bind(request) as (...rest: unknown[]) => ClientRequest;
    request.end = ((...rest: unknown[]) => {
      record(readCall(caller, request, String(rest[0])));
      return end(...rest);
    }) as typeof request.end;
  };
  subscribe(CHANNEL, listen);

  return {
    /** The running functions, for callers that record them in their own way. */
    callers,
    /** Runs a function's work under its name, including everything that it leaves running. */
    during: <T>(caller: string, work: () => T): T => callers.run(caller, work),
    stop: (): void => {
      unsubscribe(CHANNEL, listen);
    },
  };
};
