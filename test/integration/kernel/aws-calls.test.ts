import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  type DynamoDBClientConfig,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  QueueDoesNotExist,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { endpointOf } from '#shared/adapters/aws-call.ts';
import { documentClient } from '#shared/adapters/dynamodb/table/documents.ts';
import { queueClient } from '#shared/adapters/sqs/queue-client.ts';
import { DependencyUnavailable } from '#shared/domain/kernel/errors.ts';
import { selfSigned, trust } from '#test/support/engines/certificate.ts';
import { quietPort } from '#test/support/engines/quiet-port.ts';

/* Our own calls beside the SDK's, at a server that notes what it is asked. */

interface Asked {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const asked: Asked[] = [];
let answer: (response: ServerResponse) => void = () => {};
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    asked.push({ headers: request.headers, body });
    answer(response);
  });
});
let endpoint = '';

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  asked.length = 0;
});

const CREDENTIALS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a-secret' };
const settings = (): DynamoDBClientConfig => ({
  region: 'eu-west-1',
  endpoint,
  credentials: CREDENTIALS,
  maxAttempts: 3,
});
const ours = (changed: DynamoDBClientConfig = {}, answerMs = 3_000) =>
  documentClient(new DynamoDBClient({ ...settings(), ...changed }), { answerMs });
const ourQueues = (answerMs: number, maxAttempts = 3) =>
  queueClient(new SQSClient({ region: 'eu-west-1', endpoint, credentials: CREDENTIALS, maxAttempts }), { answerMs });
const sdk = () =>
  DynamoDBDocumentClient.from(new DynamoDBClient(settings()), { marshallOptions: { removeUndefinedValues: true } });

/** Sends any command: each has types of its own. */
const sent = (client: { send: unknown }, command: object): Promise<Record<string, unknown>> =>
  (client as { send(command: object): Promise<Record<string, unknown>> }).send(command);

const TableName = 'payments-dev';
const Key = { pk: 'CHK#PAY-G0ABP7OQD2OJNUBPZL5R', sk: 'CHK' };
const Item = {
  ...Key,
  amount: 850_075,
  late: false,
  payerName: null,
  notThere: undefined,
  account: { bankName: 'Sandbox Bank (paystack)', bankCode: null, notThere: undefined },
  payments: [{ id: 'pay_01M88EXTP9ARC0YB2B57RA2992', senderName: 'Adaeze Okafor ✓' }, 3, 'x'],
};
const values = { ':revision': 1, ':gone': null };
const wire = {
  pk: { S: 'CHK#PAY-G0ABP7OQD2OJNUBPZL5R' },
  amount: { N: '850075' },
  payments: { L: [{ M: { late: { BOOL: false }, bankCode: { NULL: true } } }] },
};
const names = undefined;
const condition = { ConditionExpression: 'revision = :revision', ExpressionAttributeValues: values };

