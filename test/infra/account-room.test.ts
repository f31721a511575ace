import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { readStageSettings } from '#infra/config.ts';
import type { StageSettings } from '#infra/constructs/stage-settings.ts';
import { ensureRoom } from '#infra/ops/account-room.ts';
import {
  type ControlAnswer,
  type ControlCall,
  startAwsControl,
  xml,
  xmlError,
} from '#test/support/emulators/aws-control.ts';
import { longTest } from '#test/support/jest/long.ts';

const ACCOUNT = '111122223333';
/** What CDK gives an app where it has found credentials. */
const FOUND = { CDK_DEFAULT_ACCOUNT: ACCOUNT, CDK_DEFAULT_REGION: 'eu-west-1' };

const before = { ...process.env };
let aws: Awaited<ReturnType<typeof startAwsControl>>;
let account: { limit: number; unreserved: number; hasStage: boolean };
/** A stack whose creation was rolled back has none. */
let hasOutputs: boolean;
let expectedError: ControlAnswer | undefined;

const answer = ({ service, path }: ControlCall): ControlAnswer => {
  if (expectedError) return expectedError;
  if (service === 'lambda' && path.startsWith('/2016-08-19/account-settings')) {
    const limits = { ConcurrentExecutions: account.limit, UnreservedConcurrentExecutions: account.unreserved };
    return { body: JSON.stringify({ AccountLimit: limits }), headers: { 'content-type': 'application/json' } };
  }
  if (!account.hasStage) return xmlError('ValidationError', 'Stack with id payments-staging-api does not exist');
  const stack = `<StackName>payments-staging-api</StackName><StackStatus>${hasOutputs ? 'CREATE' : 'ROLLBACK'}_COMPLETE</StackStatus>`;
  const output = '<member><OutputKey>BaseUrl</OutputKey><OutputValue>https://api.example.com</OutputValue></member>';
  const at = '<CreationTime>2026-11-26T12:00:00Z</CreationTime>';
  return xml(
    `<DescribeStacksResponse><DescribeStacksResult><Stacks><member>${stack}${at}<Outputs>${hasOutputs ? output : ''}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
  );
};

beforeAll(async () => {
  aws = await startAwsControl(answer);
  Object.assign(process.env, aws.env);
});
beforeEach(() => {
  aws.calls.length = 0;
  account = { limit: 1_000, unreserved: 1_000, hasStage: false };
  hasOutputs = true;
  expectedError = undefined;
});
afterAll(async () => {
  process.env = before;
  await aws.close();
});

/** What the check of a stage says: its refusal, or its warnings. */
const checked = async (stage: string, env: NodeJS.ProcessEnv = FOUND, more: Partial<StageSettings> = {}) => {
  const warnings: string[] = [];
  try {
    await ensureRoom({ ...readStageSettings(stage), ...more }, env, (sentence) => warnings.push(sentence));
    return warnings;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('before anything is created', () => {
  test('a new account, which has ten executions, is refused with what to ask for', async () => {
    account = { limit: 10, unreserved: 10, hasStage: false };
    expect(await checked('staging')).toBe(
      'Stage "staging" reserves 68 executions of Lambda, and AWS keeps 100 unreserved, but account 111122223333 has 10 in eu-west-1: request at least 1000 first (docs/operating/first-deployment.md section 1), or write concurrency.reserved: false.',
    );
  });

  const quota = { concurrency: { ...readStageSettings('staging').concurrency, quota: 400 } };

  test('what is to be asked for is enough for the settings too, whose quota other settings follow from', async () => {
    account = { limit: 10, unreserved: 10, hasStage: false };
    expect(await checked('staging', FOUND, quota)).toContain('request at least 400 first');
    account = { limit: 400, unreserved: 400, hasStage: false };
    expect(await checked('staging', FOUND, quota)).toEqual([]);
  });

  test('a stage whose first deployment was rolled back is not there: it reserves nothing', async () => {
    account = { limit: 400, unreserved: 105, hasStage: true };
    hasOutputs = false;
    expect(await checked('staging', FOUND, quota)).toContain('only 105 of the 400');
  });

  test('an account in which others reserve too much is refused, unless the stage is there already and its own are among them', async () => {
    account = { limit: 400, unreserved: 105, hasStage: false };
    expect(await checked('staging', FOUND, quota)).toBe(
      'Stage "staging" reserves 68 executions of Lambda, and AWS keeps 100 unreserved, but only 105 of the 400 that account 111122223333 has in eu-west-1 are unreserved: request at least 463 first (docs/operating/first-deployment.md section 1), or write concurrency.reserved: false.',
    );
    account.hasStage = true;
    expect(await checked('staging', FOUND, quota)).toEqual([]);
  });

  test('an account that has less than the settings say is refused, since other settings follow from it', async () => {
    account = { limit: 500, unreserved: 500, hasStage: true };
    expect(await checked('staging')).toBe(
      'Correct stage "staging" in infra/config.ts: concurrency.quota says 1000, but account 111122223333 has 500 executions of Lambda in eu-west-1: request 1000, or write 500.',
    );
  });

  test('an account with room is not', async () => {
    expect(await checked('staging')).toEqual([]);
    expect(aws.calls.length).toBeGreaterThan(0);
  });

  test('nobody is asked without credentials, for another account than the stage’s, or where nothing is reserved', async () => {
    account = { limit: 10, unreserved: 10, hasStage: false };
    expect(await checked('staging', {})).toEqual([]);
    expect(await checked('staging', { ...FOUND, CDK_DEFAULT_ACCOUNT: '' })).toEqual([]);
    expect(await checked('staging', FOUND, { account: '444455556666' })).toEqual([]);
    expect(await checked('dev')).toEqual([]);
    expect(aws.calls).toEqual([]);
  });

  test('what AWS does not tell is no refusal: a sentence says what to look at', async () => {
    expectedError = {
      status: 403,
      body: '{"message": "no"}',
      headers: { 'x-amzn-errortype': 'AccessDeniedException' },
    };
    expect(await checked('staging')).toEqual([
      'Nobody has compared what stage "staging" reserves with what the account has (AccessDeniedException): see that "aws lambda get-account-settings" says at least 1000.',
    ]);
  });

  longTest('the app of CDK refuses before it builds anything', async () => {
    account = { limit: 10, unreserved: 10, hasStage: false };
    const env = { ...before, ...aws.env, ...FOUND, CDK_CONTEXT_JSON: '{"stage": "staging"}' };
    const app = spawn(process.execPath, ['infra/app.ts'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const [said, code] = await Promise.all([text(app.stderr), new Promise((resolve) => app.once('exit', resolve))]);
    expect([code, said]).toEqual([1, expect.stringMatching(/^Stage "staging" reserves 68 executions .*\n$/)]);
  });
});
