import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { FUNCTIONS } from '#infra/functions.ts';
import { inNoRole, inRole, takeRefusals, takeUpRefusals } from '#test/support/permissions/roles.ts';
import { beyondRole, type LaneOf, unusedOf } from '#test/support/recorder/deviations.ts';
import type { AwsCall } from '#test/support/recorder/recorder.ts';
import { liveMode } from '#test/support/recorder/scene-live-mode.ts';
import { publicPaths, testMode } from '#test/support/recorder/scene-test-mode.ts';
import { webhooks } from '#test/support/recorder/scene-webhooks.ts';
import { openRecordedStage, type RecordedStage } from '#test/support/recorder/stage.ts';

/** Where the manifest and what a function was seen to do are not the same. */
const deviationsOf = (
  spec: Parameters<typeof beyondRole>[0],
  calls: readonly AwsCall[],
  laneOf: LaneOf,
): readonly string[] => {
  const made = calls.filter(({ caller }) => caller === spec.name);
  return [...beyondRole(spec, made, laneOf), ...unusedOf(spec, made, laneOf)];
};

describe('the manifest allows each function what it does and no more', () => {
  let stage: RecordedStage;
  let seen: readonly string[];
  beforeAll(async () => {
    stage = await openRecordedStage();
    for (const scene of [publicPaths, testMode, webhooks, liveMode]) await scene(stage);
    seen = FUNCTIONS.flatMap((spec) => deviationsOf(spec, stage.calls, stage.laneOf));
  }, 600_000);
  afterAll(() => stage?.stop());

  test.each(FUNCTIONS.map(({ name }) => name))('%s', (name) => {
    expect(stage.invoked).toContain(name);
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
    await stage.during('nobody', () => client.send(new TransactWriteCommand({ TransactItems })));
    expect(stage.calls.filter(({ caller }) => caller === 'nobody')).toEqual([
      {
        caller: 'nobody',
        actions: ['dynamodb:ConditionCheckItem', 'dynamodb:PutItem', 'dynamodb:DeleteItem', 'dynamodb:UpdateItem'],
        queueUrl: undefined,
      },
    ]);
  });
});

test('a test fails with what its functions ask for beyond their roles, and with what a stack was refused as it ended', async () => {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient());
  const scan = () => client.send(new ScanCommand({ TableName: 'of-nobody' })).catch(() => {});
  await scan();
  expect(takeRefusals()).toEqual([]);
  await inRole('verify-checkout', scan)();
  expect(takeRefusals()).toEqual(['verify-checkout makes dynamodb:Scan, but its role does not allow it.']);
  await inRole('verify-checkout', () => inNoRole(scan))();
  expect(takeRefusals()).toEqual([]);

  const said = 'deliver-webhooks makes dynamodb:Scan, but its role does not allow it.';
  takeUpRefusals(`The background thread ended: Error: Refused: ${said}. Start again with: npm start\n`);
  expect(takeRefusals()).toEqual([said]);
  expect(() => inRole('verify-checkuot', scan)).toThrow('no function verify-checkuot');
});

test('one action more or less than the role has is reported, and so are a secret and a queue', () => {
  const env = z.object({ FIRST_QUEUE_URL: z.url(), PROVIDERS: z.string() });
  const call = (action: string, queueUrl?: string) => ({ caller: 'a-function', actions: [action], queueUrl });
  const calls = [call('dynamodb:DeleteItem'), call('sqs:SendMessage', 'https://sqs/slow')];
  const spec = { name: 'a-function', table: ['Query'], queue: ['SendMessage'], env } as const;
  expect(deviationsOf(spec, calls, (url) => url.replace('https://sqs/', ''))).toEqual([
    'a-function makes dynamodb:DeleteItem, but its role does not allow it.',
    'a-function uses the slow queue, but its environment does not name it.',
    'a-function may make dynamodb:Query, but it never does.',
    'a-function may make secretsmanager:GetSecretValue, but it never does.',
    'a-function has the first queue in its environment, but it never uses it.',
  ]);
});