describe('a call of the table asks and answers as the SDK does', () => {
  const CASES = [
    [new GetCommand({ TableName, Key, ConsistentRead: true }), { Item: wire }],
    [new GetCommand({ TableName, Key }), {}],
    [
      new BatchGetCommand({
        RequestItems: { [TableName]: { Keys: [Key, { pk: 'BIZ#1', sk: 'BIZ' }], ConsistentRead: true } },
      }),
      {
        Responses: { [TableName]: [wire, wire] },
        UnprocessedKeys: { [TableName]: { Keys: [{ pk: { S: 'BIZ#1' } }] } },
      },
    ],
    [
      new QueryCommand({
        TableName,
        IndexName: 'gsi1',
        KeyConditionExpression: 'gsi1pk = :list',
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: { ':list': 'BIZ#1' },
        ExclusiveStartKey: undefined,
        ScanIndexForward: false,
        Limit: 26,
      }),
      { Items: [wire, wire], Count: 2, LastEvaluatedKey: { pk: { S: 'CHK#2' } } },
    ],
    [new QueryCommand({ TableName, ExclusiveStartKey: Key }), { Items: [] }],
    [new ScanCommand({ TableName, ExclusiveStartKey: Key }), { Items: [wire] }],
    [new PutCommand({ TableName, Item, ...condition }), {}],
    [
      new UpdateCommand({
        TableName,
        Key,
        UpdateExpression: 'SET #a = :revision',
        ExpressionAttributeNames: { '#a': 'a' },
        ...condition,
        ReturnValues: 'ALL_NEW',
      }),
      { Attributes: wire },
    ],
    [new DeleteCommand({ TableName, Key, ReturnValues: 'ALL_OLD' }), { Attributes: wire }],
    [
      new TransactWriteCommand({
        ClientRequestToken: '3d20e187-0bd1-45ae-9e7e-d9fcfd535502',
        TransactItems: [
          { Put: { TableName, Item, ...condition, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } },
          { Update: { TableName, Key, UpdateExpression: 'SET a = :revision', ...condition } },
          { Delete: { TableName, Key } },
          { ConditionCheck: { TableName, Key, ...condition } },
        ],
      }),
      {},
    ],
    [
      new BatchWriteCommand({ RequestItems: { [TableName]: [{ PutRequest: { Item } }, { DeleteRequest: { Key } }] } }),
      { UnprocessedItems: { [TableName]: [{ PutRequest: { Item: wire } }] } },
    ],
  ] as const;

  test.each(CASES.map(([command, reply]) => [command.constructor.name, command, reply] as const))(
    '%s',
    async (_, command, reply) => {
      answer = json(200, reply);
      const own = await sent(ours(), command);
      const { $metadata, ...theirs } = await sent(sdk(), command);
      const [ourRequest, sdkRequest] = asked;
      expect(own).toEqual(theirs);
      expect(JSON.parse(ourRequest?.body ?? '')).toEqual(JSON.parse(sdkRequest?.body ?? ''));
      for (const name of ['x-amz-target', 'content-type', 'host', 'content-length']) {
        expect([name, ourRequest?.headers[name]]).toEqual([name, sdkRequest?.headers[name]]);
      }
      expect(ourRequest?.headers.authorization).toMatch(
        /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/dynamodb\/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=[0-9a-f]{64}$/,
      );
    },
  );

  test('two calls at once get their own answers', async () => {
    answer = (response) => {
      const { Key: key } = JSON.parse(asked.at(-1)?.body ?? '');
      setTimeout(() => json(200, { Item: key })(response), key.pk.S === 'CHK#1' ? 30 : 0);
    };
    const client = ours();
    const ask = async (pk: string) => (await client.send(new GetCommand({ TableName, Key: { pk, sk: 'CHK' } }))).Item;
    expect(await Promise.all([ask('CHK#1'), ask('CHK#2')])).toEqual([
      { pk: 'CHK#1', sk: 'CHK' },
      { pk: 'CHK#2', sk: 'CHK' },
    ]);
  });
});

