import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { clientSettings } from '#shared/platform/aws-client.ts';
import { inBatches } from '#shared/platform/kernel/batches.ts';
import { type DocumentClients, documentClients } from '#shared/platform/table/document-client.ts';
import { type Item, TABLE_LIMITS, type Table } from '#shared/platform/table/table.ts';

/** The number of shards: few, because a sweep reads each; more than one, so that sharding is tested. */
const DUE_SHARDS = 2;

/** Milliseconds for a call: more than it takes on a busy machine. Tests with a fault proxy use our own limits. */
export const PATIENCE = 60_000;

/**
 * Makes clients of the run's DynamoDB emulator, or of another endpoint with its protocol. A call takes `answerMs` milliseconds at most.
 */
export const clientsAt = (endpoint: string | undefined, answerMs = PATIENCE): DocumentClients => {
  const limits = { ...TABLE_LIMITS, answerMs };
  const requestHandler = { ...clientSettings(limits).requestHandler, connectionTimeout: answerMs };
  return documentClients(limits, { requestHandler, ...(endpoint && { endpoint }) });
};

/** Makes a table from its name and clients. */
export const makeTable = (
  name: string,
  clients: DocumentClients,
  unreadable: Table['unreadable'] = () => {},
): Table => ({
  ...clients,
  name,
  dueShards: DUE_SHARDS,
  unreadable,
});

/** Opens a table at an endpoint: the emulator, or a fault proxy in front of it. Calls have our own time limit unless a test sets another limit. */
export const tableAt = (
  name: string,
  endpoint: string | undefined,
  unreadable?: Table['unreadable'],
  answerMs: number = TABLE_LIMITS.answerMs,
): Table => makeTable(name, clientsAt(endpoint, answerMs), unreadable);

/** The most items of one BatchWriteItem call. */
const BATCH = 25;
/** The number of calls at once. */
const CALLS_AT_ONCE = 20;

/** Writes whole items without conditions, in as few calls as possible. Only for set-up. */
export const putAll = async ({ client, name }: Table, items: readonly Item[]): Promise<void> => {
  for (const batches of inBatches(inBatches(items, BATCH), CALLS_AT_ONCE)) {
    await Promise.all(
      batches.map(async (batch) => {
        const RequestItems = { [name]: batch.map((Item) => ({ PutRequest: { Item } })) };
        const { UnprocessedItems = {} } = await client.send(new BatchWriteCommand({ RequestItems }));
        if (Object.keys(UnprocessedItems).length > 0) throw new Error('The emulator left items unwritten.');
      }),
    );
  }
};
