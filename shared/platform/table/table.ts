import { BatchGetCommand, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import { inBatches } from '#shared/platform/kernel/batches.ts';
import { DependencyUnavailable } from '#shared/platform/kernel/errors.ts';
import { log, writeLine } from '#shared/platform/observability/log.ts';
import { metricsTo } from '#shared/platform/observability/metrics.ts';
import type { Page, PageRequest } from '#shared/platform/ports.ts';
import { runtime } from '#shared/platform/runtime.ts';
import { type DocumentClients, documentClients } from './document-client.ts';
import type { Key } from './keys.ts';
import { type CountUnreadable, countUnreadable, readableItems } from './readable.ts';

export type Item = Record<string, unknown>;

/** The one table, connected. */
export interface Table extends DocumentClients {
  readonly name: string;
  readonly dueShards: number;
  /** Counts items that cannot be read (readable.ts). */
  readonly unreadable: CountUnreadable;
}

/**
 * The limits of a call: at most twelve seconds with the SDK's pauses, so that a function with a time-out of fifteen seconds can still answer
 * (test/infra/call-times.test.ts).
 */
export const TABLE_LIMITS = { answerMs: 3_000, maxAttempts: 3 };
/**
 * The most calls for one batch. A call may leave keys unread, and the next call reads them. The pauses between all calls take about a
 * second together.
 */
const BATCH_ROUNDS = 8;
/** The most items that BatchGetItem reads in one call. */
const BATCH = 100;

/** Connects to the table that the environment names. Opens no connection before the first call. Without a stage it records no metrics. */
export const connectTable = (env: { STAGE?: string; TABLE_NAME: string; DUE_SHARDS: number }): Table => ({
  ...documentClients(TABLE_LIMITS),
  name: env.TABLE_NAME,
  dueShards: env.DUE_SHARDS,
  unreadable: countUnreadable({
    log,
    metrics: env.STAGE === undefined ? () => {} : metricsTo(env.STAGE, writeLine, runtime.now),
  }),
});

/** Reads one item. With `mayLag` the read costs half, but may miss the last writes; otherwise it is consistent. */
export const getItem = async (table: Table, key: Key, { mayLag = false } = {}): Promise<Item | undefined> => {
  const { Item: item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: key, ConsistentRead: !mayLag }),
  );
  return item;
};

const formatKey = ({ pk, sk }: Key): string => `${pk} ${sk}`;

/** Returns the key of an item that DynamoDB returned. */
export const toKey = ({ pk, sk }: Item): Key => ({ pk: String(pk), sk: String(sk) });
/** Returns the key of an item, with its place on gsi1 if it has one. */
export const toIndexedKey = (item: Item) => ({ ...toKey(item), gsi1pk: item.gsi1pk, gsi1sk: item.gsi1sk });

/**
 * Reads any number of items, a hundred in a call, and returns them in the order of `keys`; a missing item is undefined. A key that is named
 * twice is read once. With `mayLag` the reads cost half, but may miss the last writes; otherwise they are consistent.
 * @throws the errors of DynamoDB's calls, and DependencyUnavailable if DynamoDB leaves keys unread in every round.
 */
export const getItems = async (
  table: Table,
  keys: readonly Key[],
  { mayLag = false } = {},
): Promise<(Item | undefined)[]> => {
  // DynamoDB refuses a call that names a key twice.
  const uniqueKeys = [...new Map(keys.map((key) => [formatKey(key), key])).values()];
  const items = (
    await Promise.all(inBatches(uniqueKeys, BATCH).map((batch) => getBatch(table, batch, !mayLag)))
  ).flat();
  const itemByKey = new Map(items.map((item) => [formatKey(toKey(item)), item]));
  return keys.map((key) => itemByKey.get(formatKey(key)));
};

/** Reads and parses items. Returns them in the order of `keys`, without missing and unreadable ones. */
export const getParsed = async <S extends z.ZodMiniType>(
  table: Table,
  schema: S,
  keys: readonly Key[],
): Promise<z.infer<S>[]> => readableItems(table, schema, await getItems(table, keys));

