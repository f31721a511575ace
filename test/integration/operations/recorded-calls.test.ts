import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { createTable } from '#infra/local/emulators/create-table.ts';
import { inNoRole, inRole, takeDenials, takeUpDenials } from '#test/support/permissions/roles.ts';
import { findDeviations } from '#test/support/recorder/deviations.ts';
import { type AwsCall, startRecorder } from '#test/support/recorder/recorder.ts';

test('an update of a count with another attribute is recorded with that attribute', async () => {
  const calls: AwsCall[] = [];
  const recorder = startRecorder((call) => calls.push(call));
  const client = DynamoDBDocumentClient.from(new DynamoDBClient());
  const count = { TableName: 'of-nobody-either', Key: { pk: 'RATE#a', sk: 'RATE#1' } };
  const values = { ':one': 1, ':list': 'KEY#key_1' };
  const names = { '#list': 'gsi1pk' };
  await createTable(client, count.TableName);
  const listed = {
    UpdateExpression: 'ADD requests :one SET #list = :list',
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  };
  await recorder.during('nobody', () => client.send(new UpdateCommand({ ...count, ...listed })));
  recorder.stop();
  expect(calls.flatMap(({ actions }) => actions)).toEqual(['dynamodb:UpdateItem of gsi1pk on RATE#*']);
});

test('a transaction is recorded with the action of each of its writes', async () => {
  const calls: AwsCall[] = [];
  const recorder = startRecorder((call) => calls.push(call));
  const client = DynamoDBDocumentClient.from(new DynamoDBClient());
  const table = { TableName: 'of-nobody-else' };
  const absent = { ConditionExpression: 'attribute_not_exists(pk)' };
  const TransactItems = [
    { ConditionCheck: { ...table, ...absent, Key: { pk: 'CHK#a', sk: 'a' } } },
    { Put: { ...table, Item: { pk: 'PAY#live#b', sk: 'b' } } },
    { Delete: { ...table, Key: { pk: 'IDEM#c', sk: 'c' } } },
    { Update: { ...table, Key: { pk: 'AUDIT#d', sk: 'd' }, UpdateExpression: 'REMOVE x' } },
  ];
  await createTable(client, table.TableName);
  await recorder.during('nobody', () => client.send(new TransactWriteCommand({ TransactItems })));
  recorder.stop();
  expect(calls).toEqual([
    {
      caller: 'nobody',
      actions: [
        'dynamodb:ConditionCheckItem on CHK#*',
        'dynamodb:PutItem on PAY#live#*',
        'dynamodb:DeleteItem on IDEM#*',
        'dynamodb:UpdateItem on AUDIT (no family)',
      ],
      queueUrl: undefined,
    },
  ]);
});

test('a test fails if its functions, or those of a local stack, make a call that their role does not allow', async () => {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient());
  const scan = () => client.send(new ScanCommand({ TableName: 'of-nobody' })).catch(() => {});
  await scan();
  expect(takeDenials()).toEqual([]);
  await inRole('verify-checkout', scan)();
  expect(takeDenials()).toEqual(['verify-checkout makes dynamodb:Scan, but its role does not allow it.']);
  await inRole('verify-checkout', () => inNoRole(scan))();
  expect(takeDenials()).toEqual([]);

  const denial = 'deliver-webhooks makes dynamodb:Scan, but its role does not allow it.';
  takeUpDenials(`The background thread ended: Error: Denied: ${denial}. Start again with: npm start\n`);
  expect(takeDenials()).toEqual([denial]);
  expect(() => inRole('verify-checkuot', scan)).toThrow('no function verify-checkuot');
});

test('the check of recorded calls reports permissions that a function lacks, and permissions that it never uses', () => {
  const env = z.object({ FIRST_QUEUE_URL: z.url(), PROVIDERS: z.string() });
  const call = (action: string, queueUrl?: string) => ({ caller: 'a-function', actions: [action], queueUrl });
  const calls = [
    call('dynamodb:GetItem on CHK#*'),
    call('dynamodb:GetItem on VA#*'),
    call('dynamodb:DeleteItem on CHK#*'),
    call('sqs:SendMessage', 'https://sqs/slow'),
  ];
  const table = { GetItem: ['CHK#*', 'KEY#*'], 'Query gsi1': ['BIZ#*#CHK'] } as const;
  const spec = { name: 'a-function', table, queue: ['SendMessage'], env } as const;
  expect(findDeviations(spec, calls, (url) => url.replace('https://sqs/', ''))).toEqual([
    'a-function makes dynamodb:DeleteItem on CHK#*, but its role does not allow it.',
    'a-function makes dynamodb:GetItem on VA#*, but its role does not allow it.',
    'a-function uses the slow queue, but its environment does not name it.',
    'a-function may make dynamodb:GetItem on KEY#*, but it never does.',
    'a-function may make dynamodb:Query gsi1 on BIZ#*#CHK, but it never does.',
    'a-function may make secretsmanager:GetSecretValue, but it never does.',
    'a-function has the first queue in its environment, but it never uses it.',
  ]);
});
