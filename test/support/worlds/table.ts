import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { clientSettings } from '#shared/platform/aws-client.ts';
import { inBatches } from '#shared/platform/kernel/batches.ts';
import { type DocumentClients, documentClients } from '#shared/platform/table/document-client.ts';
import { type Item, TABLE_LIMITS, type Table } from '#shared/platform/table/table.ts';

/** Few, since a sweep looks into each: more than one, so that what holds of shards is tested. */
const DUE_SHARDS = 2;

/** Milliseconds that a call may take: longer than it takes on a busy machine. Our own limits are tested through fault proxies. */
export const PATIENCE = 60_000;

/**
 * Clients of the DynamoDB emulator of this test run, or of another endpoint that speaks its protocol. A call of them takes `answerMs` milliseconds
 * at most.
 */
export const clientsAt = (endpoint: string | undefined, answerMs = PATIENCE): DocumentClients => {
  const limits = { ...TABLE_LIMITS, answerMs };
  const requestHandler = { ...clientSettings(limits).requestHandler, connectionTimeout: answerMs };
  return documentClients(limits, { requestHandler, ...(endpoint && { endpoint }) });
};

/** A table behind its clients. */
export const tableOf = (name: string, clients: DocumentClients, unreadable: Table['unreadable'] = () => {}): Table => ({
  ...clients,
  name,
  dueShards: DUE_SHARDS,
  unreadable,
});

/** A table at an endpoint: the emulator, or a fault proxy in front of it. A call takes as long as ours may, unless a test says otherwise. */
export const tableAt = (
  name: string,
  endpoint: string | undefined,
  unreadable?: Table['unreadable'],
  answerMs: number = TABLE_LIMITS.answerMs,
): Table => tableOf(name, clientsAt(endpoint, answerMs), unreadable);

/** The most items of one BatchWriteItem call. */
const BATCH = 25;
/** How many calls run at once. */
const CALLS_AT_ONCE = 20;

/** Writes whole items without any condition, in as few calls as possible; for set-up only. */
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
