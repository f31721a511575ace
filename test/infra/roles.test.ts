import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { ALL_FUNCTIONS } from '#infra/dashboard-functions.ts';
import { addStage } from '#infra/stacks/payments-app.ts';
import { listRights, type TableAction } from '#infra/table-rights.ts';
import { OPERATORS_FAMILIES, TABLE_FAMILIES } from '#shared/platform/table/families.ts';
import { makeDeployableStage } from '#test/support/deployable-stage.ts';
import { isLike } from '#test/support/recorder/families.ts';

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

const scratch = mkdtempSync(join(tmpdir(), 'payments-roles-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** The statements of every role, by the name of the function. */
const rolesOf = (stage: string): ReadonlyMap<string, readonly Statement[]> => {
  const code = join(scratch, 'code');
  mkdirSync(code);
  writeFileSync(join(code, 'index.js'), '');
  const app = new App({ outdir: join(scratch, 'out'), stackTraces: false, builtinCloudFormationValidation: false });
  const { api, dashboard } = addStage(app, makeDeployableStage(stage), () => code);
  const assembly = app.synth();
  return new Map(
    [api, dashboard].flatMap((stack) => {
      const { Resources } = assembly.getStackByName(stack?.stackName ?? '').template;
      // biome-ignore lint/suspicious/noExplicitAny: a template has no exact type.
      const lambdas = Object.values<any>(Resources).filter(({ Type }) => Type === 'AWS::Lambda::Function');
      return lambdas.map(({ Properties }) => {
        const { Policies } = Resources[Properties.Role['Fn::GetAtt'][0]].Properties;
        expect(Policies).toHaveLength(1);
        return [
          Properties.FunctionName.replace(`payments-${stage}-`, ''),
          Policies[0].PolicyDocument.Statement,
        ] as const;
      });
    }),
  );
};

const listOf = <T>(value: T | readonly T[] | undefined): readonly T[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value as T];
const actionsOf = ({ Action }: Statement): string[] => listOf(Action).map((action) => action.replace('dynamodb:', ''));
const familiesOf = ({ Condition }: Statement): readonly string[] =>
  listOf(Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys']);
/** The index of a statement; undefined for the table. */
const indexOf = ({ Resource }: Statement): string | undefined => /\/index\/(\w+)/.exec(JSON.stringify(Resource))?.[1];
const nameOf = (action: string, index?: string): string => (index === undefined ? action : `${action} ${index}`);

/** Whether statements allow an action of the manifest on these partition keys, as IAM evaluates them. */
const allows = (
  statements: readonly Statement[],
  named: TableAction,
  keys: readonly string[],
  attributes: readonly string[] = [],
): boolean =>
  statements.some((statement) => {
    const isMeant = actionsOf(statement).some((action) => nameOf(action, indexOf(statement)) === named);
    const { Null } = statement.Condition ?? {};
    if (!isMeant || (Null?.['dynamodb:LeadingKeys'] === 'false' && keys.length === 0)) return false;
    const allowed = statement.Condition?.['ForAllValues:StringEquals']?.['dynamodb:Attributes'];
    if (allowed && !attributes.every((attribute) => allowed.includes(attribute))) return false;
    return keys.every((key) => familiesOf(statement).some((family) => isLike(family, key)));
  });

const ACTIONS: readonly TableAction[] = [
  'GetItem',
  'BatchGetItem',
  'Query',
  'Query gsi1',
  'Query gsi2',
  'Query gsi3',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'ConditionCheckItem',
];
const WRITES: readonly TableAction[] = ['PutItem', 'UpdateItem', 'DeleteItem'];
/** The IAM quota for all inline policies of a role, in characters without white space. */
const LONGEST_POLICY = 10_240;
/** The ARN of a table with the longest possible name. The ARNs of queues are shorter. */
const LONG_ARN = `arn:aws:dynamodb:ap-southeast-1:123456789012:table/${'t'.repeat(255)}/index/gsi1`;

const roles = rolesOf('prod');
const onTable = (name: string): readonly Statement[] =>
  (roles.get(name) ?? []).filter(({ Action }) => JSON.stringify(Action).includes('dynamodb:'));

/** The functions that may write a partition key. */
const writersOf = (key: string): readonly string[] =>
  ALL_FUNCTIONS.map(({ name }) => name).filter((name) => WRITES.some((action) => allows(onTable(name), action, [key])));

describe.each(ALL_FUNCTIONS.map((spec) => [spec.name, spec] as const))('the role of %s', (name, spec) => {
  test('allows each action of the manifest on its key families and on no other', () => {
    const pairs = onTable(name).flatMap((statement) =>
      actionsOf(statement).map((action) => [nameOf(action, indexOf(statement)), familiesOf(statement)] as const),
    );
    const allowed = [...Map.groupBy(pairs, ([action]) => action)].map(([action, pairsOfAction]) => [
      action,
      pairsOfAction.flatMap(([, families]) => families).sort(),
    ]);
    const wanted = listRights(spec).map(([action, families]) => [action, [...families].sort()]);
    expect(allowed.sort()).toEqual(wanted.sort());
  });

  test('demands partition keys in every request to the table', () => {
    for (const { Effect, Condition } of onTable(name)) {
      expect(Effect).toBe('Allow');
      expect(Object.keys(Condition ?? {})).toEqual(expect.arrayContaining(['ForAllValues:StringLike', 'Null']));
      expect(Condition?.Null).toEqual({ 'dynamodb:LeadingKeys': 'false' });
    }
    for (const action of ACTIONS) expect(allows(onTable(name), action, [])).toBe(false);
  });

  test('allows nothing in the partitions that only operators use', () => {
    for (const family of OPERATORS_FAMILIES) {
      const key = family.replace('*', 'biz');
      for (const action of ACTIONS) expect(allows(onTable(name), action, [key])).toBe(false);
    }
  });

  test('fits into an inline policy', () => {
    const longest = (roles.get(name) ?? []).map((statement) => ({
      ...statement,
      Resource: listOf(statement.Resource).map(() => LONG_ARN),
    }));
    const policy = JSON.stringify({ Version: '2012-10-17', Statement: longest });
    expect(policy.replaceAll(/\s/g, '').length).toBeLessThan(LONGEST_POLICY);
  });
});

test('verify-checkout reads only the caller and the checkout, and writes only the request count and the time of the key’s last use', () => {
  expect(onTable('verify-checkout').map(({ Action, Condition }) => ({ Action, Condition }))).toEqual([
    {
      Action: 'dynamodb:GetItem',
      Condition: {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['BIZ#*', 'CHK#*', 'KEY#*', 'SES#*'] },
        Null: { 'dynamodb:LeadingKeys': 'false' },
      },
    },
    {
      Action: 'dynamodb:UpdateItem',
      Condition: {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['RATE#*'] },
        Null: { 'dynamodb:LeadingKeys': 'false' },
        'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', 'requests', 'ttl'] },
        StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE', 'UPDATED_NEW', 'UPDATED_OLD'] },
      },
    },
    {
      Action: 'dynamodb:UpdateItem',
      Condition: {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['LAST#*'] },
        Null: { 'dynamodb:LeadingKeys': 'false' },
        'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', 'usedAt', 'ttl'] },
        StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE', 'UPDATED_NEW', 'UPDATED_OLD'] },
      },
    },
  ]);
});

