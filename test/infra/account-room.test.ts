import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { readStageSettings } from '#infra/config.ts';
import type { StageSettings } from '#infra/constructs/stage-settings.ts';
import { ensureExecutionsFree } from '#infra/ops/account-room.ts';
import {
  type ControlAnswer,
  type ControlCall,
  startAwsControl,
  xml,
  xmlError,
} from '#test/support/emulators/aws-control.ts';
import { longTest } from '#test/support/jest/long.ts';

const ACCOUNT = '111122223333';
/** The variables that CDK sets if it has found credentials. */
const CREDENTIALS_FOUND = { CDK_DEFAULT_ACCOUNT: ACCOUNT, CDK_DEFAULT_REGION: 'eu-west-1' };

const before = { ...process.env };
let aws: Awaited<ReturnType<typeof startAwsControl>>;
let account: { limit: number; unreserved: number; hasStage: boolean };
/** Whether the CloudFormation stack of the stage has outputs. A stack whose creation was rolled back has none. */
let hasOutputs: boolean;
/** The error that AWS answers to every call, if it is set. */
let awsError: ControlAnswer | undefined;

const answer = ({ service, path }: ControlCall): ControlAnswer => {
  if (awsError) return awsError;
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
  awsError = undefined;
});
afterAll(async () => {
  process.env = before;
  await aws.close();
});

/** Checks a stage. Returns the message of the error, or the warnings. */
const check = async (
  stage: string,
  env: NodeJS.ProcessEnv = CREDENTIALS_FOUND,
  changes: Partial<StageSettings> = {},
) => {
  const warnings: string[] = [];
  try {
    await ensureExecutionsFree({ ...readStageSettings(stage), ...changes }, env, (sentence) => warnings.push(sentence));
    return warnings;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('the check of the account’s Lambda executions', () => {
  test('refuses a new account with ten executions, and says how many to request', async () => {
    account = { limit: 10, unreserved: 10, hasStage: false };
    expect(await check('staging')).toBe(
      'Stage "staging" reserves 68 Lambda executions, and AWS keeps 100 unreserved, but account 111122223333 has 10 in eu-west-1. Request at least 1000 first (docs/operating/first-deployment.md section 1), or set concurrency.reserved: false.',
    );
  });

  const quota = { concurrency: { ...readStageSettings('staging').concurrency, quota: 400 } };

  test('asks for a limit that is also enough for the quota in the settings', async () => {
    account = { limit: 10, unreserved: 10, hasStage: false };
    expect(await check('staging', CREDENTIALS_FOUND, quota)).toContain('Request at least 400 first');
    account = { limit: 400, unreserved: 400, hasStage: false };
    expect(await check('staging', CREDENTIALS_FOUND, quota)).toEqual([]);
  });

  test('knows that a stage reserves nothing after its first deployment was rolled back', async () => {
    account = { limit: 400, unreserved: 105, hasStage: true };
    hasOutputs = false;
    expect(await check('staging', CREDENTIALS_FOUND, quota)).toContain('only 105 of the 400');
  });

  test('refuses an account in which too much is reserved, unless the stage has already reserved its part', async () => {
    account = { limit: 400, unreserved: 105, hasStage: false };
    expect(await check('staging', CREDENTIALS_FOUND, quota)).toBe(
      'Stage "staging" reserves 68 Lambda executions, and AWS keeps 100 unreserved, but only 105 of the 400 that account 111122223333 has in eu-west-1 are unreserved. Request at least 463 first (docs/operating/first-deployment.md section 1), or set concurrency.reserved: false.',
    );
    account.hasStage = true;
    expect(await check('staging', CREDENTIALS_FOUND, quota)).toEqual([]);
  });

  test('refuses an account with fewer executions than the quota in the settings', async () => {
    account = { limit: 500, unreserved: 500, hasStage: true };
    expect(await check('staging')).toBe(
      'Correct stage "staging" in infra/config.ts: concurrency.quota is 1000, but account 111122223333 has 500 Lambda executions in eu-west-1: request 1000, or set it to 500.',
    );
  });

  test('accepts an account with enough executions', async () => {
    expect(await check('staging')).toEqual([]);
    expect(aws.calls.length).toBeGreaterThan(0);
  });

  test('does not call AWS without credentials, for another account than the stage’s, or if nothing is reserved', async () => {
    account = { limit: 10, unreserved: 10, hasStage: false };
    expect(await check('staging', {})).toEqual([]);
    expect(await check('staging', { ...CREDENTIALS_FOUND, CDK_DEFAULT_ACCOUNT: '' })).toEqual([]);
    expect(await check('staging', CREDENTIALS_FOUND, { account: '444455556666' })).toEqual([]);
    expect(await check('dev')).toEqual([]);
    expect(aws.calls).toEqual([]);
  });

  test('only warns if AWS does not tell the limit', async () => {
    awsError = {
      status: 403,
      body: '{"message": "no"}',
      headers: { 'x-amzn-errortype': 'AccessDeniedException' },
    };
    expect(await check('staging')).toEqual([
      'The Lambda limit of the account could not be read (AccessDeniedException), so the executions that stage "staging" reserves were not checked. Make sure that "aws lambda get-account-settings" shows at least 1000 concurrent executions.',
    ]);
  });

  longTest('runs in the CDK app before anything is built', async () => {
    account = { limit: 10, unreserved: 10, hasStage: false };
    const env = { ...before, ...aws.env, ...CREDENTIALS_FOUND, CDK_CONTEXT_JSON: '{"stage": "staging"}' };
    const app = spawn(process.execPath, ['infra/app.ts'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const [output, code] = await Promise.all([text(app.stderr), new Promise((resolve) => app.once('exit', resolve))]);
    expect([code, output]).toEqual([1, expect.stringMatching(/^Stage "staging" reserves 68 Lambda executions, .*\n$/)]);
  });
});
