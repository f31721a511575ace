import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import {
  ConditionalCheckFailedException,
  type DynamoDBClientConfig,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { QueueDoesNotExist, ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { signInStore } from '#shared/members/store/sign-in-store.ts';
import { clientSettings, connections } from '#shared/platform/aws-client.ts';
import { DependencyUnavailable } from '#shared/platform/kernel/errors.ts';
import { connectQueue } from '#shared/platform/queues/connect-queue.ts';
import { documentClient, documentClients } from '#shared/platform/table/document-client.ts';
import { requestCounter } from '#shared/platform/table/request-counter.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { transact } from '#shared/platform/table/transact.ts';
import { countWithin } from '#shared/platform/table/window-count.ts';
import { makeSelfSigned, trust } from '#test/support/emulators/certificate.ts';
import { findQuietPort } from '#test/support/emulators/quiet-port.ts';
import { testRows } from '#test/support/jest/long.ts';

/* Tests the SDK's clients with our settings, at a server that records each request. */

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const received: Received[] = [];
let answer: (response: ServerResponse) => void = () => {};
const startServer = (): Server =>
  createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      answer(response);
    });
  });
let server: Server;
let endpoint = '';

const portOf = async (listening: Server): Promise<number> => {
  await new Promise<void>((resolve) => {
    listening.listen(0, '127.0.0.1', resolve);
  });
  return (listening.address() as AddressInfo).port;
};

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
/** Gives each request the next answer, and the last answer to all further requests. */
const inTurn =
  (...answers: ((response: ServerResponse) => void)[]) =>
  (response: ServerResponse): void =>
    answers[Math.min(received.length, answers.length) - 1]?.(response);

