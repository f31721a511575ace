import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { FUNCTIONS } from '#infra/functions.ts';
import { deviationsOf } from '#test/support/recorder-deviations.ts';
import { liveMode } from '#test/support/recorder-scene-live-mode.ts';
import { publicPaths, testMode } from '#test/support/recorder-scene-test-mode.ts';
import { webhooks } from '#test/support/recorder-scene-webhooks.ts';
import { openRecordedStage, type RecordedStage } from '#test/support/recorder-stage.ts';

describe('the manifest allows each function what it does and no more', () => {
  let stage: RecordedStage;
  let seen: readonly string[];
  beforeAll(async () => {
    stage = await openRecordedStage();
    for (const scene of [publicPaths, testMode, webhooks, liveMode]) await scene(stage);
    seen = FUNCTIONS.flatMap((spec) => deviationsOf(spec, stage.recorder.calls, stage.queueUrls));
  }, 240_000);
  afterAll(() => stage?.stop());

  test.each(FUNCTIONS.map(({ name }) => name))('%s', (name) => {
    expect(stage.recorder.invoked).toContain(name);
    expect(seen.filter((sentence) => sentence.startsWith(`${name} `))).toEqual([]);
  });

  test('no transaction, batch or check of a member goes unseen', async () => {
    const client = DynamoDBDocumentClient.from(new DynamoDBClient());
    const of = { TableName: process.env.TABLE_NAME };
    const absent = { ConditionExpression: 'attribute_not_exists(pk)' };
    const TransactItems = [
      { ConditionCheck: { ...of, ...absent, Key: { pk: 'a', sk: 'a' } } },
      { Put: { ...of, Item: { pk: 'b', sk: 'b' } } },
      { Delete: { ...of, Key: { pk: 'c', sk: 'c' } } },
      { Update: { ...of, Key: { pk: 'd', sk: 'd' }, UpdateExpression: 'REMOVE x' } },
    ];
    await stage.recorder.during('nobody', () => client.send(new TransactWriteCommand({ TransactItems })));
    expect(stage.recorder.calls.filter(({ caller }) => caller === 'nobody')).toEqual([
      {
        caller: 'nobody',
        actions: ['dynamodb:ConditionCheckItem', 'dynamodb:PutItem', 'dynamodb:DeleteItem', 'dynamodb:UpdateItem'],
        queueUrl: undefined,
      },
    ]);
  });
});

test('a role with one action more or less is told, and so are a secret and a queue', () => {
  const queueUrls = { first: 'https://sqs/first', retry: 'https://sqs/retry', slow: 'https://sqs/slow' };
  const env = z.object({ FIRST_QUEUE_URL: z.url(), PROVIDERS: z.string() });
  const call = (action: string, queueUrl?: string) => ({ caller: 'a-function', actions: [action], queueUrl });
  const calls = [call('dynamodb:DeleteItem'), call('sqs:SendMessage', queueUrls.slow)];
  const spec = { name: 'a-function', table: ['Query'], queue: ['SendMessage'], env } as const;
  expect(deviationsOf(spec, calls, queueUrls)).toEqual([
    'a-function makes dynamodb:DeleteItem, but its role does not allow it.',
    'a-function may make dynamodb:Query, but it never does.',
    'a-function may make secretsmanager:GetSecretValue, but it never does.',
    'a-function uses the slow queue, but it is not told of it.',
    'a-function is told of the first queue, but it never uses it.',
  ]);
});
