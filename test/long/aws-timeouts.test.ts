import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { connectQueue } from '#shared/platform/queues/connect-queue.ts';
import { connectTable, getItem } from '#shared/platform/table/table.ts';
import { deliveryQueue } from '#shared/webhooks/queue/delivery-queue.ts';

const unavailable = { name: 'DependencyUnavailable', cause: expect.objectContaining({ name: 'TimeoutError' }) };
const job = {
  eventId: 'evt_01M7ZZZZZZZZZZZZZZZZZZZZZZ',
  endpointId: 'whe_01M7ZZZZZZZZZZZZZZZZZZZZZZ',
  mode: 'live' as const,
  attempt: 0,
  redeliveries: 0,
  dueAt: null,
};

/** A server that accepts connections and requests, and never answers. */
let silent: Server;
let endpoint: string;
const before = { ...process.env };

beforeAll(async () => {
  silent = createServer((socket) => socket.on('error', () => {}).resume());
  await new Promise<void>((resolve) => {
    silent.listen(0, '127.0.0.1', resolve);
  });
  endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  Object.assign(process.env, { AWS_ENDPOINT_URL_DYNAMODB: endpoint, AWS_ENDPOINT_URL_SQS: endpoint });
});
afterAll(() => {
  process.env = before;
  silent.close();
});

test('a call ends when DynamoDB takes the request and never answers', async () => {
  const table = connectTable({ TABLE_NAME: 'payments', DUE_SHARDS: 4 });
  const read = getItem(table, { pk: 'BIZ#biz_01M7ZZZZZZZZZZZZZZZZZZZZZZ', sk: 'BIZ' });
  await expect(read).rejects.toMatchObject(unavailable);
});

test('a call ends when SQS takes the request and never answers', async () => {
  const client = connectQueue();
  const send = deliveryQueue<'first'>(client, { first: `${endpoint}/queue`, test: `${endpoint}/test` }).send('first', [
    job,
  ]);
  await expect(send).rejects.toMatchObject(unavailable);
});
