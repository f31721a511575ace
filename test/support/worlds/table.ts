import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { inBatches } from '#shared/platform/kernel/batches.ts';
import { type DocumentClients, documentClients } from '#shared/platform/table/document-client.ts';
import { type Item, TABLE_LIMITS, type Table } from '#shared/platform/table/table.ts';

/** Few, since a sweep looks into each: more than one, so that what holds of shards is tested. */
const DUE_SHARDS = 2;

/** Clients of the DynamoDB engine of this test run, or of another endpoint that speaks its protocol, with its access key id. */
export const clientsAt = (endpoint: string | undefined, accessKeyId?: string): DocumentClients => {
  const credentials = accessKeyId === undefined ? undefined : { accessKeyId, secretAccessKey: 'local' };
  return documentClients(TABLE_LIMITS, { ...(endpoint && { endpoint }), ...(credentials && { credentials }) });
};

/** A table behind its clients. */
export const tableOf = (name: string, clients: DocumentClients, unreadable: Table['unreadable'] = () => {}): Table => ({
  ...clients,
  name,
  dueShards: DUE_SHARDS,
  unreadable,
});

/** A table at an endpoint: the engine, or a fault proxy in front of it. */
export const tableAt = (name: string, endpoint: string | undefined, unreadable?: Table['unreadable']): Table =>
  tableOf(name, clientsAt(endpoint), unreadable);

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
        if (Object.keys(UnprocessedItems).length > 0) throw new Error('The engine left items unwritten.');
      }),
    );
  }
};
