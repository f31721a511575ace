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
  /** Makes DynamoDB leave all keys of a batch unread, `times` times; returns when it was asked. */
  const leaveUnread = (times: number) => {
    const askedAt: number[] = [];
    meter.inject((operation, input) => {
      if (operation !== 'BatchGetItem' || askedAt.push(performance.now()) > times) return undefined;
      return { status: 200, body: { Responses: {}, UnprocessedKeys: input.RequestItems } };
    });
    return askedAt;
  };

  test('returns them in the order of their keys, and a missing one as undefined', async () => {
    expect(await numbersOf(3, 9, 1)).toEqual([3, undefined, 1]);
    expect(meter.take()).toMatchObject({ BatchGetItem: { calls: 1 } });
  });

  test('reads a key that is named twice once, also beyond a hundred keys', async () => {
    const found = await numbersOf(...Array(120).keys(), ...Array(120).keys());
    expect(found).toHaveLength(240);
    const expected = [1, 2, 3, 121, 122, 123].map((i) => [i, i % 120]);
    expect(found.flatMap((n, i) => (n === undefined ? [] : [[i, n]]))).toEqual(expected);
    expect(meter.take()).toMatchObject({ BatchGetItem: { calls: 2 } });
  });

  test('reads unread keys again, after a pause', async () => {
    const askedAt = leaveUnread(6);
    expect(await numbersOf(1, 2, 3)).toEqual([1, 2, 3]);
    expect(askedAt).toHaveLength(7);
    // Six random pauses of up to 20, 40, 80, 160, 320 and 400 ms: shorter in all once in a hundred thousand runs.
    expect(Math.max(...askedAt) - Math.min(...askedAt)).toBeGreaterThan(40);
  });

  test('fails after eight calls if keys stay unread', async () => {
    const askedAt = leaveUnread(Number.POSITIVE_INFINITY);
    await expect(numbersOf(1, 2)).rejects.toThrow('left keys of a batch unread');
    expect(askedAt).toHaveLength(8);
  });
});