test.each([
  [new SendMessageCommand({ QueueUrl: 'q', MessageBody: '{"to":"ada@example.com"}' }), { MessageId: '1' }],
  [
    new SendMessageBatchCommand({
      QueueUrl: 'q',
      Entries: [{ Id: '0', MessageBody: 'ü', MessageGroupId: 'whe_1', DelaySeconds: 5 }],
    }),
    { Successful: [{ Id: '0' }], Failed: [{ Id: '1', Code: 'InternalError', SenderFault: false }] },
  ],
  [
    new ReceiveMessageCommand({ QueueUrl: 'q', WaitTimeSeconds: 20, MessageSystemAttributeNames: ['All'] }),
    { Messages: [{ MessageId: '1', Body: 'ü', Attributes: { SentTimestamp: '1795580422857' } }] },
  ],
  [
    new DeleteMessageBatchCommand({ QueueUrl: 'q', Entries: [{ Id: '0', ReceiptHandle: 'r' }] }),
    { Successful: [], Failed: [] },
  ],
  [
    new GetQueueAttributesCommand({ QueueUrl: 'q', AttributeNames: ['QueueArn'] }),
    { Attributes: { QueueArn: 'arn:aws:sqs:eu-west-1:000000000000:q' } },
  ],
  [new StartMessageMoveTaskCommand({ SourceArn: 'arn:aws:sqs:eu-west-1:000000000000:q' }), { TaskHandle: 't' }],
  [
    new ListMessageMoveTasksCommand({ SourceArn: 'arn:aws:sqs:eu-west-1:000000000000:q' }),
    { Results: [{ Status: 'RUNNING', StartedTimestamp: 1_795_580_422_857 }] },
  ],
] as const)('a call of a queue asks and answers as the SDK does (%#)', async (command, reply) => {
  answer = json(200, reply);
  const given = { region: 'eu-west-1', endpoint, credentials: CREDENTIALS };
  const own = await sent(queueClient(new SQSClient(given), { answerMs: 3_000 }), command);
  const { $metadata, ...theirs } = await sent(new SQSClient({ ...given, md5: false }), command);
  expect(own).toEqual(theirs);
  const [ourRequest, sdkRequest] = asked;
  expect(JSON.parse(ourRequest?.body ?? '')).toEqual(JSON.parse(sdkRequest?.body ?? ''));
  for (const name of ['x-amz-target', 'content-type', 'x-amzn-query-mode']) {
    expect([name, ourRequest?.headers[name]]).toEqual([name, sdkRequest?.headers[name]]);
  }
});

describe('what AWS refuses is thrown as the SDK throws it', () => {
  const get = new GetCommand({ TableName, Key });
  const thrownBy = (client: { send: DynamoDBDocumentClient['send'] }): Promise<unknown> =>
    client.send(get).then(
      () => 'nothing',
      (error: unknown) => error,
    );

  test.each([
    [
      'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException',
      { message: 'The conditional request failed', Item: wire },
      ConditionalCheckFailedException,
    ],
    [
      'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
      { Message: 'cancelled', CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Item: wire }] },
      TransactionCanceledException,
    ],
    ['com.amazon.coral.validate#ValidationException', { message: 'Invalid key' }, Error],
    ['com.amazon.coral.service#AccessDeniedException', { Message: 'not authorized' }, Error],
  ])('%s', async (type, fields, kind) => {
    answer = json(400, { __type: type, ...fields }, { 'x-amzn-requestid': 'AB12' });
    const [own, theirs] = [(await thrownBy(ours())) as Error, (await thrownBy(sdk())) as Error];
    expect(own).toBeInstanceOf(kind);
    const fieldsOf = (error: Error) => ({ ...error, $metadata: undefined, name: error.name, message: error.message });
    expect(fieldsOf(own)).toEqual(fieldsOf(theirs));
    expect(own).toMatchObject({ $metadata: { httpStatusCode: 400 } });
    // One each: neither repeats what AWS has refused.
    expect(asked).toHaveLength(2);
  });

  test('QueueDoesNotExist, which SQS also names as it did in its former protocol', async () => {
    answer = json(
      400,
      { __type: 'com.amazonaws.sqs#QueueDoesNotExist', message: 'There is no such queue.' },
      { 'x-amzn-query-error': 'AWS.SimpleQueueService.NonExistentQueue;Sender' },
    );
    const queues = queueClient(new SQSClient({ region: 'eu-west-1', endpoint, credentials: CREDENTIALS }), {
      answerMs: 3_000,
    });
    const send = queues.send(new SendMessageCommand({ QueueUrl: 'q', MessageBody: '{}' }));
    await expect(send).rejects.toBeInstanceOf(QueueDoesNotExist);
  });
});

