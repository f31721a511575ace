import { readFileSync } from 'node:fs';
import { toAnswer } from '#infra/ops/commands/table.ts';
import { tryTable } from '#infra/ops/table-try/try-table.ts';
import {
  type ControlAnswer,
  type ControlCall,
  startAwsControl,
  xml,
  xmlError,
} from '#test/support/emulators/aws-control.ts';
import { isLike } from '#test/support/recorder/families.ts';
import type { Printed } from '#test/support/worlds/ops-child.ts';
import { runOps } from '#test/support/worlds/ops-process.ts';

interface Statement {
  readonly Action: string;
  readonly Condition: {
    readonly 'ForAllValues:StringLike': { readonly 'dynamodb:LeadingKeys': readonly string[] };
    readonly Null?: { readonly 'dynamodb:LeadingKeys': string };
  };
}
interface Member {
  readonly Item?: { readonly pk: { readonly S: string } };
  readonly Key?: { readonly pk: { readonly S: string } };
}

/** The keys that AWS passes to the conditions of a statement. */
type PassedKeys = (member: { key: string; isInTransaction: boolean }) => readonly string[];
const EVERY_KEY: PassedKeys = ({ key }) => [key];

const ROLE = 'arn:aws:iam::111122223333:role/payments-dev-try-Role';
const ID = 'arn:aws:cloudformation:eu-west-1:111122223333:stack/payments-dev-try/1';
let aws: Awaited<ReturnType<typeof startAwsControl>>;
/** The role in the account: undefined if there is none. */
let createdRole: { statements: readonly Statement[] } | undefined;
let passedKeys: PassedKeys;
let assumeErrors: number;
let stackExists: boolean;
let failsToCreate: boolean;
/** Whether AWS cancels a denied transaction with the denial as the reason. Otherwise it denies the whole request. */
let cancelsTransaction: boolean;
/** Whether the roles allow a request without keys. */
let takesNoKeys: boolean;
let trustStatements: unknown;

const json = (status: number, body: object): ControlAnswer => ({
  status,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/x-amz-json-1.0' },
});

/** Evaluates the statements of the created role, like IAM. */
const allows = (action: string, key: string, isInTransaction: boolean): boolean => {
  const keys = passedKeys({ key, isInTransaction });
  return (createdRole?.statements ?? []).some(({ Action, Condition }) => {
    if (Action !== `dynamodb:${action}`) return false;
    if (Condition.Null?.['dynamodb:LeadingKeys'] === 'false' && keys.length === 0 && !takesNoKeys) return false;
    const families = Condition['ForAllValues:StringLike']['dynamodb:LeadingKeys'];
    return keys.every((one) => families.some((family) => isLike(family, one)));
  });
};

const ACTION = { Put: 'PutItem', Update: 'UpdateItem', ConditionCheck: 'ConditionCheckItem', Delete: 'DeleteItem' };

const dynamodb = ({ action, body, signer }: ControlCall): ControlAnswer => {
  expect(signer).toBe('ofTheRole');
  const input = JSON.parse(body);
  const isAllowed =
    action === 'PutItem'
      ? allows('PutItem', input.Item.pk.S, false)
      : input.TransactItems.every((item: Record<keyof typeof ACTION, Member>) =>
          Object.entries(item).every(([kind, { Item, Key }]) =>
            allows(ACTION[kind as keyof typeof ACTION], (Item ?? Key)?.pk.S ?? '', true),
          ),
        );
  if (!isAllowed && cancelsTransaction && action === 'TransactWriteItems') {
    const CancellationReasons = [{ Code: 'None' }, { Code: 'AccessDenied', Message: 'no' }];
    return json(400, { __type: 'TransactionCanceledException', message: 'cancelled', CancellationReasons });
  }
  return isAllowed
    ? json(200, {})
    : json(400, { __type: 'com.amazon.coral.service#AccessDeniedException', message: 'no' });
};

