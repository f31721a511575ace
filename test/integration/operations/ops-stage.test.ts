import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFaultProxy } from '#test/support/emulators/fault-proxy.ts';
import { findQuietPort } from '#test/support/emulators/quiet-port.ts';
import { WEBHOOK_KEY } from '#test/support/worlds/keys.ts';
import { runOps } from '#test/support/worlds/ops-process.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

type Outputs = Readonly<Record<string, string>>;
/** The answer of CloudFormation about a stack: its outputs, or the status, code and message of an error. */
type Described = Outputs | readonly [status: number, code: string, message: string];

const BASE_URL = 'https://abc123.execute-api.eu-west-1.amazonaws.com';

const outputsXml = (outputs: Outputs): string => {
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult>
    <Stacks><member><StackName>any</StackName><StackStatus>CREATE_COMPLETE</StackStatus>
    <CreationTime>2026-11-20T12:00:00Z</CreationTime><Outputs>${members.join('')}</Outputs></member></Stacks>
    </DescribeStacksResult></DescribeStacksResponse>`;
};

const IDENTITY = 'arn:aws:sts::111122223333:assumed-role/payments-operator/ada';

const identityXml = `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>
  <Arn>${IDENTITY}</Arn><UserId>AROA:ada</UserId><Account>111122223333</Account></GetCallerIdentityResult>
  <ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></GetCallerIdentityResponse>`;

const errorXml = (code: string, message: string): string =>
  `<ErrorResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><Error><Type>Sender</Type>
  <Code>${code}</Code><Message>${message}</Message></Error><RequestId>1</RequestId></ErrorResponse>`;

/** Starts a server that answers CloudFormation's DescribeStacks and STS's GetCallerIdentity in their query protocol. */
const startCloudFormation = async () => {
  let stacks: Readonly<Record<string, Described>> = {};
  let identityCalls = 0;
  const missing = (stack: string): Described => [400, 'ValidationError', `Stack with id ${stack} does not exist`];
  const server: Server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const parameters = new URLSearchParams(Buffer.concat(chunks).toString());
    if (parameters.get('Action') === 'GetCallerIdentity') {
      identityCalls += 1;
      response.writeHead(200, { 'content-type': 'text/xml' }).end(identityXml);
      return;
    }
    const stack = parameters.get('StackName') ?? '';
    const isKnown = parameters.get('Action') === 'DescribeStacks';
    const described = isKnown ? (stacks[stack] ?? missing(stack)) : ([400, 'InvalidAction', 'Unknown'] as const);
    const isError = Array.isArray(described);
    response.writeHead(isError ? described[0] : 200, { 'content-type': 'text/xml' });
    response.end(isError ? errorXml(described[1], described[2]) : outputsXml(described as Outputs));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    describe: (next: Readonly<Record<string, Described>>): void => {
      stacks = next;
    },
    /** Counts the calls of GetCallerIdentity. */
    countIdentityCalls: () => identityCalls,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

let world: World;
let secrets: Awaited<ReturnType<typeof startFaultProxy>>;
let cloudFormation: Awaited<ReturnType<typeof startCloudFormation>>;
let dir: string;
let env: NodeJS.ProcessEnv;

/** Returns a function that runs the real command with changed variables of the environment. `undefined` removes a variable. */
const opsWith =
  (changed: NodeJS.ProcessEnv = {}) =>
  (...args: string[]) =>
    runOps(args, { ...env, ...changed });

const dataOutputs = (): Outputs => {
  const queue = (name: string): string =>
    `${process.env.AWS_ENDPOINT_URL_SQS}/000000000000/${world.table.name}-${name}`;
  return {
    TableName: world.table.name,
    DueShards: String(world.table.dueShards),
    FirstQueueUrl: queue('first'),
    RetryQueueUrl: queue('retry'),
    SlowQueueUrl: queue('slow'),
    TestQueueUrl: queue('test'),
    MoneyQueuesUrl: queue('money'),
    FirstDeadLetterQueueUrl: queue('first-dlq'),
    RetryDeadLetterQueueUrl: queue('retry-dlq'),
    SlowDeadLetterQueueUrl: queue('slow-dlq'),
    TestDeadLetterQueueUrl: queue('test-dlq'),
    ProviderSecrets: '{}',
  };
};
const deployed = (stage: string, data: Described = dataOutputs()): Readonly<Record<string, Described>> => ({
  [`payments-${stage}-data`]: data,
  [`payments-${stage}-api`]: { BaseUrl: BASE_URL },
});

beforeAll(async () => {
  [world, cloudFormation] = await Promise.all([makeWorld(), startCloudFormation()]);
  secrets = await startFaultProxy(cloudFormation.url);
  dir = mkdtempSync(join(tmpdir(), 'ops-stage-'));
  const { PATH, AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL_SQS, AWS_ACCESS_KEY_ID } = process.env;
  env = {
    PATH,
    AWS_ENDPOINT_URL_DYNAMODB,
    AWS_ENDPOINT_URL_SQS,
    DATA_DIR: dir,
    // Calls to DynamoDB and SQS go to the emulators, and all other AWS calls go to the CloudFormation server.
    AWS_ENDPOINT_URL: cloudFormation.url,
    // All tests share this address, because a process keeps its client of Secrets Manager.
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.endpoint,
    AWS_REGION: 'eu-west-1',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ACCESS_KEY_ID,
    AWS_SECRET_ACCESS_KEY: 'operator',
    // Keeps the AWS profile of the developer out of the test.
    HOME: dir,
    AWS_CONFIG_FILE: join(dir, 'config'),
    AWS_SHARED_CREDENTIALS_FILE: join(dir, 'credentials'),
  };
});
beforeEach(() => cloudFormation.describe(deployed('prod')));
afterAll(async () => {
  await secrets.stop();
  cloudFormation.stop();
  rmSync(dir, { recursive: true, force: true });
});

const answer = async (...args: string[]) => {
  const { code, out, err } = await opsWith()('--json', ...args);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out);
};

describe('a stage that is found by the outputs of its CDK stacks', () => {
  test('lets the command create, show, suspend and resume a business in its table', async () => {
    const { business } = await answer('--stage', 'prod', 'business', 'create', '--name', 'Ada Stores');
    expect(await world.deps.businesses.find(business.id)).toMatchObject({ name: 'Ada Stores' });
    expect((await answer('--stage', 'prod', 'business', 'show', business.id)).keys).toHaveLength(4);
    await answer('--stage', 'prod', 'business', 'suspend', business.id, '--yes');
    expect(await world.deps.businesses.find(business.id)).toMatchObject({ suspended: true });
    const resumed = await answer('--stage', 'prod', 'business', 'resume', business.id);
    expect(resumed.business.suspended).toBe(false);
  });

  test('records changes with the operator’s AWS identity, which reading does not need', async () => {
    const { business } = await answer('--stage', 'prod', 'business', 'create', '--name', 'Ada Stores');
    const calls = cloudFormation.countIdentityCalls();
    expect(calls).toBeGreaterThan(0);
    const { changes, next } = await answer('--stage', 'prod', 'audit', 'list', business.id);
    expect([changes, next]).toEqual([
      [expect.objectContaining({ business_id: business.id, who: IDENTITY, what: 'created the business "Ada Stores"' })],
      null,
    ]);
    await answer('--stage', 'prod', 'business', 'list');
    expect(cloudFormation.countIdentityCalls()).toBe(calls);
  });

  test('does not change while STS does not answer', async () => {
    const AWS_ENDPOINT_URL_STS = `http://127.0.0.1:${await findQuietPort()}`;
    const before = await answer('--stage', 'prod', 'business', 'list');
    const ops = opsWith({ AWS_ENDPOINT_URL_STS });
    const refused = await ops('--stage', 'prod', 'business', 'create', '--name', 'Ada Stores');
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('AWS does not answer (ECONNREFUSED).');
    expect(await answer('--stage', 'prod', 'business', 'list')).toEqual(before);
  });

  test('shows the URL of its API, if there is one, in the output of business create', async () => {
    const created = await opsWith()('--stage', 'prod', 'business', 'create', '--name', 'Ada Stores');
    expect(created).toMatchObject({ code: 0, err: '' });
    expect(created.out).toContain(`The address of the API: ${BASE_URL}\n`);
    cloudFormation.describe({ 'payments-prod-data': dataOutputs() });
    const without = await opsWith()('--stage', 'prod', 'business', 'create', '--name', 'Ada Stores');
    expect(without).toMatchObject({ code: 0, err: '' });
    expect(without.out).not.toContain('The address of the API');
  });

  test('uses the table that the API stack’s outputs name, as after a restore', async () => {
    const stale = { ...dataOutputs(), TableName: 'payments-broken' };
    const api = { BaseUrl: BASE_URL, TableName: world.table.name };
    cloudFormation.describe({ 'payments-prod-data': stale, 'payments-prod-api': api });
    expect(await answer('--stage', 'prod', 'business', 'list')).toMatchObject({ businesses: expect.any(Array) });
  });

  test('may have all outputs on its API stack', async () => {
    cloudFormation.describe({
      'payments-prod-data': {},
      'payments-prod-api': { ...dataOutputs(), BaseUrl: BASE_URL },
    });
    expect(await answer('--stage', 'prod', 'business', 'list')).toMatchObject({ businesses: expect.any(Array) });
  });

  test('lists its enabled providers, whose secrets are read with the operator’s credentials', async () => {
    const body = { __type: 'ResourceNotFoundException', message: 'There is no value AWSCURRENT.' };
    secrets.inject((operation) => (operation === 'GetSecretValue' ? { status: 400, body } : undefined));
    const ProviderSecrets = JSON.stringify({ korapay: '/payments/prod/providers/korapay' });
    cloudFormation.describe({ 'payments-prod-data': dataOutputs(), 'payments-prod-api': { ProviderSecrets } });
    const { code, out } = await opsWith()('--stage', 'prod', 'provider', 'list');
    expect(code).toBe(0);
    expect(out).toContain('korapay   NOT READY');
    expect(out).toContain(
      'korapay: The secret /payments/prod/providers/korapay has no value. Put a JSON object with secretKey',
    );
  });

  test.each([
    ['dev', 1],
    ['staging', 1],
    ['prod', 1],
    ['emulator', 0],
  ])('has its own rule for webhook targets: %s', async (stage, code) => {
    cloudFormation.describe(deployed(stage));
    const SecretString = JSON.stringify({ key: WEBHOOK_KEY });
    secrets.inject((operation) =>
      operation === 'GetSecretValue' ? { status: 200, body: { SecretString } } : undefined,
    );
    const ops = opsWith();
    const { business } = await answer('--stage', stage, 'business', 'create', '--name', 'Ada Stores');
    const create = ['endpoint', 'create', '--business', business.id, '--mode', 'live'];
    const result = await ops('--stage', stage, ...create, '--url', 'http://127.0.0.1:4000/webhooks');
    expect(result.code).toBe(code);
    if (code === 1)
      expect(result.err).toContain(
        'must be a valid https URL; a local stack also takes http, such as http://localhost:4000/webhooks.',
      );
  });

  test.each([
    [
      'AccessDeniedException',
      400,
      'The AWS credentials have no permission for this on stage "emulator". User may not read it.',
    ],
    [
      'ResourceNotFoundException',
      400,
      'The secret /payments/emulator/keys/webhooks holds no key. docs/operating/secrets.md shows how to store one.',
    ],
    ['InternalServiceError', 500, 'AWS is throttling requests or failing (InternalServiceError).'],
  ])('gets no webhook endpoint if the endpoint’s secret cannot be encrypted: %s', async (name, status, message) => {
    cloudFormation.describe(deployed('emulator'));
    const body = { __type: name, message: 'User may not read it.' };
    secrets.inject((operation) => (operation === 'GetSecretValue' ? { status, body } : undefined));
    const ops = opsWith();
    const { business } = await answer('--stage', 'emulator', 'business', 'create', '--name', 'Ada Stores');
    const create = ['endpoint', 'create', '--business', business.id, '--mode', 'live'];
    const refused = await ops('--stage', 'emulator', ...create, '--url', 'http://127.0.0.1:4000/webhooks');
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain(message);
    expect(await answer('--stage', 'emulator', 'endpoint', 'list', '--business', business.id)).toEqual({
      endpoints: [],
    });
  });
});

