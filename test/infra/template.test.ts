import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { enabledProviders, knowsProviders, variableNames } from '#infra/constructs/environment.ts';
import { KEYS_VARIABLES, type KeysVariable, keysName } from '#infra/constructs/names.ts';
import type { StageSettings } from '#infra/constructs/stage-settings.ts';
import { CORS } from '#infra/cors.ts';
import { ALL_FUNCTIONS, DASHBOARD_FUNCTIONS } from '#infra/dashboard-functions.ts';
import type { FunctionSpec } from '#infra/function-spec.ts';
import { listRoutes, listSessionRoutes } from '#infra/function-spec.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import { isMoneyLane, MONEY_LANES, QUEUE_LANES } from '#infra/lanes.ts';
import { addStage } from '#infra/stacks/payments-app.ts';
import { listRights } from '#infra/table-rights.ts';
import { providerSettings } from '#shared/providers/settings.ts';
import { makeDeployableStage } from '#test/support/deployable-stage.ts';
import { describeRows, longTest } from '#test/support/jest/long.ts';

interface Resource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  // biome-ignore lint/suspicious/noExplicitAny: a template has no exact type.
  readonly Properties: any;
}
interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs: Readonly<Record<string, { readonly Value: unknown }>>;
}

/** The functions that may read each kind of keys. */
const READERS: Record<KeysVariable, readonly string[]> = {
  SIGN_IN_KEYS: ['finish-sign-in', 'send-mail'],
  PAGE_LINK_KEYS: [
    'expire-checkout',
    'initialize-checkout',
    'list-checkouts',
    'open-another-account',
    'open-another-account-on-page',
    'report-transfer',
    'requery-checkout',
    'show-checkout',
    'show-checkout-status',
    'simulate-checkout-payment',
    'simulate-on-page',
    'verify-checkout',
  ],
  WEBHOOK_KEYS: ['create-webhook-endpoint', 'deliver-webhooks', 'rotate-webhook-secret'],
};
/** The functions whose requests can last seconds: they wait for name servers, read thousands of payments, or write for twenty seconds. */
const SLOW_FUNCTIONS = [
  'export-payments',
  'create-webhook-endpoint',
  'update-webhook-endpoint',
  'test-webhook-endpoint',
  'recover-webhook-endpoint',
];
/** Further functions that no checkout, account or landing waits for. */
const MANAGEMENT_FUNCTIONS = [
  'simulate-virtual-account-payment',
  'simulate-checkout-payment',
  'list-virtual-accounts',
  'list-virtual-account-payments',
  'list-checkouts',
  'list-payments',
  'get-payment',
  'get-totals',
  'list-providers',
  'list-webhook-endpoints',
  'get-webhook-endpoint',
  'delete-webhook-endpoint',
  'rotate-webhook-secret',
  'list-webhook-endpoint-deliveries',
  'list-events',
  'get-event',
  'redeliver-event',
];

const scratch = mkdtempSync(join(tmpdir(), 'payments-template-'));
const code = join(scratch, 'code');
mkdirSync(code);
writeFileSync(join(code, 'index.js'), '');
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const EMPTY: Template = { Resources: {}, Outputs: {} };

/** Makes the templates of a stage. Every function's code is the same empty file. `all`: the resources of the data, API and dashboard together. */
const synthesize = (settings: StageSettings) => {
  const app = new App({
    outdir: mkdtempSync(join(scratch, 'out-')),
    stackTraces: false,
    // Validation takes long; nag.test.ts checks its findings.
    builtinCloudFormationValidation: false,
  });
  const stage = addStage(app, settings, () => code);
  const assembly = app.synth();
  const stacks = new Map<string, Template>(assembly.stacks.map(({ stackName, template }) => [stackName, template]));
  const findTemplate = (name: string | undefined): Template => stacks.get(name ?? '') ?? EMPTY;
  const [data, api, dashboard] = [stage.data, stage.api, stage.dashboard].map((one) =>
    findTemplate(one?.stackName),
  ) as [Template, Template, Template];
  const all: Template = {
    Resources: { ...data.Resources, ...api.Resources, ...dashboard.Resources },
    Outputs: { ...data.Outputs, ...api.Outputs, ...dashboard.Outputs },
  };
  return { data, api, dashboard, all, stacks };
};

const listResources = ({ Resources }: Template, type: string): Resource[] =>
  Object.values(Resources).filter(({ Type }) => Type === type);
const findId = ({ Resources }: Template, resource: Resource | undefined): string | undefined =>
  Object.keys(Resources).find((id) => Resources[id] === resource);
const findFunction = (template: Template, stage: string, { name }: FunctionSpec): Resource => {
  const found = listResources(template, 'AWS::Lambda::Function').filter(
    ({ Properties }) => Properties.FunctionName === `payments-${stage}-${name}`,
  );
  expect(found).toHaveLength(1);
  return found[0] as Resource;
};

/** Finds the names of tables, queues, functions and secrets in a value that refers to another stack. */
const findNames = (value: unknown): string[] => [
  ...new Set(
    [...JSON.stringify(value).matchAll(/\/?\bpayments[-/][\w/-]+/g)].map(([name]) =>
      name.replace(/^\/(?=payments-)|-$/g, ''),
    ),
  ),
];

interface Statement {
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource: unknown;
}
const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
const listStatements = (template: Template, lambda: Resource): Statement[] => {
  const role = template.Resources[lambda.Properties.Role['Fn::GetAtt'][0]];
  expect(role?.Properties.ManagedPolicyArns).toBeUndefined();
  return role?.Properties.Policies.flatMap(
    (policy: { PolicyDocument: { Statement: Statement[] } }) => policy.PolicyDocument.Statement,
  );
};
const listActions = (statements: readonly Statement[], service: string): string[] =>
  [...new Set(statements.flatMap(({ Action }) => toList(Action) as string[]))]
    .filter((action) => action.startsWith(`${service}:`))
    .sort();