test('a function that updates counts or leases cannot add their items to the index of a list', () => {
  const statements = ALL_FUNCTIONS.flatMap(({ name }) => onTable(name));
  const updateWithIndexKey = { action: 'UpdateItem', attributes: ['pk', 'sk', 'ttl', 'gsi1pk'] } as const;
  for (const key of [
    'RATE#one',
    'LAST#one',
    'USED#creations#one',
    'USED#page#one',
    'HAND#biz_one',
    'LEASE#requery#one',
  ]) {
    expect(allows(statements, 'UpdateItem', [key])).toBe(true);
    expect(allows(statements, updateWithIndexKey.action, [key], updateWithIndexKey.attributes)).toBe(false);
    expect(allows(statements, 'PutItem', [key])).toBe(false);
  }
});

test('the function that sets the profile of a business changes only the copies of the profile on its API keys', () => {
  const statements = onTable('update-business');
  const named = ['pk', 'sk', 'businessDisplayName', 'businessIsRouted'];
  expect(allows(statements, 'UpdateItem', ['KEY#one'], named)).toBe(true);
  for (const other of ['revokedAt', 'businessId', 'ipWhitelist', 'hash', 'ttl', 'gsi1pk', 'gsi1sk']) {
    expect(allows(statements, 'UpdateItem', ['KEY#one'], [...named, other])).toBe(false);
  }
  for (const action of ['PutItem', 'DeleteItem'] as const) expect(allows(statements, action, ['KEY#one'])).toBe(false);
});