/** Reads at most a hundred items, in no order; missing ones are left out. */
const getBatch = async (table: Table, keys: readonly Key[], isConsistent: boolean): Promise<Item[]> => {
  const items: Item[] = [];
  let unread: Item[] = keys.map(({ pk, sk }) => ({ pk, sk }));
  for (let round = 0; unread.length > 0; round++) {
    if (round === BATCH_ROUNDS) throw new DependencyUnavailable('DynamoDB left keys of a batch unread.');
    // DynamoDB leaves keys unread if it is overloaded, so wait before the next round.
    if (round > 0) await runtime.pause(round);
    const { Responses, UnprocessedKeys } = await table.client.send(
      new BatchGetCommand({ RequestItems: { [table.name]: { Keys: unread, ConsistentRead: isConsistent } } }),
    );
    items.push(...(Responses?.[table.name] ?? []));
    unread = UnprocessedKeys?.[table.name]?.Keys ?? [];
  }
  return items;
};

/** The key of an item on a list, and its position there. */
export interface ListedKey extends Key {
  readonly position: string;
}

/** Reads one page of a partition, newest first unless `oldestFirst`. It reads keys alone, because the indexes hold nothing else. */
const readKeys = async (
  table: Table,
  list: { index?: string; partition: string; pkName: string; skName: string; oldestFirst?: boolean },
  { limit, after }: PageRequest,
): Promise<Page<ListedKey>> => {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: list.index,
      KeyConditionExpression: after === null ? '#pk = :pk' : '#pk = :pk AND #sk < :after',
      ExpressionAttributeNames: after === null ? { '#pk': list.pkName } : { '#pk': list.pkName, '#sk': list.skName },
      ExpressionAttributeValues: { ':pk': list.partition, ...(after !== null && { ':after': after }) },
      ScanIndexForward: list.oldestFirst ?? false,
      // One more than the limit shows whether there is another page.
      Limit: limit + 1,
    }),
  );
  const items = Items.slice(0, limit).map((item) => ({ ...toKey(item), position: String(item[list.skName]) }));
  return { items, next: Items.length > limit ? (items.at(-1)?.position ?? null) : null };
};

/** Reads one page of a list on gsi1, as keys alone. */
export const listKeys = (table: Table, partition: string, page: PageRequest): Promise<Page<ListedKey>> =>
  readKeys(table, { index: 'gsi1', partition, pkName: 'gsi1pk', skName: 'gsi1sk' }, page);

/** Reads one page of a partition of pointers, as keys alone. */
export const listPointers = (table: Table, partition: string, page: PageRequest): Promise<Page<ListedKey>> =>
  readKeys(table, { partition, pkName: 'pk', skName: 'sk' }, page);

/** Reads and parses the items of a page of keys. */
const readPage = async <S extends z.ZodMiniType>(
  table: Table,
  schema: S,
  { items, next }: Page<Key>,
): Promise<Page<z.infer<S>>> => {
  const loaded = await getItems(table, items);
  // A pointer may lead to an object that is still `opening`: no reader may see it yet.
  const visible = loaded.filter((item) => item !== undefined && item.status !== 'opening');
  return { items: readableItems(table, schema, visible), next };
};

/** Reads the oldest items of a list on gsi1, each by its key. */
export const listOldest = async <S extends z.ZodMiniType>(
  table: Table,
  schema: S,
  partition: string,
  limit: number,
): Promise<readonly z.infer<S>[]> => {
  const list = { index: 'gsi1', partition, pkName: 'gsi1pk', skName: 'gsi1sk', oldestFirst: true };
  return (await readPage(table, schema, await readKeys(table, list, { limit, after: null }))).items;
};

/** Reads one page of a list on gsi1, each item by its key. */
export const listItems = async <S extends z.ZodMiniType>(
  table: Table,
  schema: S,
  partition: string,
  page: PageRequest,
): Promise<Page<z.infer<S>>> => {
  return readPage(table, schema, await listKeys(table, partition, page));
};

/** Reads one page of the items that a partition of pointers names. `target` turns a pointer into the key that it points to. */
export const listPointed = async <S extends z.ZodMiniType>(
  table: Table,
  schema: S,
  partition: string,
  page: PageRequest,
  target: (pointer: Key) => Key,
): Promise<Page<z.infer<S>>> => {
  const keys = await listPointers(table, partition, page);
  return readPage(table, schema, { items: keys.items.map(target), next: keys.next });
};