/** A stage with every optional setting. */
const FULL_STAGE: StageSettings = {
  ...makeDeployableStage('prod'),
  account: '123456789012',
  region: 'eu-west-1',
  domain: { name: 'api.example.com', certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/one' },
  providers: providerSettings.parse({ korapay: {} }),
  defaultProvider: 'korapay',
};

const STAGES = ['dev', 'staging', 'prod', 'emulator'];
const isQuick = (stage: string): boolean => ['dev', 'prod'].includes(stage);

describeRows('stage %s', STAGES, isQuick, (stage) => {
  const settings = makeDeployableStage(stage);
  const { data, api, dashboard, all, stacks } = synthesize(settings);

  test('has every function of the manifest once, in its CDK stack, with the manifest’s settings', () => {
    expect(listResources(all, 'AWS::Lambda::Function')).toHaveLength(ALL_FUNCTIONS.length);
    for (const spec of ALL_FUNCTIONS) {
      expect(findFunction(spec.isDashboard ? dashboard : api, stage, spec).Properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        MemorySize: spec.memoryMb,
        Timeout: spec.timeoutSeconds,
      });
    }
  });

  test('gives every function its own role and log group, with the stage’s retention', () => {
    const functions = ALL_FUNCTIONS.map((spec) => findFunction(all, stage, spec));
    const roles = new Set(functions.map(({ Properties }) => Properties.Role['Fn::GetAtt'][0]));
    expect(roles.size).toBe(ALL_FUNCTIONS.length);
    for (const [at, { Properties }] of functions.entries()) {
      const log = all.Resources[Properties.LoggingConfig.LogGroup.Ref];
      expect(log?.Properties).toMatchObject({
        LogGroupName: `/aws/lambda/payments-${stage}-${ALL_FUNCTIONS[at]?.name}`,
        RetentionInDays: settings.logRetentionDays,
      });
    }
  });

  test('puts no function into a VPC, because the guide says that webhooks come from no fixed address', () => {
    for (const spec of ALL_FUNCTIONS) {
      expect(findFunction(all, stage, spec).Properties).not.toHaveProperty('VpcConfig');
    }
  });

  test('gives every function exactly the variables of its schema', () => {
    for (const spec of ALL_FUNCTIONS) {
      const variables = findFunction(all, stage, spec).Properties.Environment?.Variables ?? {};
      expect(Object.keys(variables).sort()).toEqual([...variableNames(spec)].sort());
      if ('STAGE' in variables) expect(variables.STAGE).toBe(stage);
    }
  });

  test('gives every function exactly the permissions of the manifest', () => {
    const table = listResources(data, 'AWS::DynamoDB::GlobalTable')[0]?.Properties.TableName;
    const mails = findId(all, listResources(dashboard, 'AWS::SQS::Queue')[0]);
    const findQueues = (value: unknown): string[] => [
      ...findNames(value),
      ...(mails && JSON.stringify(value).includes(`"${mails}"`) ? [mails] : []),
    ];
    for (const spec of ALL_FUNCTIONS) {
      const lambda = findFunction(all, stage, spec);
      const statements = listStatements(all, lambda);
      const sendsMails = spec.trigger.kind === 'mails';
      const consumes = spec.trigger.kind === 'queue' || sendsMails;
      const queueActions = [
        ...spec.queue,
        ...(consumes ? ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'] : []),
      ];
      expect(listActions(statements, 'sqs')).toEqual(queueActions.map((action) => `sqs:${action}`).sort());
      expect(listActions(statements, 'logs')).toEqual(['logs:CreateLogStream', 'logs:PutLogEvents']);
      const knowsKeys = KEYS_VARIABLES.some((variable) => variableNames(spec).includes(variable));
      const knowsSecrets = knowsKeys || (knowsProviders(spec) && enabledProviders(settings).length > 0);
      const secrets = knowsSecrets ? ['secretsmanager:GetSecretValue'] : [];
      const others = (statements.flatMap(({ Action }) => toList(Action)) as string[]).filter(
        (action) => !/^(dynamodb|sqs|logs):/.test(action),
      );
      expect(others).toEqual([...secrets, ...(variableNames(spec).includes('MAIL_FROM') ? ['ses:SendEmail'] : [])]);

      // roles.test.ts checks the key families.
      for (const { Resource } of statements.filter(({ Action }) => JSON.stringify(Action).includes('dynamodb:'))) {
        expect(findNames(Resource).map((name) => name.split('/')[0])).toEqual([table]);
      }

      const variables = Object.entries(lambda.Properties.Environment?.Variables ?? {});
      const configuredQueues = [
        ...variables.filter(([name]) => name.endsWith('_QUEUE_URL')).flatMap(([, url]) => findQueues(url)),
        ...(variables.some(([name]) => name === 'MONEY_QUEUES_URL') ? MONEY_LANES : []).map(
          (lane) => `payments-${stage}-${lane}`,
        ),
      ];
      const consumed = (spec.trigger.kind === 'queue' ? spec.trigger.lanes : []).map(
        (lane) => `payments-${stage}-${lane}`,
      );
      for (const { Action, Resource } of statements.filter(({ Action }) => JSON.stringify(Action).includes('sqs:'))) {
        const allowed = JSON.stringify(Action).includes('SendMessage') ? configuredQueues : consumed;
        expect(findQueues(Resource).sort()).toEqual(sendsMails ? [mails] : allowed.sort());
      }
    }
  });

  test('has no wildcard in any role’s actions and resources, except for mails of the stage’s sender through SES', () => {
    for (const { Properties } of listResources(all, 'AWS::IAM::Role')) {
      const allowed = Properties.Policies.flatMap(
        (policy: { PolicyDocument: { Statement: Statement[] } }) => policy.PolicyDocument.Statement,
      );
      // The ARN of a secret ends in six random characters.
      const withoutEnd = (value: unknown) => JSON.stringify(value).replaceAll(/(?<=:secret:[\w/-]+-)\?{6}/g, '');
      for (const { Action, Resource } of allowed.filter(
        (statement: Statement) => statement.Action !== 'ses:SendEmail',
      )) {
        expect(withoutEnd([Action, Resource])).not.toMatch(/[*?]/);
      }
      expect(JSON.stringify(Properties.AssumeRolePolicyDocument)).not.toContain('*');
    }
    expect(listResources(all, 'AWS::IAM::Policy').concat(listResources(all, 'AWS::IAM::ManagedPolicy'))).toEqual([]);
  });

  test('has every route of the manifest and of the dashboard, each with its function and the permission to call it', () => {
    const findFunctionName = (value: { 'Fn::GetAtt'?: [string, string] }): string =>
      api.Resources[value['Fn::GetAtt']?.[0] ?? '']?.Properties.FunctionName ?? findNames(value)[0];
    const callers = listResources(api, 'AWS::Lambda::Permission').map(({ Properties }) => [
      findFunctionName(Properties.FunctionName),
      JSON.stringify(Properties.SourceArn),
    ]);
    const functionBehind = (route: Resource): string => {
      const integration = api.Resources[route.Properties.Target['Fn::Join'][1][1].Ref];
      expect(integration?.Properties).toMatchObject({ IntegrationType: 'AWS_PROXY', PayloadFormatVersion: '2.0' });
      const name = findFunctionName(integration?.Properties.IntegrationUri);
      const [, path = ''] = route.Properties.RouteKey.split(' ');
      const called = callers.filter(([callee, source]) => callee === name && source?.includes(path));
      expect([route.Properties.RouteKey, called.length > 0]).toEqual([route.Properties.RouteKey, true]);
      return name;
    };
    const built = listResources(api, 'AWS::ApiGatewayV2::Route').map((route) => [
      route.Properties.RouteKey,
      functionBehind(route),
    ]);
    const expected = ALL_FUNCTIONS.flatMap(({ name, trigger }) =>
      [...listRoutes(trigger), ...listSessionRoutes(trigger)].map((route) => [route, `payments-${stage}-${name}`]),
    );
    expect(built.sort()).toEqual(expected.sort());
    expect(listResources(api, 'AWS::ApiGatewayV2::Integration')).toHaveLength(
      new Set(expected.map(([, name]) => name)).size,
    );
    expect(listResources(dashboard, 'AWS::ApiGatewayV2::Route')).toEqual([]);
  });

  test('sends codes from a separate queue over TLS, for as long as a code works, only from its own sender', () => {
    const [queue, ...others] = listResources(dashboard, 'AWS::SQS::Queue');
    const [policy] = listResources(dashboard, 'AWS::SQS::QueuePolicy');
    const sender = DASHBOARD_FUNCTIONS.find(({ trigger }) => trigger.kind === 'mails') as FunctionSpec;
    expect(others).toEqual([]);
    expect(queue?.Properties).toMatchObject({
      QueueName: `payments-${stage}-codes`,
      SqsManagedSseEnabled: true,
      MessageRetentionPeriod: 10 * 60,
      // Seconds. SES allows a new account one mail per second, and a code works for ten minutes.
      VisibilityTimeout: 20,
    });
    expect(sender.timeoutSeconds).toBeLessThan(20);
    expect(policy?.Properties.Queues).toEqual([{ Ref: findId(dashboard, queue) }]);
    expect(policy?.Properties.PolicyDocument.Statement).toEqual([
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
    ]);
    const [source, ...more] = listResources(dashboard, 'AWS::Lambda::EventSourceMapping');
    expect(more).toEqual([]);
    expect(source?.Properties).toMatchObject({
      EventSourceArn: { 'Fn::GetAtt': [findId(dashboard, queue), 'Arn'] },
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
    const lambda = findFunction(dashboard, stage, sender);
    expect(source?.Properties.FunctionName.Ref).toBe(findId(dashboard, lambda));
  });

  test('lets functions send mails only from the stage’s sender, to anybody, with any configuration set', () => {
    const senders = ALL_FUNCTIONS.map((spec) => ({
      spec,
      statements: listStatements(all, findFunction(all, stage, spec)),
    }))
      .map(
        ({ spec, statements }) =>
          [spec.name, statements.filter(({ Action }) => JSON.stringify(Action).includes('"ses:'))] as const,
      )
      .filter(([, statements]) => statements.length > 0);
    expect(senders.map(([name]) => name)).toEqual(['send-mail', 'send-notices']);
    for (const [, [sending, ...others]] of senders) {
      expect(others).toEqual([]);
      // SES also needs the recipient's identity (in its sandbox, or if the account has verified it) and a configuration set.
      const resourcesOf = toList(sending?.Resource).map(
        (arn) => /:(?:identity|configuration-set)\/[^"]*/.exec(JSON.stringify(arn))?.[0],
      );
      expect(resourcesOf).toEqual([':identity/*', ':configuration-set/*']);
      expect(sending).toMatchObject({
        Action: 'ses:SendEmail',
        Condition: { StringEquals: { 'ses:FromAddress': 'payments@example.com' } },
      });
    }
  });

  test('has fewer resources in each CDK stack than the 500 that CloudFormation takes', () => {
    expect([...stacks.keys()].sort()).toEqual(
      ['api', 'dashboard', 'data', 'watch'].map((name) => `payments-${stage}-${name}`),
    );
    for (const { Resources } of stacks.values()) expect(Object.keys(Resources).length).toBeLessThan(500);
  });

  test('has CDK stacks without exports, so that each can change and be deleted; only the alarms read an output: the API’s id', () => {
    for (const [name, template] of stacks) {
      const text = JSON.stringify(template);
      expect([name, Object.values(template.Outputs ?? {}).filter((output) => 'Export' in output)]).toEqual([name, []]);
      expect([name, text.includes('Fn::ImportValue')]).toEqual([name, false]);
      const read = [...text.matchAll(/"Fn::GetStackOutput":(\{.*?"OutputName":"\w+"\})/g)].map(
        ([, output = '']) => output,
      );
      const gateway = findId(api, listResources(api, 'AWS::ApiGatewayV2::Api')[0]) ?? 'none';
      const others = read.filter((output) => !(output.includes(`payments-${stage}-api`) && output.includes(gateway)));
      expect([name, others, read.length > 0]).toEqual([name, [], name === `payments-${stage}-watch`]);
    }
  });

  test('has one API on both IP versions, without a stage segment in its URL, with a throttle well above the limit of a key', () => {
    const [gateway] = listResources(api, 'AWS::ApiGatewayV2::Api');
    const [only, ...others] = listResources(api, 'AWS::ApiGatewayV2::Stage');
    expect(others).toEqual([]);
    expect(gateway?.Properties).toMatchObject({
      ProtocolType: 'HTTP',
      IpAddressType: 'dualstack',
      CorsConfiguration: {
        AllowOrigins: [CORS.allowOrigin],
        AllowHeaders: CORS.allowHeaders,
        AllowMethods: CORS.allowMethods,
        ExposeHeaders: CORS.exposeHeaders,
        MaxAge: CORS.maxAgeSeconds,
      },
    });
    expect(only?.Properties.StageName).toBe('$default');
    expect(only?.Properties.AutoDeploy).toBe(true);
    expect(only?.Properties.DefaultRouteSettings.DetailedMetricsEnabled).toBe(false);
    expect(only?.Properties.DefaultRouteSettings.ThrottlingRateLimit).toBe(settings.throttle.rate);
    expect(only?.Properties.DefaultRouteSettings.ThrottlingBurstLimit).toBe(settings.throttle.burst);
    expect(settings.throttle.rate).toBeGreaterThanOrEqual(400);
  });

  test('lets browsers send the dashboard’s header and cookie only from its own page', () => {
    const [gateway] = listResources(api, 'AWS::ApiGatewayV2::Api');
    const { AllowHeaders, AllowCredentials } = gateway?.Properties.CorsConfiguration ?? {};
    expect(AllowHeaders).not.toContain('x-dashboard-mode');
    expect(AllowHeaders).not.toContain('*');
    expect(AllowCredentials).toBeUndefined();
  });

  test('throttles each route by itself, except routes that take money with a key, and gives routes without a key at most half of the stage’s throttle', () => {
    const [only] = listResources(api, 'AWS::ApiGatewayV2::Stage');
    const { throttle, concurrency } = settings;
    const makeThrottle = ({ rate, burst }: { rate: number; burst: number }) => ({
      ThrottlingRateLimit: rate,
      ThrottlingBurstLimit: burst,
      DetailedMetricsEnabled: false,
    });
    const routesFor = (names: readonly string[], routes: typeof listRoutes, limit: object) =>
      Object.fromEntries(
        FUNCTIONS.filter(({ name }) => names.includes(name)).flatMap(({ trigger }) =>
          routes(trigger).map((route) => [route, limit]),
        ),
      );
    // Lambda would answer requests above a ceiling with a 5xx.
    const slow = concurrency.reserved
      ? makeThrottle({ rate: 20 * concurrency.ceiling, burst: concurrency.ceiling })
      : makeThrottle(throttle.management);
    const open = {
      'POST /providers/{provider}/notifications': makeThrottle(throttle.notifications),
      'GET /health': makeThrottle(throttle.health),
      'HEAD /health': makeThrottle(throttle.health),
      'GET /docs': makeThrottle(throttle.pages),
      'GET /docs/{proxy+}': makeThrottle(throttle.pages),
      'GET /api/v1/openapi.json': makeThrottle(throttle.pages),
      'GET /api/v1/openapi.yaml': makeThrottle(throttle.pages),
      'GET /api/v1/postman.json': makeThrottle(throttle.pages),
      'GET /llms.txt': makeThrottle(throttle.pages),
      'GET /widget/v1.js': makeThrottle(throttle.pages),
      'GET /logos/{id}': makeThrottle(throttle.logos),
      'GET /pay/{link}': makeThrottle(throttle.payers),
      'GET /pay/{link}/status': makeThrottle(throttle.payers),
      'POST /pay/{link}/another-account': makeThrottle(throttle.payersForms),
      'POST /pay/{link}/sent': makeThrottle(throttle.payersForms),
      'POST /pay/{link}/simulate': makeThrottle(throttle.payersForms),
      $default: makeThrottle(throttle.otherPaths),
    };
    expect(only?.Properties.RouteSettings).toEqual({
      ...open,
      'GET /dashboard': makeThrottle(throttle.pages),
      'GET /dashboard/{proxy+}': makeThrottle(throttle.pages),
      ...routesFor(MANAGEMENT_FUNCTIONS, listRoutes, makeThrottle(throttle.management)),
      ...Object.fromEntries(
        DASHBOARD_FUNCTIONS.filter(({ trigger }) => trigger.kind === 'endpoint').flatMap(({ trigger }) =>
          listRoutes(trigger).map((route) => [route, makeThrottle(throttle.dashboard)]),
        ),
      ),
      ...routesFor(
        FUNCTIONS.map(({ name }) => name),
        listSessionRoutes,
        makeThrottle(throttle.dashboard),
      ),
      ...routesFor(SLOW_FUNCTIONS, listRoutes, slow),
      ...routesFor(SLOW_FUNCTIONS, listSessionRoutes, concurrency.reserved ? slow : makeThrottle(throttle.dashboard)),
    });
    // Every other route starts, verifies or ends something that takes money, and needs a key. It has the throttle of the whole stage.
    const routes = listResources(api, 'AWS::ApiGatewayV2::Route');
    const own = Object.keys(only?.Properties.RouteSettings);
    const others = routes.map(({ Properties }) => Properties.RouteKey).filter((key) => !own.includes(key));
    expect(others.sort()).toEqual([
      'DELETE /api/v1/virtual-accounts/{id}',
      'GET /api/v1/checkout/verify/{reference}',
      'GET /api/v1/virtual-accounts/{id}',
      'POST /api/v1/checkout/initialize',
      'POST /api/v1/checkouts/{reference}/another-account',
      'POST /api/v1/checkouts/{reference}/expire',
      'POST /api/v1/checkouts/{reference}/requery',
      'POST /api/v1/virtual-accounts',
      'POST /api/v1/virtual-accounts/{id}/delete',
    ]);
    // API Gateway rejects settings of a route that does not exist yet.
    const ids = routes.filter(({ Properties }) => own.includes(Properties.RouteKey)).map((route) => findId(api, route));
    expect((only as { DependsOn?: string[] }).DependsOn).toEqual(expect.arrayContaining(ids));

    const sumLimits = (limits: object, name: string): number =>
      Object.values(limits).reduce((sum, limit) => sum + limit[name], 0);
    expect(sumLimits(open, 'ThrottlingRateLimit')).toBeLessThanOrEqual(throttle.rate / 2);
    expect(sumLimits(open, 'ThrottlingBurstLimit')).toBeLessThanOrEqual(throttle.burst / 2);
    // The default quota of an account and region. Something is left even if endpoints and strangers are at their limits.
    expect(throttle.rate + sumLimits(open, 'ThrottlingRateLimit')).toBeLessThan(10_000);
    expect(throttle.burst + sumLimits(open, 'ThrottlingBurstLimit')).toBeLessThan(5_000);
    // One key cannot use up what notifications of providers need.
    expect(throttle.notifications.rate).toBeGreaterThanOrEqual(settings.requestsPerSecond.live);
  });

  test('logs every access with address, request id, route, status, error and latency, without path, query string and headers', () => {
    const { AccessLogSettings } = listResources(api, 'AWS::ApiGatewayV2::Stage')[0]?.Properties ?? {};
    expect(JSON.parse(AccessLogSettings.Format)).toEqual({
      time: '$context.requestTime',
      request_id: '$context.requestId',
      source_ip: '$context.identity.sourceIp',
      route: '$context.routeKey',
      status: '$context.status',
      milliseconds: '$context.responseLatency',
      integration_milliseconds: '$context.integrationLatency',
      bytes: '$context.responseLength',
      error: '$context.error.responseType',
      integration_error: '$context.integration.error',
    });
    const log = api.Resources[AccessLogSettings.DestinationArn['Fn::GetAtt'][0]];
    expect(log?.Properties.RetentionInDays).toBe(settings.logRetentionDays);
  });

  test('has one table with the shape in infra/table.ts', () => {
    const [table, ...others] = listResources(data, 'AWS::DynamoDB::GlobalTable');
    expect(others).toEqual([]);
    expect(listResources(api, 'AWS::DynamoDB::GlobalTable')).toEqual([]);
    const keys = (partition: string, sort: string) => [
      { AttributeName: partition, KeyType: 'HASH' },
      { AttributeName: sort, KeyType: 'RANGE' },
    ];
    expect(table?.Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: keys('pk', 'sk'),
      GlobalSecondaryIndexes: ['gsi1', 'gsi2', 'gsi3'].map((name) => ({
        IndexName: name,
        KeySchema: keys(`${name}pk`, `${name}sk`),
        Projection: { ProjectionType: 'KEYS_ONLY' },
      })),
      SSESpecification: { SSEEnabled: true },
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      Replicas: [
        {
          DeletionProtectionEnabled: stage === 'prod',
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        },
      ],
    });
  });

  test('leaves the table’s throughput to DynamoDB if the settings have none', () => {
    const [table] = listResources(data, 'AWS::DynamoDB::GlobalTable');
    expect(JSON.stringify(table)).not.toMatch(/WarmThroughput|OnDemandThroughput/);
  });

  test('has four delivery queues, and a money queue for each provider and for test mode, each with a dead-letter queue and only over TLS', () => {
    const queues = listResources(data, 'AWS::SQS::Queue');
    const named = (name: string) => queues.find(({ Properties }) => Properties.QueueName === name);
    const secured = listResources(data, 'AWS::SQS::QueuePolicy').flatMap(({ Properties }) => {
      expect(Properties.PolicyDocument.Statement).toEqual([
        expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      ]);
      return Properties.Queues.map(({ Ref }: { Ref: string }) => Ref);
    });
    expect(queues).toHaveLength(2 * QUEUE_LANES.length);
    expect(secured.sort()).toEqual(queues.map((queue) => findId(data, queue)).sort());
    for (const lane of QUEUE_LANES) {
      const consumer = FUNCTIONS.find(({ trigger }) => trigger.kind === 'queue' && trigger.lanes.includes(lane));
      const queue = named(`payments-${stage}-${lane}`);
      const deadLetters = named(`payments-${stage}-${lane}-dlq`);
      expect(queue?.Properties).toMatchObject({
        SqsManagedSseEnabled: true,
        MessageRetentionPeriod: 4 * 24 * 60 * 60,
        RedrivePolicy: {
          deadLetterTargetArn: { 'Fn::GetAtt': [findId(data, deadLetters), 'Arn'] },
          maxReceiveCount: 5,
        },
      });
      expect(queue?.Properties.VisibilityTimeout).toBeGreaterThanOrEqual(6 * (consumer?.timeoutSeconds ?? Infinity));
      expect(deadLetters?.Properties).toMatchObject({
        SqsManagedSseEnabled: true,
        MessageRetentionPeriod: 14 * 24 * 60 * 60,
        RedriveAllowPolicy: { redrivePermission: 'byQueue' },
      });
      expect(JSON.stringify(deadLetters?.Properties.RedriveAllowPolicy)).toContain(`:payments-${stage}-${lane}"`);
    }
  });

  test('calls each consumer from each of its lanes separately, with partial failures, and allows its recursive retries', () => {
    const sources = listResources(api, 'AWS::Lambda::EventSourceMapping');
    const { lanes } = settings.concurrency;
    expect(sources).toHaveLength(QUEUE_LANES.length);
    for (const lane of QUEUE_LANES) {
      const queue = listResources(data, 'AWS::SQS::Queue').find(
        ({ Properties }) => Properties.QueueName === `payments-${stage}-${lane}`,
      );
      const source = sources.find(({ Properties }) =>
        findNames(Properties.EventSourceArn).includes(queue?.Properties.QueueName),
      );
      expect(source?.Properties).toMatchObject({
        BatchSize: isMoneyLane(lane) ? 5 : 10,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        ScalingConfig: { MaximumConcurrency: lanes[lane] },
      });
      expect(api.Resources[source?.Properties.FunctionName.Ref]?.Properties).toMatchObject({
        FunctionName: `payments-${stage}-${isMoneyLane(lane) ? 'do-money-work' : 'deliver-webhooks'}`,
        RecursiveLoop: 'Allow',
      });
    }
  });

  test('reserves concurrency for notifications and consumers, and a ceiling of five for slow functions, if the stage says so', () => {
    const { reserved, notifications, lanes } = settings.concurrency;
    const expected = reserved
      ? {
          'deliver-webhooks': lanes.first + lanes.retry + lanes.slow + lanes.test,
          'do-money-work': MONEY_LANES.reduce((sum, lane) => sum + lanes[lane], 0),
          'receive-notification': notifications,
          ...Object.fromEntries(SLOW_FUNCTIONS.map((name) => [name, 5])),
        }
      : {};
    const built = ALL_FUNCTIONS.flatMap((spec) => {
      const { ReservedConcurrentExecutions: amount } = findFunction(all, stage, spec).Properties;
      return amount === undefined ? [] : [[spec.name, amount]];
    });
    expect(Object.fromEntries(built)).toEqual(expected);
  });

  test('runs scheduled functions every minute, without retries', () => {
    const rules = [api, dashboard].flatMap((stack) => listResources(stack, 'AWS::Events::Rule'));
    const swept = rules.map(({ Properties }) => {
      expect(Properties.ScheduleExpression).toBe('rate(1 minute)');
      expect(Properties.Targets[0].RetryPolicy.MaximumRetryAttempts).toBe(0);
      return all.Resources[Properties.Targets[0].Arn['Fn::GetAtt'][0]]?.Properties.FunctionName;
    });
    const scheduled = ALL_FUNCTIONS.filter(({ trigger }) => trigger.kind === 'schedule');
    expect(swept.sort()).toEqual(scheduled.map(({ name }) => `payments-${stage}-${name}`).sort());
    expect(
      listResources(all, 'AWS::Lambda::EventInvokeConfig').map(({ Properties }) => Properties.MaximumRetryAttempts),
    ).toEqual(scheduled.map(() => 0));
  });

  test('leaves nothing behind when it is destroyed, except that prod keeps its table, secrets and logs', () => {
    const kept = ['AWS::DynamoDB::GlobalTable', 'AWS::SecretsManager::Secret', 'AWS::Logs::LogGroup'];
    for (const { Type, DeletionPolicy } of Object.values(all.Resources)) {
      const retained = stage === 'prod' && kept.includes(Type);
      if (retained) expect([Type, DeletionPolicy]).toEqual([Type, 'RetainExceptOnCreate']);
      else expect([Type, DeletionPolicy ?? 'Delete']).toEqual([Type, 'Delete']);
    }
    // CDK's own helpers would add functions and logs that are not in the manifest.
    expect(Object.values(all.Resources).filter(({ Type }) => Type.startsWith('Custom::'))).toEqual([]);
  });

  test('has no secret in its templates', () => {
    const secrets = listResources(data, 'AWS::SecretsManager::Secret');
    expect(secrets.map(({ Properties }) => Properties.Name).sort()).toEqual([
      `/payments/${stage}/hash-key`,
      `/payments/${stage}/keys/page-links`,
      `/payments/${stage}/keys/sign-in`,
      `/payments/${stage}/keys/webhooks`,
      `/payments/${stage}/providers/korapay`,
      `/payments/${stage}/providers/monnify`,
      `/payments/${stage}/providers/paystack`,
    ]);
    for (const { Properties } of secrets) {
      expect(Properties.SecretString).toBeUndefined();
      expect(Properties.GenerateSecretString !== undefined).toBe(!Properties.Name.includes('/providers/'));
    }
    for (const spec of ALL_FUNCTIONS.filter((one) => variableNames(one).includes('HASH_KEY'))) {
      const { HASH_KEY } = findFunction(all, stage, spec).Properties.Environment.Variables;
      expect(HASH_KEY).toBe(`{{resolve:secretsmanager:/payments/${stage}/hash-key:SecretString:::}}`);
    }
  });

  test('lets only the functions that need a secret with keys read the secret, and gives them only its name', () => {
    for (const variable of KEYS_VARIABLES) {
      const [name, readers] = [keysName(stage, variable), READERS[variable]];
      const secretNames = listResources(data, 'AWS::SecretsManager::Secret').map(({ Properties }) => Properties.Name);
      expect(secretNames).toContain(name);
      const reading = ALL_FUNCTIONS.filter((spec) =>
        listStatements(all, findFunction(all, stage, spec)).some(
          ({ Action, Resource }) => Action === 'secretsmanager:GetSecretValue' && findNames(Resource).includes(name),
        ),
      );
      expect([variable, reading.map((spec) => spec.name).sort()]).toEqual([variable, readers]);
      const functions = ALL_FUNCTIONS.map((spec) => findFunction(all, stage, spec)).filter(
        ({ Properties }) => variable in (Properties.Environment?.Variables ?? {}),
      );
      expect(functions).toHaveLength(readers.length);
      for (const { Properties } of functions) expect(Properties.Environment.Variables[variable]).toBe(name);
    }
  });

  test('gives the contact only to the functions that serve documents and dashboard', () => {
    const withContact = ALL_FUNCTIONS.map((spec) => ({
      name: spec.name,
      contact: findFunction(all, stage, spec).Properties.Environment?.Variables?.CONTACT,
    })).filter(({ contact }) => contact !== undefined);
    const contact = JSON.stringify(settings.contact ?? null);
    const names = [
      'serve-dashboard',
      'serve-docs',
      'serve-llms-txt',
      'serve-openapi',
      'serve-openapi-yaml',
      'serve-postman-collection',
    ];
    expect(withContact.sort((a, b) => a.name.localeCompare(b.name))).toEqual(names.map((name) => ({ name, contact })));
  });

  test('has exactly the outputs that operations need', () => {
    const outputs = Object.keys(api.Outputs).filter((name) => !name.startsWith('PublishOutput'));
    expect(outputs.sort()).toEqual([
      'BaseUrl',
      ...(settings.domain ? ['DomainTarget'] : []),
      'DueShards',
      'FirstDeadLetterQueueUrl',
      'FirstQueueUrl',
      'MoneyQueuesUrl',
      'ProviderSecrets',
      'RetryDeadLetterQueueUrl',
      'RetryQueueUrl',
      'SlowDeadLetterQueueUrl',
      'SlowQueueUrl',
      'TableName',
      'TestDeadLetterQueueUrl',
      'TestQueueUrl',
    ]);
  });
});

describe('a stage with a domain and a provider', () => {
  const { data, api, all } = synthesize(FULL_STAGE);

  test('can be reached only at its domain, on both IP versions', () => {
    const [gateway] = listResources(api, 'AWS::ApiGatewayV2::Api');
    const [domain] = listResources(api, 'AWS::ApiGatewayV2::DomainName');
    expect(gateway?.Properties.DisableExecuteApiEndpoint).toBe(true);
    expect(domain?.Properties.DomainName).toBe('api.example.com');
    expect(domain?.Properties.DomainNameConfigurations).toEqual([
      expect.objectContaining({ CertificateArn: FULL_STAGE.domain?.certificateArn, IpAddressType: 'dualstack' }),
    ]);
    expect(listResources(api, 'AWS::ApiGatewayV2::ApiMapping')).toHaveLength(1);
    expect(api.Outputs.BaseUrl?.Value).toBe('https://api.example.com');
    expect(Object.keys(api.Outputs)).toContain('DomainTarget');
  });

  test('lets only functions that call providers read the secret, and only the secret of the enabled provider', () => {
    const [secret] = listResources(data, 'AWS::SecretsManager::Secret')
      .map(({ Properties }) => Properties.Name)
      .filter((name) => name.endsWith('/korapay'));
    for (const spec of FUNCTIONS) {
      const lambda = findFunction(api, 'prod', spec);
      const reads = listStatements(api, lambda).filter(({ Action }) => Action === 'secretsmanager:GetSecretValue');
      const ofProviders = reads
        .flatMap(({ Resource }) => findNames(Resource))
        .filter((name) => name.includes('/providers/'));
      expect(ofProviders).toEqual(knowsProviders(spec) ? [secret] : []);
      if (!knowsProviders(spec)) continue;
      expect(JSON.parse(lambda.Properties.Environment.Variables.PROVIDERS)).toEqual({
        korapay: { ...FULL_STAGE.providers.korapay, secretId: '/payments/prod/providers/korapay' },
      });
    }
  });

  test('tells functions the API’s address (its domain, if it has one), so that notifications of payments go there', () => {
    const readAddresses = (template: Template) => {
      const addresses = FUNCTIONS.filter(knowsProviders).map(
        (spec) => findFunction(template, 'prod', spec).Properties.Environment.Variables.STAGE_URL,
      );
      return [...new Set(addresses.map((url) => JSON.stringify(url)))];
    };
    expect(readAddresses(api)).toEqual([JSON.stringify(api.Outputs.BaseUrl?.Value)]);
    const { domain: _, ...without } = FULL_STAGE;
    const { api: ownName } = synthesize(without);
    expect(readAddresses(ownName)).toEqual([JSON.stringify(ownName.Outputs.BaseUrl?.Value)]);
    expect(readAddresses(ownName)[0]).toMatch(/^\{"Fn::GetAtt":\["\w*HttpApi\w*","ApiEndpoint"\]\}$/);
  });

  test('links to the sign-in at its domain in mails, and has no link without a domain', () => {
    const notices = ALL_FUNCTIONS.find(({ name }) => name === 'send-notices') as FunctionSpec;
    const readLink = (template: Template) =>
      findFunction(template, 'prod', notices).Properties.Environment.Variables.SIGN_IN_URL;
    expect(readLink(all)).toBe('https://api.example.com/dashboard');
    const { domain: _, ...without } = FULL_STAGE;
    expect(readLink(synthesize(without).all)).toBe('');
  });

  test('has the same CDK stack of data as without enabled providers, because it also has the secrets of disabled providers', () => {
    expect(synthesize({ ...FULL_STAGE, providers: {} }).data).toEqual(data);
  });
});

longTest('a stage with a restored table uses it in all functions, and keeps the old table', () => {
  const restored = synthesize({ ...makeDeployableStage('prod'), restoredTable: 'payments-restored' });
  const before = synthesize(makeDeployableStage('prod'));
  expect(restored.data).toEqual(before.data);
  expect(restored.api.Outputs.TableName?.Value).toBe('payments-restored');
  for (const spec of ALL_FUNCTIONS.filter((one) => listRights(one).length > 0)) {
    const lambda = findFunction(restored.all, 'prod', spec);
    expect(lambda.Properties.Environment.Variables.TABLE_NAME).toBe('payments-restored');
    const onTable = listStatements(restored.all, lambda).filter(({ Action }) =>
      JSON.stringify(Action).includes('dynamodb:'),
    );
    expect(onTable.every(({ Resource }) => JSON.stringify(Resource).includes(':table/payments-restored'))).toBe(true);
  }
});

longTest('a stage with warm throughput and a maximum has both on its table and on each index', () => {
  const warmThroughput = { reads: 20_000, writes: 8_000 };
  const mostThroughput = { reads: 30_000, writes: 10_000 };
  const { data } = synthesize({ ...makeDeployableStage('prod'), warmThroughput, mostThroughput });
  const [table] = listResources(data, 'AWS::DynamoDB::GlobalTable');
  const warm = { ReadUnitsPerSecond: 20_000, WriteUnitsPerSecond: 8_000 };
  const writes = { MaxWriteRequestUnits: 10_000 };
  const reads = { MaxReadRequestUnits: 30_000 };
  const indexes = ['gsi1', 'gsi2', 'gsi3'];
  expect(table?.Properties).toMatchObject({
    WarmThroughput: warm,
    WriteOnDemandThroughputSettings: writes,
    GlobalSecondaryIndexes: indexes.map((IndexName) => ({
      IndexName,
      WarmThroughput: warm,
      WriteOnDemandThroughputSettings: writes,
    })),
    Replicas: [
      {
        ReadOnDemandThroughputSettings: reads,
        GlobalSecondaryIndexes: indexes.map((IndexName) => ({ IndexName, ReadOnDemandThroughputSettings: reads })),
      },
    ],
  });
});

longTest('a stage without mail has no dashboard, but the same API', () => {
  const { mail: _, ...without } = makeDeployableStage('dev');
  const { api, stacks } = synthesize(without);
  expect([...stacks.keys()].sort()).toEqual(['payments-dev-api', 'payments-dev-data', 'payments-dev-watch']);
  const whole = synthesize(makeDeployableStage('dev')).api;
  for (const type of [
    'AWS::Lambda::Function',
    'AWS::IAM::Role',
    'AWS::Lambda::EventSourceMapping',
    'AWS::Events::Rule',
  ]) {
    expect(listResources(api, type)).toEqual(listResources(whole, type));
  }
  const keys = listResources(api, 'AWS::ApiGatewayV2::Route').map(({ Properties }) => Properties.RouteKey);
  expect(keys.filter((key) => key.includes('/dashboard'))).toEqual([]);
});

test('synth refuses settings with which a function would not start', () => {
  const wrong = { ...makeDeployableStage('dev'), dueShards: 0 };
  expect(() => synthesize(wrong)).toThrow(/would not start: correct DUE_SHARDS/);
});

test.each(['account', 'region'])('synth refuses prod without its %s', (name) => {
  expect(() => synthesize({ ...makeDeployableStage('prod'), [name]: undefined })).toThrow(
    `Correct stage "prod" in infra/config.ts: ${name} must be the `,
  );
});

test('synth refuses a stage with a dashboard but without the identity of its mails', () => {
  const mail = { from: 'payments@example.com' };
  expect(() => synthesize({ ...makeDeployableStage('dev'), mail })).toThrow(
    'mail.identity must be the domain or address that SES has verified',
  );
});

test('synth refuses prod without a recipient of its alarms', () => {
  expect(() => synthesize({ ...makeDeployableStage('prod'), alarms: undefined })).toThrow(
    'Correct stage "prod" in infra/config.ts: alarms must say who gets the alarms, because',
  );
});