const stack = (status: string): string =>
  `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>payments-dev-try</StackName><StackStatus>${status}</StackStatus><CreationTime>2026-11-26T12:00:00Z</CreationTime><Outputs><member><OutputKey>TableName</OutputKey><OutputValue>tried</OutputValue></member><member><OutputKey>RoleArn</OutputKey><OutputValue>${ROLE}</OutputValue></member></Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;

const answer = (call: ControlCall): ControlAnswer => {
  if (call.service === 'dynamodb') return dynamodb(call);
  switch (call.action) {
    case 'CreateStack': {
      if (stackExists) return xmlError('AlreadyExistsException', 'It is there.');
      const { Resources } = JSON.parse(call.parameters.get('TemplateBody') ?? '{}');
      const { Policies, AssumeRolePolicyDocument } = Resources.Role.Properties;
      trustStatements = AssumeRolePolicyDocument.Statement;
      createdRole = { statements: Policies[0].PolicyDocument.Statement };
      return xml(
        `<CreateStackResponse><CreateStackResult><StackId>${ID}</StackId></CreateStackResult></CreateStackResponse>`,
      );
    }
    case 'DescribeStacks':
      return xml(stack(failsToCreate ? 'ROLLBACK_COMPLETE' : 'CREATE_COMPLETE'));
    case 'DeleteStack':
      createdRole = undefined;
      return xml('<DeleteStackResponse></DeleteStackResponse>');
    case 'AssumeRole': {
      expect(call.parameters.get('RoleArn')).toBe(ROLE);
      assumeErrors -= 1;
      if (assumeErrors >= 0) return xmlError('AccessDenied', 'It is not known here yet.', 403);
      const keys =
        '<AccessKeyId>ofTheRole</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>token</SessionToken>';
      return xml(
        `<AssumeRoleResponse><AssumeRoleResult><Credentials>${keys}<Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`,
      );
    }
    default:
      throw new Error(`Nobody asks AWS to ${call.action}.`);
  }
};

const before = { ...process.env };
beforeAll(async () => {
  aws = await startAwsControl(answer);
  Object.assign(process.env, aws.env);
});
beforeEach(() => {
  aws.calls.length = 0;
  createdRole = undefined;
  passedKeys = EVERY_KEY;
  assumeErrors = 0;
  stackExists = false;
  failsToCreate = false;
  cancelsTransaction = false;
  takesNoKeys = false;
});
afterAll(async () => {
  process.env = before;
  await aws.close();
});

const waits: number[] = [];
const tryOnAws = () => {
  waits.length = 0;
  const context = { say: () => {}, wait: async (milliseconds: number) => void waits.push(milliseconds) };
  return tryTable('dev', context);
};
const runCommand = (...args: string[]): Promise<Printed> =>
  runOps(args, { ...process.env, AWS_ENDPOINT_URL: aws.endpoint });
const listDeletedStacks = () =>
  aws.calls.filter(({ action }) => action === 'DeleteStack').map(({ parameters }) => parameters.get('StackName'));

describe('a try of transactions in a stage on AWS', () => {
  test('reports green if AWS knows the key of each write in a transaction, and deletes everything at the end', async () => {
    const { code, out } = await runCommand('--stage', 'dev', 'table', 'try');
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/Green\. AWS applies the key conditions of roles within transactions too/),
    ]);
    expect(listDeletedStacks()).toEqual([ID]);
    const asked = aws.calls.filter(({ service }) => service === 'dynamodb').map(({ action }) => action);
    expect(asked).toEqual(['PutItem', 'TransactWriteItems', 'PutItem', 'TransactWriteItems']);
  });

  test('reports after a minute if AWS does not pass the keys within transactions', async () => {
    passedKeys = ({ key, isInTransaction }) => (isInTransaction ? [] : [key]);
    expect(await tryOnAws()).toEqual({
      alone: 'allowed',
      together: 'refused',
      foreignAlone: 'refused',
      foreignTogether: 'refused',
    });
    expect(waits.reduce((sum, one) => sum + one, 0)).toBe(60_000);
    expect(listDeletedStacks()).toEqual([ID]);
  });

  test('reports that AWS does not pass the keys, also if AWS denies a single write of the transaction', async () => {
    passedKeys = ({ key, isInTransaction }) => (isInTransaction ? [] : [key]);
    cancelsTransaction = true;
    expect(await tryOnAws()).toMatchObject({ alone: 'allowed', together: 'refused', foreignTogether: 'refused' });
  });

  test('reports that roles allow every key family in transactions, if its advice to allow requests without keys was followed', async () => {
    passedKeys = ({ key, isInTransaction }) => (isInTransaction ? [] : [key]);
    takesNoKeys = true;
    const outcomes = await tryOnAws();
    expect(outcomes).toEqual({
      alone: 'allowed',
      together: 'allowed',
      foreignAlone: 'refused',
      foreignTogether: 'allowed',
    });
    expect(toAnswer(outcomes).failure).toMatch(/^AWS allows every key family within a transaction\./);
  });

  test('lets only identities of the account assume the role', async () => {
    await tryOnAws();
    expect(trustStatements).toEqual([
      { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { AWS: { Ref: 'AWS::AccountId' } } },
    ]);
  });

  test('notices conditions that AWS does not apply', async () => {
    passedKeys = () => ['TRYPUT#1'];
    expect(await tryOnAws()).toMatchObject({ alone: 'allowed', foreignAlone: 'allowed', foreignTogether: 'allowed' });
  });

  test('waits for a role that AWS does not know yet', async () => {
    assumeErrors = 3;
    expect(await tryOnAws()).toMatchObject({ alone: 'allowed', together: 'allowed' });
    expect(waits).toEqual([3_000, 3_000, 3_000]);
  });

  test('deletes the stack if it cannot be created, and says where to find the reason', async () => {
    failsToCreate = true;
    await expect(tryOnAws()).rejects.toThrow(`aws cloudformation describe-stack-events --stack-name ${ID}`);
    expect(listDeletedStacks()).toEqual([ID]);
  });

  test('leaves the stack of another try alone', async () => {
    stackExists = true;
    await expect(tryOnAws()).rejects.toThrow(
      'delete it with: aws cloudformation delete-stack --stack-name payments-dev-try',
    );
    expect(listDeletedStacks()).toEqual([]);
  });

  test.each([
    [{ alone: 'refused' }, /^The role may not even write outside a transaction.* service control policy/],
    [
      { together: 'refused' },
      /^AWS does not set dynamodb:LeadingKeys within transactions, .* no payment could land\. Deploy no stage that takes money\. Remove the line "Null" from familyCondition in infra\/role-conditions\.ts/,
    ],
    [
      { foreignAlone: 'allowed', foreignTogether: 'allowed' },
      /^AWS does not apply the conditions on keys.* Deploy no stage that takes money/,
    ],
    [{ foreignTogether: 'allowed' }, /^AWS allows every key family within a transaction/],
    [{ foreignAlone: 'allowed' }, /^AWS applies the conditions on keys only within transactions/],
  ] as const)('says what the outcome %j means and what to do, and is not green', (outcome, sentence) => {
    const good = {
      alone: 'allowed',
      together: 'allowed',
      foreignAlone: 'refused',
      foreignTogether: 'refused',
    } as const;
    const answer = toAnswer({ ...good, ...outcome });
    expect(answer.failure).toMatch(sentence);
    expect(answer.json).toMatchObject({ green: false });
    expect(toAnswer(good).failure).toBeUndefined();
  });

  test('comes first in the document on the first deployment', () => {
    const [, command] = /```sh\n(.*)\n/.exec(readFileSync('docs/operating/first-deployment.md', 'utf8')) ?? [];
    expect(command).toBe('npm run --silent ops -- --stage dev table try');
  });

  test('refuses the local stack, which checks no permissions', async () => {
    const { code, err } = await runCommand('table', 'try');
    expect([code, err]).toEqual([
      1,
      'Error: The local stack checks no permissions. Give a stage on AWS, such as --stage dev\n',
    ]);
  });
});