// Each test has an address of its own, so that no late request of an aborted call reaches the next test.
beforeEach(async () => {
  received.length = 0;
  server = startServer();
  endpoint = `http://127.0.0.1:${await portOf(server)}`;
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

const CREDENTIALS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a-secret' };
const config = (): DynamoDBClientConfig => ({ region: 'eu-west-1', endpoint, credentials: CREDENTIALS });
const tables = (answerMs = 3_000, changes: DynamoDBClientConfig = {}) =>
  documentClient({ answerMs, maxAttempts: 3 }, { ...config(), ...changes });
const queues = (answerMs: number, maxAttempts = 1) =>
  connectQueue({ answerMs, maxAttempts }, { region: 'eu-west-1', endpoint, credentials: CREDENTIALS });
const table = (): Table => ({
  ...documentClients({ answerMs: 3_000, maxAttempts: 3 }, config()),
  name: 'payments-dev',
  dueShards: 1,
  unreadable: () => {},
});

const TableName = 'payments-dev';
const Key = { pk: 'CHK#PAY-G0ABP7OQD2OJNUBPZL5R', sk: 'CHK' };
const get = new GetCommand({ TableName, Key });
const sendMessage = new SendMessageCommand({ QueueUrl: 'q', MessageBody: 'm' });
const wire = {
  pk: { S: 'CHK#PAY-G0ABP7OQD2OJNUBPZL5R' },
  amount: { N: '850075' },
  payments: { L: [{ M: { late: { BOOL: false }, bankCode: { NULL: true } } }] },
};
const itemAnswer = json(200, { Item: wire });
const throttled = json(400, {
  __type: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
  message: 'slow down',
});
const broken = json(500, { __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError', message: 'ours' });
const reset = (response: ServerResponse): void => {
  response.socket?.destroy();
};
const silent = (): void => {};

test('a document is written without its undefined fields, and read as plain values', async () => {
  answer = itemAnswer;
  const account = { bankName: 'Sandbox Bank (paystack) ✓', bankCode: null, notThere: undefined };
  await tables().send(new PutCommand({ TableName, Item: { ...Key, late: false, notThere: undefined, account } }));
  expect(JSON.parse(received[0]?.body ?? '').Item).toEqual({
    pk: { S: Key.pk },
    sk: { S: 'CHK' },
    late: { BOOL: false },
    account: { M: { bankName: { S: 'Sandbox Bank (paystack) ✓' }, bankCode: { NULL: true } } },
  });
  expect((await tables().send(get)).Item).toEqual({
    pk: Key.pk,
    amount: 850_075,
    payments: [{ late: false, bankCode: null }],
  });
});

test('simultaneous calls get their own answers', async () => {
  answer = (response) => {
    const { Key: key } = JSON.parse(received.at(-1)?.body ?? '');
    setTimeout(() => json(200, { Item: key })(response), key.pk.S === 'CHK#1' ? 30 : 0);
  };
  const client = tables();
  const read = async (pk: string) => (await client.send(new GetCommand({ TableName, Key: { pk, sk: 'CHK' } }))).Item;
  expect(await Promise.all([read('CHK#1'), read('CHK#2')])).toEqual([
    { pk: 'CHK#1', sk: 'CHK' },
    { pk: 'CHK#2', sk: 'CHK' },
  ]);
});

describe('a rejection by AWS is thrown under the SDK’s name, without a repeat:', () => {
  test.each([
    [
      'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException',
      { message: 'The conditional request failed', Item: wire },
      ConditionalCheckFailedException,
      { Item: wire },
    ],
    [
      'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
      { Message: 'cancelled', CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Item: wire }] },
      TransactionCanceledException,
      { CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Item: wire }] },
    ],
    ['com.amazon.coral.validate#ValidationException', { message: 'Invalid key' }, Error, { message: 'Invalid key' }],
    ['com.amazon.coral.service#AccessDeniedException', { Message: 'no' }, Error, { name: 'AccessDeniedException' }],
  ])('%s', async (type, fields, kind, expected) => {
    answer = json(400, { __type: type, ...fields }, { 'x-amzn-requestid': 'AB12' });
    const error = await tables()
      .send(get)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(kind);
    expect(error).not.toBeInstanceOf(DependencyUnavailable);
    expect(error).toMatchObject({ ...expected, $metadata: { httpStatusCode: 400 } });
    expect(received).toHaveLength(1);
  });

  test('QueueDoesNotExist, for which SQS also has a former name', async () => {
    answer = json(
      400,
      { __type: 'com.amazonaws.sqs#QueueDoesNotExist', message: 'There is no such queue.' },
      { 'x-amzn-query-error': 'AWS.SimpleQueueService.NonExistentQueue;Sender' },
    );
    await expect(queues(3_000).send(sendMessage)).rejects.toBeInstanceOf(QueueDoesNotExist);
  });
});

