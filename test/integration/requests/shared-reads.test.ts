import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { sharedReads } from '#shared/adapters/dynamodb/table/shared-reads.ts';
import { getItems } from '#shared/adapters/dynamodb/table/table.ts';
import { startMeter } from '#test/support/engines/meter.ts';
import { tableAt } from '#test/support/worlds/table.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

const keyOf = (n: number) => ({ pk: `EVT#${n}`, sk: 'EVT' });

describe('reads that share their calls', () => {
  let meter: Awaited<ReturnType<typeof startMeter>>;
  let table: World['table'];
  let read: ReturnType<typeof sharedReads>;
  beforeEach(async () => {
    meter = await startMeter(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
    const world = await makeWorld();
    table = tableAt(world.table.name, meter.endpoint);
    for (const n of [1, 2, 3]) {
      await world.table.client.send(new PutCommand({ TableName: table.name, Item: { ...keyOf(n), n } }));
    }
    read = sharedReads(table);
    meter.take();
  });
  afterEach(() => meter.stop());

  const calls = (): number => meter.take().BatchGetItem?.calls ?? 0;

  test('reads of one moment share a call, and each caller gets its items in its order', async () => {
    const found = await Promise.all([
      read([keyOf(1), keyOf(3)]),
      read([keyOf(3), keyOf(9), keyOf(1)]),
      read([]),
      read([keyOf(2), keyOf(2)]),
    ]);
    expect(found.map((items) => items.map((item) => item?.n))).toEqual([[1, 3], [3, undefined, 1], [], [2, 2]]);
    expect(calls()).toBe(1);
  });

  test('a later read makes a new call', async () => {
    await read([keyOf(1), keyOf(3)]);
    const [again, other] = await Promise.all([read([keyOf(1)]), read([keyOf(2)])]);
    expect([again[0]?.n, other[0]?.n]).toEqual([1, 2]);
    expect(calls()).toBe(2);
  });

  test('an item alone is read by a call for one', async () => {
    const [alone] = await read([keyOf(1)]);
    expect(alone?.n).toBe(1);
    expect(meter.take()).toMatchObject({ GetItem: { calls: 1 } });
  });

  test('more keys than a call can hold are read in several', async () => {
    const found = await Promise.all(Array.from({ length: 80 }, (_, n) => read([keyOf(n), keyOf(n + 1_000)])));
    expect(found.flatMap((items) => items.map((item) => item?.n)).filter((n) => n !== undefined)).toEqual([1, 2, 3]);
    expect(calls()).toBe(2);
  });

  test('a key that is named twice is read once, also beyond a hundred keys', async () => {
    const twice = [...Array(120).keys(), ...Array(120).keys()].map(keyOf);
    const found = await getItems(table, twice);
    expect(found).toHaveLength(240);
    const expected = [1, 2, 3, 121, 122, 123].map((i) => [i, i % 120]);
    expect(found.flatMap((item, i) => (item ? [[i, item.n]] : []))).toEqual(expected);
    expect(calls()).toBe(2);
  });

  /** Makes DynamoDB leave all keys of a batch unread, `times` times; returns when it was asked. */
  const leaveUnread = (times: number) => {
    const askedAt: number[] = [];
    meter.inject((operation, input) => {
      if (operation !== 'BatchGetItem' || askedAt.push(performance.now()) > times) return undefined;
      return { status: 200, body: { Responses: {}, UnprocessedKeys: input.RequestItems } };
    });
    return askedAt;
  };

  test('unread keys are read again, after a pause', async () => {
    const askedAt = leaveUnread(6);
    const [some, other] = await Promise.all([read([keyOf(1), keyOf(2)]), read([keyOf(3)])]);
    expect([...some, ...other].map((item) => item?.n)).toEqual([1, 2, 3]);
    expect(askedAt).toHaveLength(7);
    // Six random pauses of up to 20, 40, 80, 160, 320 and 400 ms: shorter in all once in a hundred thousand runs.
    expect(Math.max(...askedAt) - Math.min(...askedAt)).toBeGreaterThan(40);
  });

  test('keys that stay unread fail after eight calls', async () => {
    const askedAt = leaveUnread(Number.POSITIVE_INFINITY);
    await expect(read([keyOf(1), keyOf(2)])).rejects.toThrow('left keys of a batch unread');
    expect(askedAt).toHaveLength(8);
  });

  test('a key that stays unread fails only the callers that asked for it', async () => {
    meter.inject((operation, input) => {
      if (operation !== 'BatchGetItem') return undefined;
      const asked = (input.RequestItems as Record<string, { Keys: { pk: { S: string } }[] }>)[table.name]?.Keys ?? [];
      const Keys = asked.filter(({ pk }) => pk.S === keyOf(2).pk);
      if (Keys.length === 0) return undefined;
      const UnprocessedKeys = { [table.name]: { Keys, ConsistentRead: true } };
      return { status: 200, body: { Responses: {}, UnprocessedKeys } };
    });
    const [hot, ...others] = await Promise.allSettled([
      read([keyOf(1), keyOf(2)]),
      read([keyOf(1)]),
      read([keyOf(3), keyOf(1)]),
    ]);
    expect(hot).toMatchObject({ status: 'rejected', reason: { name: 'KeysLeftUnread' } });
    expect(others).toMatchObject([
      { status: 'fulfilled', value: [{ n: 1 }] },
      { status: 'fulfilled', value: [{ n: 3 }, { n: 1 }] },
    ]);
  });

  test('a failed call fails all callers that share it, and no later one', async () => {
    meter.inject(() => ({ status: 400, body: { __type: 'com.amazonaws.dynamodb.v20120810#ValidationException' } }));
    const outcomes = await Promise.allSettled([read([keyOf(1)]), read([keyOf(2)])]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    meter.inject(() => undefined);
    expect((await read([keyOf(1)]))[0]?.n).toBe(1);
  });
});
