import { getItem, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import { ABSENT, NEW, transact, versionIs, type Write } from '#shared/adapters/dynamodb/table/transact.ts';
import { type FaultProxy, startFaultProxy } from '#test/support/engines/fault-proxy.ts';
import { tableAt } from '#test/support/worlds/table.ts';
import { makeWorld } from '#test/support/worlds/world.ts';

/* DynamoDB writes a transaction, its answer gets lost, and the client sends it again. */

const MERCHANT_REFERENCE = { pk: 'MREF#biz_1#test#INV-2026-0412', sk: 'MREF' };
const EVENT = { pk: 'EVT#evt_1', sk: 'EVT' };

let proxy: FaultProxy;
let table: Table;
/** The tokens of the transactions that the engine was sent. */
let tokens: unknown[];

beforeEach(async () => {
  proxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
  table = tableAt((await makeWorld()).table.name, proxy.endpoint);
  tokens = [];
});
afterEach(() => proxy.stop());

/** Notes the transactions, and loses as many of their first answers. */
const watch = (lost: number): void => {
  proxy.inject((operation, { ClientRequestToken: token }) => {
    if (operation !== 'TransactWriteItems') return undefined;
    tokens.push(token);
    return tokens.length <= lost ? 'lose-answer' : undefined;
  });
};

const taken = (): 'taken' => 'taken';
/** A reference that must be free, or at this version. */
const reference = (version: number): Write<'taken'> => ({
  put: { ...MERCHANT_REFERENCE, version },
  when: version === 1 ? ABSENT : versionIs(version - 1),
  otherwise: taken,
});
const event = (when: typeof NEW | typeof ABSENT): Write<'taken'> => ({
  put: { ...EVENT, type: 'checkout.paid' },
  when,
});

test.each([
  ['created', 1],
  ['replaced', 2],
])('what was written is told by its new item, also where another was %s', async (_, version) => {
  for (let before = 1; before < version; before++) await transact(table, [reference(before)]);
  watch(1);
  expect(await transact(table, [reference(version), event(NEW)])).toBeUndefined();
  expect(tokens).toStrictEqual([undefined, undefined]);
  expect(await getItem(table, MERCHANT_REFERENCE)).toMatchObject({ version });
});

test('what was not written has the outcome of its condition, although it has a new item', async () => {
  await transact(table, [reference(1)]);
  watch(0);
  expect(await transact(table, [reference(1), event(NEW)])).toBe('taken');
  expect(await getItem(table, EVENT)).toBeUndefined();
});

test('the answer that says so may get lost as well', async () => {
  await transact(table, [reference(1)]);
  watch(1);
  expect(await transact(table, [reference(1), event(NEW)])).toBe('taken');
  expect(tokens).toHaveLength(2);
});

test('what has no new item is told by its token', async () => {
  watch(1);
  expect(await transact(table, [reference(1)])).toBeUndefined();
  expect(tokens).toEqual([expect.any(String), tokens[0]]);
  expect(await transact(table, [reference(1)])).toBe('taken');
  expect(tokens[2]).not.toBe(tokens[0]);
});

test('an item that only must be absent is not taken for one of this transaction', async () => {
  await transact(table, [event(ABSENT)]);
  await expect(transact(table, [reference(1), event(ABSENT)])).rejects.toMatchObject({
    name: 'TransactionCanceledException',
  });
});