describe('a failure that a repeat may mend is repeated, and reported as unavailable only if no repeat succeeds:', () => {
  const proxy = json(502, '<html>Bad Gateway</html>', { 'content-type': 'text/html' });
  const cut = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"Item":');
    setTimeout(() => response.destroy(), 5);
  };
  const stalled = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"Item":');
  };

  test.each([
    ['throttling', throttled],
    ['a failure of AWS', broken],
    ['a proxy that answers in place of AWS', proxy],
    ['an answer that is cut off', cut],
    ['an answer that stops midway', stalled],
    ['a connection that breaks', reset],
    ['no answer', silent],
  ])('%s', async (_, fault) => {
    answer = fault;
    await expect(tables(100).send(get)).rejects.toBeInstanceOf(DependencyUnavailable);
    expect(received).toHaveLength(3);
  });

  testRows([
    ['a connection that breaks', reset],
    ['throttling', throttled],
    ['no answer', silent],
  ])('%s, and then an answer', async (_, fault) => {
    answer = inTurn(fault, fault, itemAnswer);
    expect((await tables(100).send(get)).Item?.amount).toBe(850_075);
  });

  test.each([
    'RequestThrottled',
    'ThrottlingException',
    'Throttling',
    'ThrottledException',
    'TooManyRequestsException',
    'OverLimit',
    'KmsThrottled',
    'RequestTimeout',
  ])('%s of SQS', async (name) => {
    answer = json(400, { __type: `com.amazonaws.sqs#${name}`, message: 'slow down' });
    await expect(queues(100).send(sendMessage)).rejects.toBeInstanceOf(DependencyUnavailable);
  });

  test.each([
    ['429 under another name', json(429, { __type: 'com.amazonaws.sqs#Busy', message: 'slow down' })],
    ['no answer of SQS', silent],
  ])('%s', async (_, fault) => {
    answer = fault;
    await expect(queues(100).send(sendMessage)).rejects.toBeInstanceOf(DependencyUnavailable);
  });

  test('a server that is not there', async () => {
    const gone = `http://127.0.0.1:${await findQuietPort()}`;
    await expect(tables(3_000, { endpoint: gone }).send(get)).rejects.toBeInstanceOf(DependencyUnavailable);
  });

  test('a connection that the server closed while it was idle', async () => {
    const sockets = new Set<Socket>();
    server.on('connection', (socket) => sockets.add(socket));
    answer = itemAnswer;
    const client = tables();
    await client.send(get);
    for (const socket of sockets) socket.destroy();
    expect((await client.send(get)).Item?.amount).toBe(850_075);
  });

  test('a wrong clock, which the SDK corrects by the date of the answer', async () => {
    const inAnHour = { date: new Date(Date.now() + 3_600_000).toUTCString() };
    const fields = { __type: 'com.amazon.coral.service#InvalidSignatureException', message: 'Signature expired' };
    answer = inTurn(json(400, fields, inAnHour), json(200, { Item: wire }, inAnHour));
    expect((await tables().send(get)).Item?.amount).toBe(850_075);
    const [first, second] = received.map(({ headers }) => String(headers['x-amz-date']));
    expect(Number(second?.slice(9, 13)) - Number(first?.slice(9, 13))).not.toBe(0);
  });
});

describe('a call ends at once with its caller’s signal, as unavailable,', () => {
  const aborted = { name: 'DependencyUnavailable', cause: expect.objectContaining({ name: 'AbortError' }) };
  const byteByByte = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-length': '1000' });
    const timer = setInterval(() => response.write(' '), 20);
    response.once('close', () => clearInterval(timer));
  };

  test.each([
    ['keeps silent', silent],
    ['throttles', throttled],
    ['answers byte by byte', byteByByte],
  ])('while the table %s', async (_, fault) => {
    const ending = new AbortController();
    answer = (response) => {
      fault(response);
      // The SDK's pause before a repeat may be shorter than 20 ms. Then the repeat ends with the signal.
      if (received.length === 1) setTimeout(() => ending.abort(), 20);
      else ending.abort();
    };
    const options = { abortSignal: ending.signal };
    await expect(tables(60_000).send(get, options)).rejects.toMatchObject(aborted);
    const sent = received.length;
    await expect(tables(60_000).send(get, options)).rejects.toMatchObject(aborted);
    expect(received).toHaveLength(sent);
  });

  test('during a long poll', async () => {
    answer = silent;
    const ending = new AbortController();
    const poll = queues(25_000).send(new ReceiveMessageCommand({ QueueUrl: 'q', WaitTimeSeconds: 20 }), {
      abortSignal: ending.signal,
    });
    setTimeout(() => ending.abort(), 20);
    await expect(poll).rejects.toMatchObject(aborted);
  });
});

