import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { getItems } from '#shared/platform/table/table.ts';
import { startMeter } from '#test/support/emulators/meter.ts';
import { tableAt } from '#test/support/worlds/table.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

const keyOf = (n: number) => ({ pk: `EVT#${n}`, sk: 'EVT' });

describe('a read of several items', () => {
  let meter: Awaited<ReturnType<typeof startMeter>>;
  let table: World['table'];
  beforeEach(async () => {
    meter = await startMeter(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
    const world = await makeWorld();
    table = tableAt(world.table.name, meter.endpoint);
    for (const n of [1, 2, 3]) {
      await world.table.client.send(new PutCommand({ TableName: table.name, Item: { ...keyOf(n), n } }));
    }
    meter.take();
  });
  afterEach(() => meter.stop());

  const numbersOf = async (...numbers: number[]) => (await getItems(table, numbers.map(keyOf))).map((item) => item?.n);
  /** Makes DynamoDB leave all keys unread in the first `count` batches. Returns when each batch was asked for. */
  const leaveUnread = (count: number) => {
    const calledAt: number[] = [];
    meter.inject((operation, input) => {
      if (operation !== 'BatchGetItem' || calledAt.push(performance.now()) > count) return undefined;
      return { status: 200, body: { Responses: {}, UnprocessedKeys: input.RequestItems } };
    });
    return calledAt;
  };

  test('returns the items in the order of their keys, and undefined for a missing one', async () => {
    expect(await numbersOf(3, 9, 1)).toEqual([3, undefined, 1]);
    expect(meter.take()).toMatchObject({ BatchGetItem: { calls: 1 } });
  });

  test('reads a repeated key once, even with more than a hundred keys', async () => {
    const numbers = await numbersOf(...Array(120).keys(), ...Array(120).keys());
    expect(numbers).toHaveLength(240);
    const expected = [1, 2, 3, 121, 122, 123].map((i) => [i, i % 120]);
    expect(numbers.flatMap((n, i) => (n === undefined ? [] : [[i, n]]))).toEqual(expected);
    expect(meter.take()).toMatchObject({ BatchGetItem: { calls: 2 } });
  });

  test('reads unread keys again, after a pause', async () => {
    const calledAt = leaveUnread(6);
    expect(await numbersOf(1, 2, 3)).toEqual([1, 2, 3]);
    expect(calledAt).toHaveLength(7);
    // The six pauses are random: up to 20, 40, 80, 160, 320 and 400 ms. Their sum is below 40 ms less than once in a hundred thousand runs.
    expect(Math.max(...calledAt) - Math.min(...calledAt)).toBeGreaterThan(40);
  });

  test('fails after eight calls if keys stay unread', async () => {
    const calledAt = leaveUnread(Number.POSITIVE_INFINITY);
    await expect(numbersOf(1, 2)).rejects.toThrow('left keys of a batch unread');
    expect(calledAt).toHaveLength(8);
  });
});