test('only the function that sets the profile writes logos, and the function that serves them reads nothing else', () => {
  expect(writersOf('LOGO#one')).toEqual(['update-business']);
  const statements = onTable('serve-logo');
  expect(allows(statements, 'GetItem', ['LOGO#one'])).toBe(true);
  for (const key of ['BIZ#one', 'CHK#one', 'KEY#one', 'SES#one']) {
    expect(allows(statements, 'GetItem', [key])).toBe(false);
  }
});

test('an action on the table or an index is in one statement, unless it is an update, so that a batch may use all its key families', () => {
  for (const { name } of ALL_FUNCTIONS) {
    const actions = onTable(name).flatMap((statement) =>
      actionsOf(statement).map((action) => nameOf(action, indexOf(statement))),
    );
    const once = actions.filter((action) => action !== 'UpdateItem');
    expect(once.sort()).toEqual([...new Set(once)]);
  }
});

test('a batch with one key of another family is denied completely', () => {
  const statements = onTable('list-checkouts');
  expect(allows(statements, 'BatchGetItem', ['CHK#one', 'CHK#two'])).toBe(true);
  expect(allows(statements, 'BatchGetItem', ['CHK#one', 'VA#two'])).toBe(false);
  expect(allows(statements, 'Query gsi1', ['BIZ#one#live#CHK'])).toBe(true);
  expect(allows(statements, 'Query gsi1', ['BIZ#one#live#VA'])).toBe(false);
});

test('no function changes or deletes records of what members did', () => {
  for (const { name } of ALL_FUNCTIONS) {
    expect(allows(onTable(name), 'UpdateItem', ['ALOG#biz_one'])).toBe(false);
    expect(allows(onTable(name), 'DeleteItem', ['ALOG#biz_one'])).toBe(false);
  }
});

test('no API function writes API keys, members, sessions or assignments of operators, and no sandbox function writes live payments', () => {
  const ofKeys = ['create-key', 'roll-key', 'revoke-key', 'set-key-whitelist'];
  expect(writersOf('KEY#one')).toEqual([...ofKeys, 'update-business']);
  const ofPasskeys = ['add-passkey', 'remove-passkey', 'use-passkey'];
  expect(writersOf('USR#one')).toEqual(['invite-member', 'remove-member', 'reset-member-passkeys', ...ofPasskeys]);
  expect(writersOf('SES#one')).toEqual([
    'reset-member-passkeys',
    'finish-sign-in',
    'show-me',
    'sign-out',
    'end-session',
    'remove-passkey',
    'use-passkey',
  ]);
  expect(writersOf('PREF#live#paystack#one')).toEqual([]);
  expect(writersOf('PAY#test#paystack#transfer#one').filter((name) => name.startsWith('simulate-'))).toHaveLength(3);
  expect(writersOf('PAY#live#paystack#transfer#one').filter((name) => name.startsWith('simulate-'))).toEqual([]);
  // The keys of checkouts and events have no mode, so only the code separates the modes there (0021-roles-by-key-family.md).
  expect(writersOf('CHK#one')).toEqual(expect.arrayContaining(['simulate-checkout-payment', 'simulate-on-page']));
});

test('counts and leases are changed only by the functions that they limit', () => {
  const updaters = (key: string): readonly string[] =>
    ALL_FUNCTIONS.map(({ name }) => name).filter((name) => allows(onTable(name), 'UpdateItem', [key]));
  expect(updaters('USED#creations#paystack#one#secret')).toEqual([
    'create-virtual-accounts',
    'initialize-checkout',
    'open-another-account',
    'open-another-account-on-page',
  ]);
  expect(updaters('USED#page#one')).toEqual(['report-transfer', 'simulate-on-page']);
  expect(updaters('LEASE#recovery#one')).toEqual(['recover-webhook-endpoint']);
  expect(updaters('LEASE#requery#one')).toEqual(['requery-checkout', 'report-transfer']);
  expect(updaters('HAND#whe_one')).toEqual(['test-webhook-endpoint', 'recover-webhook-endpoint', 'redeliver-event']);
});

test('every key family of the table is used by some function', () => {
  const touched = new Set<string>(
    ALL_FUNCTIONS.flatMap((spec) => listRights(spec).flatMap(([, families]) => families)),
  );
  expect(TABLE_FAMILIES.filter((family) => !touched.has(family))).toEqual([]);
});