describe('a repeat does nothing twice:', () => {
  const conflict = json(400, {
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    Message: 'cancelled',
    CancellationReasons: [{ Code: 'TransactionConflict' }],
  });

  test('a transaction has one ClientRequestToken in the repeats of the SDK and in our own repeats', async () => {
    answer = inTurn(broken, conflict, json(200, {}));
    const write = () => transact(table(), [{ put: { ...Key, amount: 1 } }]);
    await write();
    await write();
    const tokens = received.map(({ body }) => JSON.parse(body).ClientRequestToken as string);
    expect(tokens).toHaveLength(4);
    expect(new Set(tokens.slice(0, 3)).size).toBe(1);
    expect(tokens[3]).not.toBe(tokens[0]);
  });

  const counts: [string, (counting: Table) => Promise<unknown>][] = [
    ['requests of a key', (counting) => requestCounter(counting)({ bucket: 'key_1', quota: 5, name: 'key' }, 1)],
    ['uses in a window', (counting) => countWithin(counting, Key, 1, { most: 5 }).catch(() => {})],
    [
      'tries of a sign-in code',
      (counting) =>
        signInStore(counting)
          .countTry('ab12')
          .catch(() => {}),
    ],
  ];
  test.each(counts)('a count of %s is sent once, even if AWS failed', async (_, count) => {
    answer = broken;
    await count(table());
    expect(received).toHaveLength(1);
    expect(JSON.parse(received[0]?.body ?? '').UpdateExpression).toMatch(/^ADD /);
  });
});

test('a connection serves all clients, and closes after it was idle', async () => {
  const closings: number[] = [];
  let opened = 0;
  const recording = createServer((_, response) => itemAnswer(response));
  recording.on('connection', (socket) => {
    opened += 1;
    const at = performance.now();
    socket.once('close', () => closings.push(performance.now() - at));
  });
  const at = { ...config(), endpoint: `http://127.0.0.1:${await portOf(recording)}` };
  const settings = clientSettings({ answerMs: 3_000, maxAttempts: 1 }, connections(200));
  for (const client of [tables(3_000, { ...at, ...settings }), tables(3_000, { ...at, ...settings })]) {
    await client.send(get);
    await client.send(get);
  }
  expect(opened).toBe(1);
  while (closings.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(closings[0]).toBeGreaterThan(190);
  recording.close();
});

describe('a client uses', () => {
  const before = process.env;
  afterEach(() => {
    process.env = before;
  });

  test('the session token of a role', async () => {
    answer = json(200, {});
    await tables(3_000, { credentials: { ...CREDENTIALS, sessionToken: 'FwoGZXIvYXdzEXAMPLE' } }).send(get);
    expect(received[0]?.headers['x-amz-security-token']).toBe('FwoGZXIvYXdzEXAMPLE');
  });

  test('the endpoint, region and keys of its environment, and keys that change between calls', async () => {
    process.env = {
      ...before,
      AWS_REGION: 'eu-west-2',
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
      AWS_ACCESS_KEY_ID: 'AKIDOFENV',
      AWS_SECRET_ACCESS_KEY: 'x',
    };
    delete process.env.AWS_PROFILE;
    answer = json(200, {});
    await documentClient({ answerMs: 3_000, maxAttempts: 1 }).send(get);
    expect(received[0]?.headers.authorization).toMatch(/Credential=AKIDOFENV\/\d+\/eu-west-2\/dynamodb\//);
    let accessKeyId = 'AKIDFIRST';
    const rotating = tables(3_000, {
      credentials: async () => ({ ...CREDENTIALS, accessKeyId, expiration: new Date(0) }),
    });
    await rotating.send(get);
    accessKeyId = 'AKIDSECOND';
    await rotating.send(get);
    expect(received.slice(1).map(({ headers }) => /Credential=(\w+)/.exec(headers.authorization ?? '')?.[1])).toEqual([
      'AKIDFIRST',
      'AKIDSECOND',
    ]);
  });

  test('a TLS server only if it trusts the certificate of that server', async () => {
    const certificate = makeSelfSigned(undefined, 'IP:127.0.0.1');
    const secure = createTlsServer(certificate, (_, response) => itemAnswer(response));
    const client = tables(3_000, { endpoint: `https://127.0.0.1:${await portOf(secure)}`, maxAttempts: 1 });
    await expect(client.send(get)).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    const distrust = trust(certificate.cert);
    expect((await client.send(get)).Item?.amount).toBe(850_075);
    distrust();
    secure.close();
    secure.closeAllConnections();
  });
});