describe('what a repeat may mend is repeated, and then reported as unavailable', () => {
  const get = new GetCommand({ TableName, Key });
  const throttled = json(400, {
    __type: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
    message: 'slow down',
  });
  const broken = json(500, { __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError', message: 'ours' });
  const proxy = json(502, '<html>Bad Gateway</html>', { 'content-type': 'text/html' });
  const cut = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"Item":');
    setTimeout(() => response.destroy(), 5);
  };
  const reset = (response: ServerResponse): void => {
    response.socket?.destroy();
  };
  const silent = (): void => {};

  test.each([
    ['throttled', throttled],
    ['a failure of AWS', broken],
    ['a proxy that answers in place of AWS', proxy],
    ['an answer that is cut off', cut],
    ['a connection that breaks', reset],
    ['no answer', silent],
  ])('%s', async (_, fault) => {
    answer = fault;
    await expect(ours({}, 100).send(get)).rejects.toBeInstanceOf(DependencyUnavailable);
    expect(asked).toHaveLength(3);
    // Signed anew, the same otherwise.
    expect(new Set(asked.map(({ body }) => body)).size).toBe(1);
  });

  test.each([
    ['throttled', throttled],
    ['a connection that breaks', reset],
    ['no answer', silent],
  ])('%s, then an answer', async (_, fault) => {
    answer = (response) => (asked.length < 3 ? fault(response) : json(200, { Item: wire })(response));
    expect((await ours({}, 100).send(get)).Item?.amount).toBe(850_075);
  });

  const sendMessage = new SendMessageCommand({ QueueUrl: 'q', MessageBody: 'm' });
  test.each([
    'RequestThrottled',
    'ThrottlingException',
    'Throttling',
    'ThrottledException',
    'TooManyRequestsException',
    'OverLimit',
    'KmsThrottled',
    'RequestTimeout',
  ])('SQS’s %s', async (name) => {
    answer = json(400, { __type: `com.amazonaws.sqs#${name}`, message: 'slow down' });
    await expect(ourQueues(100, 1).send(sendMessage)).rejects.toBeInstanceOf(DependencyUnavailable);
  });

  test.each([
    ['429 under another name', json(429, { __type: 'com.amazonaws.sqs#Busy', message: 'slow down' })],
    ['no answer of SQS', silent],
  ])('%s', async (_, fault) => {
    answer = fault;
    await expect(ourQueues(100, 1).send(sendMessage)).rejects.toBeInstanceOf(DependencyUnavailable);
  });

  test.each([
    ['keeps silent', silent],
    ['throttles', throttled],
  ])('a call that is aborted while the table %s is given up at once', async (_, fault) => {
    const given = new AbortController();
    answer = (response) => {
      fault(response);
      setTimeout(() => given.abort(), 1);
    };
    const options = { abortSignal: given.signal };
    await expect(ours({}, 60_000).send(get, options)).rejects.toMatchObject({ name: 'AbortError' });
    await expect(ours({}, 60_000).send(get, options)).rejects.toMatchObject({ name: 'AbortError' });
    expect(asked).toHaveLength(1);
  });

  test('a call with a time of its own is unavailable when that is up', async () => {
    answer = silent;
    const options = { abortSignal: AbortSignal.timeout(20) };
    await expect(ours({}, 60_000).send(get, options)).rejects.toBeInstanceOf(DependencyUnavailable);
    expect(asked).toHaveLength(1);
  });

  test('an answer that comes byte by byte has no more time than another', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-length': '1000' });
      const timer = setInterval(() => response.write(' '), 20);
      response.once('close', () => clearInterval(timer));
    };
    await expect(ours({ maxAttempts: 1 }, 200).send(get)).rejects.toBeInstanceOf(DependencyUnavailable);
  });

  test('a server that is not there', async () => {
    const gone = await quietPort();
    await expect(ours({ endpoint: `http://127.0.0.1:${gone}` }).send(get)).rejects.toBeInstanceOf(
      DependencyUnavailable,
    );
  });

  test('a connection that the server closed while it was idle', async () => {
    const sockets = new Set<Socket>();
    server.on('connection', (socket) => sockets.add(socket));
    answer = json(200, { Item: wire });
    const client = ours();
    await client.send(get);
    for (const socket of sockets) socket.destroy();
    expect((await client.send(get)).Item?.amount).toBe(850_075);
  });

  test('a long poll that is aborted ends at once, as no failure of AWS', async () => {
    answer = silent;
    const queues = ourQueues(25_000, 1);
    const ending = new AbortController();
    const poll = queues.send(new ReceiveMessageCommand({ QueueUrl: 'q', WaitTimeSeconds: 20 }), {
      abortSignal: ending.signal,
    });
    setTimeout(() => ending.abort(), 20);
    await expect(poll).rejects.toMatchObject({ name: 'AbortError' });
    await expect(
      queues.send(new ReceiveMessageCommand({ QueueUrl: 'q' }), { abortSignal: ending.signal }),
    ).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a call takes from its environment', () => {
  const get = new GetCommand({ TableName, Key });
  const before = process.env;
  afterEach(() => {
    process.env = before;
  });

  test('the session token of a role', async () => {
    answer = json(200, {});
    await ours({ credentials: { ...CREDENTIALS, sessionToken: 'FwoGZXIvYXdzEXAMPLE' } }).send(get);
    expect(asked[0]?.headers['x-amz-security-token']).toBe('FwoGZXIvYXdzEXAMPLE');
    expect(asked[0]?.headers.authorization).toContain('x-amz-date;x-amz-security-token;x-amz-target');
  });

  test('its endpoint, region and keys, which may change between calls', async () => {
    process.env = {
      ...before,
      AWS_REGION: 'eu-west-2',
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
      AWS_ACCESS_KEY_ID: 'AKIDOFENV',
      AWS_SECRET_ACCESS_KEY: 'x',
    };
    delete process.env.AWS_PROFILE;
    answer = json(200, {});
    await documentClient(new DynamoDBClient(), { answerMs: 3_000 }).send(get);
    expect(asked[0]?.headers.authorization).toMatch(/Credential=AKIDOFENV\/\d+\/eu-west-2\/dynamodb\//);
    let accessKeyId = 'AKIDFIRST';
    const rotating = ours({ credentials: async () => ({ ...CREDENTIALS, accessKeyId, expiration: new Date(0) }) });
    await rotating.send(get);
    accessKeyId = 'AKIDSECOND';
    await rotating.send(get);
    expect(asked.slice(1).map(({ headers }) => /Credential=(\w+)/.exec(headers.authorization ?? '')?.[1])).toEqual([
      'AKIDFIRST',
      'AKIDSECOND',
    ]);
  });

  test.each([
    [{}, 'https://dynamodb.eu-west-1.amazonaws.com/'],
    [{ useDualstackEndpoint: true }, 'https://dynamodb.eu-west-1.api.aws/'],
    [{ region: 'us-east-1', useFipsEndpoint: true }, 'https://dynamodb-fips.us-east-1.amazonaws.com/'],
    [{ endpoint: 'http://[::1]:8000' }, 'http://[::1]:8000/'],
  ])('the endpoint of its region: %j', async (given, expected) => {
    process.env = { ...before };
    delete process.env.AWS_ENDPOINT_URL_DYNAMODB;
    const { config } = new DynamoDBClient({ region: 'eu-west-1', ...given });
    expect(String(await endpointOf(config))).toBe(expected);
  });

  test('a server by TLS, whose certificate it checks', async () => {
    const certificate = selfSigned(undefined, 'IP:127.0.0.1');
    const secure = createTlsServer(certificate, (_, response) => json(200, { Item: wire })(response));
    await new Promise<void>((resolve) => {
      secure.listen(0, '127.0.0.1', resolve);
    });
    const client = ours({ endpoint: `https://127.0.0.1:${(secure.address() as AddressInfo).port}`, maxAttempts: 1 });
    await expect(client.send(get)).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    const distrust = trust(certificate.cert);
    expect((await client.send(get)).Item?.amount).toBe(850_075);
    distrust();
    secure.close();
    secure.closeAllConnections();
  });
});