describe('the operations command prints one line that says what to do if', () => {
  const runFailing = async (changed: NodeJS.ProcessEnv, ...args: string[]): Promise<string> => {
    const { code, out, err } = await opsWith(changed)('--stage', 'prod', ...args);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^Error: .+\n$/);
    return err;
  };
  const list = (changed: NodeJS.ProcessEnv = {}): Promise<string> => runFailing(changed, 'business', 'list');

  test('there are no credentials', async () => {
    expect(await list({ AWS_ACCESS_KEY_ID: undefined })).toContain('There are no AWS credentials');
  });

  test('there is no region', async () => {
    expect(await list({ AWS_REGION: undefined })).toContain('No AWS region is set. Set AWS_REGION');
  });

  test('the stage is not in this account and region', async () => {
    cloudFormation.describe({});
    const message = await list({ AWS_REGION: 'eu-west-2' });
    expect(message).toContain('There is no stage "prod" in eu-west-2');
    expect(message).toContain('npx cdk deploy --all -c stage=prod');
  });

  test('the stack lacks outputs', async () => {
    const { TableName: _, ...rest } = dataOutputs();
    cloudFormation.describe(deployed('prod', { ...rest, DueShards: 'many' }));
    expect(await list()).toContain('payments-prod-api are missing or invalid: TableName, DueShards.');
  });

  test.each([
    [
      'AccessDenied',
      'The AWS credentials have no permission for this on stage "prod". User: amaka may not DescribeStacks.',
    ],
    ['ExpiredToken', 'AWS does not accept the credentials (ExpiredToken).'],
    ['InvalidClientTokenId', 'AWS does not accept the credentials (InvalidClientTokenId).'],
  ])('CloudFormation answers %s', async (error, message) => {
    cloudFormation.describe(deployed('prod', [403, error, 'User: amaka may not DescribeStacks']));
    expect(await list()).toContain(message);
  });

  test('the table may not be read', async () => {
    const proxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
    const body = { __type: 'com.amazon.coral.service#AccessDeniedException', Message: 'amaka may not Query' };
    proxy.inject(() => ({ status: 400, body }));
    expect(await list({ AWS_ENDPOINT_URL_DYNAMODB: proxy.endpoint })).toContain('amaka may not Query.');
    await proxy.stop();
  });

  test('the table is gone', async () => {
    cloudFormation.describe(deployed('prod', { ...dataOutputs(), TableName: 'payments-gone' }));
    expect(await list()).toContain('name a table or queue that does not exist');
  });

  test('AWS does not answer', async () => {
    const nowhere = `http://127.0.0.1:${await findQuietPort()}`;
    expect(await list({ AWS_ENDPOINT_URL: nowhere })).toContain('AWS does not answer (ECONNREFUSED).');
  });
});

