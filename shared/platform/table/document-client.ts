import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type CallLimits, clientSettings, reportUnavailable } from '#shared/platform/aws-client.ts';

/** Makes a document client. A failed call throws DependencyUnavailable if a later call may succeed, and otherwise the SDK's error. */
export const documentClient = (limits: CallLimits, config: DynamoDBClientConfig = {}): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(reportUnavailable(new DynamoDBClient({ ...clientSettings(limits), ...config })), {
    marshallOptions: { removeUndefinedValues: true },
  });

/** The clients of one table. */
export interface DocumentClients {
  readonly client: DynamoDBDocumentClient;
  /** Makes one attempt, for writes that count with ADD: a repeat after a lost answer would count twice. */
  readonly withoutRetry: DynamoDBDocumentClient;
}

/** Makes the clients of a table. They open no connection before the first call. */
export const documentClients = (limits: CallLimits, config: DynamoDBClientConfig = {}): DocumentClients => ({
  client: documentClient(limits, config),
  withoutRetry: documentClient({ ...limits, maxAttempts: 1 }, config),
});