describe('the confirmation of a command', () => {
  const ANY = { KEY: 'key_01KDVDNX1QH4T9C2M7F5E8R3WB', EVENT: 'evt_01KDVDNX1Q5G8K2N4P7S9V3X6Z' };
  test.each([
    [['business', 'suspend', 'biz_01KDVDNX1Q0Y8J6W6KZ0H3S5TA']],
    [['key', 'revoke', ANY.KEY]],
    [['key', 'roll', ANY.KEY, '--grace', '0']],
    [['whitelist', 'set', ANY.KEY, '10.0.0.0/8']],
    [['whitelist', 'clear', ANY.KEY]],
    [['unmatched', 'assign', 'pay_01KDVDNX1Q7B3W9E5R2T8Y6U4C', 'PAY-7H2KQ9XW4M1ZB8T5RC3N']],
    [['queue', 'redrive', 'first']],
    [['event', 'redeliver', ANY.EVENT]],
  ])('is impossible without a terminal, so nothing is done: %j', async (command) => {
    const { code, out, err } = await opsWith()('--stage', 'prod', ...command);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    const what = `"${command[0]} ${command[1]}" on stage "prod"`;
    expect(err).toContain(`${what} asks for confirmation, but there is no terminal to answer on. Add --yes`);
  });

  test('is not needed to roll a key with some grace', async () => {
    const { keys } = await answer('--stage', 'prod', 'business', 'create', '--name', 'Ada Stores');
    const { replaced } = await answer('--stage', 'prod', 'key', 'roll', keys[0].id);
    expect(replaced.expires_at).not.toBeNull();
  });
});
