import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { readStageSettings, STAGE_NAMES } from '#infra/config.ts';
import { ALL_FUNCTIONS } from '#infra/dashboard-functions.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import { operationsProgram } from '#infra/ops/program.ts';
import { addStage } from '#infra/stacks/payments-app.ts';
import { TABLE } from '#infra/table.ts';
import { ENTRIES } from '#infra/watch/entries.ts';
import type { Entry, ServiceEntry } from '#infra/watch/entry.ts';
import { SERVICE_ENTRIES } from '#infra/watch/service-entries.ts';
import { ALARMING_DASHBOARD_FUNCTIONS } from '#infra/watch/watched.ts';
import { METRIC_UNITS, type MetricName, metricsTo } from '#shared/platform/observability/metrics.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import { findComposites, listChildren } from '#test/support/alarms/composite-alarms.ts';
import {
  type AlarmProperties,
  DOMAIN,
  listAlarms,
  listResources,
  listStats,
  openTemplateFolder,
  type Resource,
  type Stat,
  type Template,
} from '#test/support/alarms/watch-template.ts';
import { makeDeployableStage } from '#test/support/deployable-stage.ts';
import { describeRows, longTest } from '#test/support/jest/long.ts';

const { code, newApp, synthesize, synthesizeOutside, remove } = openTemplateFolder();
afterAll(remove);

const findOnly = (template: Template, type: string): Resource => {
  const found = listResources(template, type);
  expect(found).toHaveLength(1);
  return found[0] as Resource;
};
const findId = (template: Template, resource: Resource): string | undefined =>
  Object.keys(template).find((id) => template[id] === resource);
const readDimension = ({ Dimensions }: Stat, name: string): unknown =>
  Dimensions.find(({ Name }) => Name === name)?.Value;
/** Lists the functions that have an alarm on this metric. */
const listWatchedFunctions = (alarms: readonly AlarmProperties[], metric: string): unknown[] =>
  alarms
    .flatMap(listStats)
    .filter(({ Namespace, MetricName }) => Namespace === 'AWS/Lambda' && MetricName === metric)
    .map((stat) => readDimension(stat, 'FunctionName'));
/** Reads the dashboard's body as text, with CloudFormation's placeholders. */
const readDashboard = (template: Template): string =>
  JSON.stringify(findOnly(template, 'AWS::CloudWatch::Dashboard').Properties.DashboardBody).replaceAll('\\"', '"');

const runbook = readFileSync('docs/operating/runbook.md', 'utf8');
const catalogue = readFileSync('shared/platform/observability/log.ts', 'utf8');
const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
/** The runbook's entries by anchor: the text under each third-level heading. */
const entries = new Map(
  runbook
    .split(/^### /m)
    .slice(1)
    .map((part): [string, string] => [slug(part.slice(0, part.indexOf('\n'))), part]),
);
const parseAnchor = ({ AlarmDescription }: Pick<AlarmProperties, 'AlarmDescription'>): string | undefined =>
  /docs\/operating\/runbook\.md#([a-z0-9-]+)$/.exec(AlarmDescription)?.[1];

/** The alarms that must exist: the watched thing, the runbook entry, and the metric. */
const REQUIRED: readonly (readonly [what: string, entry: string, metric: string])[] = [
  ['the depth of dead-letter queues', 'dead-letters', 'ApproximateNumberOfMessagesVisible'],
  ['the age of the oldest first attempt', 'first-attempts-waiting', 'ApproximateAgeOfOldestMessage'],
  ['the age of the oldest retry', 'retries-waiting', 'ApproximateAgeOfOldestMessage'],
  ['errors of consumers', 'consumer-errors', 'Errors'],
  ['errors of the API', 'api-function-errors', 'Errors'],
  ['errors of signing in', 'dashboard-errors', 'Errors'],
  ['the wait of notices', 'notices-late', 'notice_lag'],
  ['the age of the oldest mail', 'dashboard-errors', 'ApproximateAgeOfOldestMessage'],
  ['the rate of 5xx', 'api-failures', 'requests_failed'],
  ['the slowest percent of the API', 'api-slow', 'Latency'],
  ['throttles of functions', 'lambda-throttles', 'Throttles'],
  ['throttles of the table', 'table-throttles', 'WriteThrottleEvents'],
  ['throttles of its indexes', 'index-throttles', 'WriteThrottleEvents'],
  ['unmatched payments', 'payments-unmatched', 'payments_unmatched'],
  ['exhausted deliveries', 'deliveries-exhausted', 'deliveries_exhausted'],
  ['disabled endpoints', 'endpoints-disabled', 'endpoints_disabled'],
  ['the lag from landing to first attempt', 'first-attempt-lag', 'first_attempt_lag'],
  ['failures of providers', 'provider-failures', 'provider_failures'],
  ['payments that were not notified', 'payments-not-notified', 'payments_not_notified'],
  ['closings that a provider refuses', 'closings-given-up', 'closings_given_up'],
];

const isQuick = (stage: string): boolean => stage === 'prod';

describeRows('stage %s', STAGE_NAMES, isQuick, (stage) => {
  // Without the stage's own `alarms` setting, which has its own tests below.
  const mail = { from: 'payments@example.com' };
  const settings = { ...readStageSettings(stage), mail, domain: DOMAIN, alarms: undefined };
  const template = synthesize(settings);
  const alarms = listAlarms(template);

  test('has a runbook entry for every alarm, and an alarm for every entry', () => {
    const outside = listAlarms(synthesizeOutside(settings).template);
    const all = [...alarms, ...outside, ...findComposites(template).values()];
    expect(new Set(all.map(parseAnchor))).toEqual(new Set([...entries.keys(), 'pages']));
  });

  test.each(REQUIRED)('has an alarm on %s', (_, entry, metric) => {
    const watched = alarms.filter((alarm) => parseAnchor(alarm) === entry).flatMap(listStats);
    expect(watched.map(({ MetricName }) => MetricName)).toContain(metric);
  });

  test('describes in every alarm the effect on users, and names its runbook entry', () => {
    for (const { AlarmDescription } of alarms)
      expect(AlarmDescription).toMatch(/^[A-Z].{20,}\. Next step: docs\/operating\/runbook\.md#/);
  });

  test('sends the start and the end of every alarm to its topic, by itself or with the others of its area', () => {
    const topic = [{ Ref: findId(template, findOnly(template, 'AWS::SNS::Topic')) }];
    expect(alarms.length).toBeGreaterThan(FUNCTIONS.length);
    const areas = [...findComposites(template).values()].filter(({ AlarmRule }) => AlarmRule.startsWith('ALARM('));
    const grouped = areas.flatMap(listChildren);
    for (const alarm of alarms) {
      const own = grouped.includes(alarm.AlarmName) ? undefined : topic;
      expect([alarm.AlarmName, alarm.AlarmActions, alarm.OKActions]).toEqual([alarm.AlarmName, own, own]);
    }
    expect(new Set(grouped).size).toBe(grouped.length);
  });

  test('prefixes every alarm with the stage, as the topic’s policy requires', () => {
    const { PolicyDocument } = findOnly(template, 'AWS::SNS::TopicPolicy').Properties;
    const allowed = PolicyDocument.Statement.filter(
      ({ Effect, Principal }: { Effect: string; Principal: { Service?: string } }) =>
        Effect === 'Allow' && Principal.Service !== 'ses.amazonaws.com',
    );
    expect(allowed).toEqual([
      expect.objectContaining({ Action: 'sns:Publish', Principal: { Service: 'cloudwatch.amazonaws.com' } }),
    ]);
    const [, pattern] = /:alarm:([^"]+)\*"/.exec(JSON.stringify(allowed[0].Condition.ArnLike)) ?? [];
    expect(pattern).toBe(`payments-${stage}-`);
    for (const { AlarmName } of alarms) expect(AlarmName.startsWith(`payments-${stage}-`)).toBe(true);
    expect(new Set(alarms.map(({ AlarmName }) => AlarmName)).size).toBe(alarms.length);
  });

  test('accepts messages to the topic only over TLS', () => {
    const { PolicyDocument } = findOnly(template, 'AWS::SNS::TopicPolicy').Properties;
    expect(PolicyDocument.Statement).toContainEqual(
      expect.objectContaining({
        Effect: 'Deny',
        Action: 'sns:Publish',
        Principal: '*',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    );
  });

  test('encrypts the topic with a key that CloudWatch may use, except on a stage that may be destroyed', () => {
    if (readStageSettings(stage).removal === 'destroy') {
      expect(listResources(template, 'AWS::KMS::Key')).toEqual([]);
      expect(findOnly(template, 'AWS::SNS::Topic').Properties.KmsMasterKeyId).toBeUndefined();
      return;
    }
    const key = findOnly(template, 'AWS::KMS::Key');
    const { KmsMasterKeyId } = findOnly(template, 'AWS::SNS::Topic').Properties;
    expect(KmsMasterKeyId).toEqual({ 'Fn::GetAtt': [findId(template, key), 'Arn'] });
    expect(key.Properties.EnableKeyRotation).toBe(true);
    expect(key.Properties.KeyPolicy.Statement).toContainEqual({
      Effect: 'Allow',
      Principal: { Service: ['cloudwatch.amazonaws.com', 'ses.amazonaws.com'] },
      Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
      Resource: '*',
    });
  });

  test('watches errors and throttles of every function of the manifest', () => {
    const names = FUNCTIONS.map(({ name }) => `payments-${stage}-${name}`).sort();
    const ofDashboard = ALARMING_DASHBOARD_FUNCTIONS.map(({ name }) => `payments-${stage}-${name}`);
    expect(listWatchedFunctions(alarms, 'Errors').sort()).toEqual([...names, ...ofDashboard].sort());
    expect(listWatchedFunctions(alarms, 'Throttles').sort()).toEqual(names);
  });

  longTest('watches only functions and queues that the stage has', () => {
    const app = newApp();
    const { data, api, dashboard } = addStage(app, makeDeployableStage(stage), () => code);
    if (!dashboard) throw new Error('The stage has no dashboard.');
    const assembly = app.synth();
    const names = [data, api, dashboard].flatMap(({ stackName }) =>
      Object.values(assembly.getStackByName(stackName).template.Resources as Template).flatMap(({ Properties }) => [
        Properties?.FunctionName,
        Properties?.QueueName,
      ]),
    );
    const seen = alarms
      .flatMap(listStats)
      .flatMap((stat) => readDimension(stat, 'FunctionName') ?? readDimension(stat, 'QueueName') ?? []);
    expect(seen.filter((name) => !names.includes(name))).toEqual([]);
    const queues = alarms.flatMap(listStats).flatMap((stat) => readDimension(stat, 'QueueName') ?? []);
    expect(new Set(queues).size).toBe(names.filter((name) => queues.includes(name)).length);
    // Each live queue counts with its dead-letter queue: first, retry, slow, and one for each provider. The two queues of test mode count only with
    // their dead-letter queues, because waiting test messages alarm nobody. The ninth is the queue of codes.
    expect(new Set(queues).size).toBe(9 + 2 * PROVIDERS.length);
  });

  test('has two alarms for the dashboard of businesses, and none if it has no dashboard', () => {
    const isOfDashboard = (one: AlarmProperties) =>
      ['dashboard-errors', 'notices-late'].includes(parseAnchor(one) ?? '');
    const [alarm, notices, ...others] = alarms.filter(isOfDashboard);
    expect(others).toEqual([]);
    expect(alarm).toMatchObject({ Threshold: 2, TreatMissingData: 'notBreaching' });
    expect(alarm?.Metrics?.map(({ Expression }) => Expression)).toContain('IF(FILL(value, 0) > 300, 3, 0)');
    expect(notices).toMatchObject({ MetricName: 'notice_lag', Threshold: 900_000, TreatMissingData: 'breaching' });
    const without = listAlarms(synthesize({ ...settings, mail: undefined }));
    expect(without.filter(isOfDashboard)).toEqual([]);
    expect(without).toHaveLength(alarms.length - 2);
  });

  test('treats missing data as an alarm only for scheduled functions and the certificate', () => {
    const breaching = alarms.filter(({ TreatMissingData }) => TreatMissingData === 'breaching');
    const scheduled = FUNCTIONS.filter(({ trigger }) => trigger.kind === 'schedule');
    expect(listWatchedFunctions(breaching, 'Invocations').sort()).toEqual(
      scheduled.map(({ name }) => `payments-${stage}-${name}`).sort(),
    );
    expect(breaching.map(parseAnchor).sort()).toEqual(
      ['certificate-expires', 'notices-late', ...scheduled.map(() => 'sweeper-silent')].sort(),
    );
    for (const { TreatMissingData } of alarms) expect(['breaching', 'notBreaching']).toContain(TreatMissingData);
  });

  test('watches read and write throttles of the table and of each index separately', () => {
    const throttles = alarms.filter((alarm) => listStats(alarm).some(({ Namespace }) => Namespace === 'AWS/DynamoDB'));
    const seen = throttles.map((alarm) =>
      listStats(alarm).map((stat) => {
        expect(readDimension(stat, 'TableName')).toBe('the-table');
        return `${readDimension(stat, 'GlobalSecondaryIndexName') ?? 'table'} ${stat.MetricName}`;
      }),
    );
    expect(seen.sort()).toEqual(
      ['table', ...TABLE.indexes.map(({ name }) => name)]
        .map((name) => [`${name} ReadThrottleEvents`, `${name} WriteThrottleEvents`])
        .sort(),
    );
  });

  const findAlarms = (entry: string): readonly AlarmProperties[] =>
    alarms.filter((alarm) => parseAnchor(alarm) === entry);

  test('watches the percentage and the number of 5xx of functions, and the slowest percent of the API', () => {
    const [share, ...others] = findAlarms('api-failures');
    expect(others).toEqual([]);
    expect(share?.Metrics?.map(({ Expression }) => Expression)).toContain(
      'IF(all >= 20, 100 * FILL(some, 0) / all, 0)',
    );
    expect(share && listStats(share)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ Namespace: 'Payments', MetricName: 'requests_failed' }),
        expect.objectContaining({
          Namespace: 'AWS/ApiGateway',
          MetricName: 'Count',
          Dimensions: [{ Name: 'ApiId', Value: 'the-api' }],
        }),
      ]),
    );
    expect(findAlarms('api-failures-repeated')).toEqual([
      expect.objectContaining({
        Namespace: 'Payments',
        MetricName: 'requests_failed',
        ComparisonOperator: 'GreaterThanThreshold',
        Threshold: 2,
        DatapointsToAlarm: 2,
        EvaluationPeriods: 3,
        TreatMissingData: 'notBreaching',
      }),
    ]);
    expect(findAlarms('api-slow')).toEqual([
      expect.objectContaining({ MetricName: 'Latency', ExtendedStatistic: 'p99' }),
    ]);
  });

  test('alarms nobody because of a stranger’s burst of requests to a cold function', () => {
    // Lambda throttles requests above a ceiling, and the gateway answers them with 5xx.
    expect(alarms.flatMap(listStats).map(({ MetricName }) => MetricName)).not.toContain('5xx');
    const answering = FUNCTIONS.filter(({ trigger }) => trigger.kind === 'endpoint' || trigger.kind === 'route');
    for (const { name } of answering) {
      const [alarm] = findAlarms('lambda-throttles').filter((one) =>
        listWatchedFunctions([one], 'Throttles').includes(`payments-${stage}-${name}`),
      );
      // Each function has its own alarm over several minutes, because bursts at one function after another are no lasting problem.
      expect(alarm && listWatchedFunctions([alarm], 'Throttles')).toHaveLength(1);
      expect(alarm).toMatchObject({ DatapointsToAlarm: 3, EvaluationPeriods: 3 });
      expect(JSON.stringify(alarm)).toContain('"Period":60');
    }
  });

  test.each(Object.keys(METRIC_UNITS) as MetricName[])('shows or watches the metric %s of our functions', (name) => {
    const lines: string[] = [];
    metricsTo(
      stage,
      (line) => lines.push(line),
      () => 0,
    )(name, 1);
    const written = JSON.parse(lines[0] ?? '');
    const [{ Namespace, Dimensions, Metrics }] = written._aws.CloudWatchMetrics;
    const dimensions = Dimensions[0].map((Name: string) => ({ Name, Value: written[Name] }));
    const watched = alarms
      .flatMap(listStats)
      .some(
        (stat) =>
          stat.Namespace === Namespace &&
          stat.MetricName === Metrics[0].Name &&
          JSON.stringify(stat.Dimensions) === JSON.stringify(dimensions),
      );
    const flat = dimensions.map(({ Name, Value }: { Name: string; Value: string }) => `"${Name}","${Value}"`).join(',');
    const shown = readDashboard(template).includes(`["${Namespace}","${Metrics[0].Name}",${flat}`);
    expect(watched || shown).toBe(true);
  });

  test('stays within CloudWatch’s limits for alarms', () => {
    for (const alarm of alarms) {
      expect(listStats(alarm).length).toBeLessThanOrEqual(10);
      expect(alarm.AlarmDescription.length).toBeLessThanOrEqual(1_024);
    }
    for (const { limit } of Object.values<Entry>(ENTRIES)) {
      const { minutes, periods, datapoints } = limit;
      expect(minutes * periods).toBeLessThanOrEqual(24 * 60);
      expect(datapoints).toBeLessThanOrEqual(periods);
    }
  });

  test('counts the businesses whose valid secret live keys are refused, by a rule over the logs of all functions', () => {
    const rule = findOnly(template, 'AWS::CloudWatch::InsightRule').Properties;
    expect(JSON.parse(rule.RuleBody)).toEqual({
      Schema: { Name: 'CloudWatchLogRule', Version: 1 },
      LogGroupNames: [`/aws/lambda/payments-${stage}-*`],
      LogFormat: 'JSON',
      Contribution: {
        Keys: ['$.business_id'],
        Filters: [
          { Match: '$.event', In: ['secret_key_refused'] },
          { Match: '$.mode', In: ['live'] },
        ],
      },
      AggregateOn: 'Count',
    });
    expect(catalogue).toContain('\n  secret_key_refused: {');
    const [alarm, ...others] = alarms.filter((one) =>
      JSON.stringify(one.Metrics ?? []).includes('INSIGHT_RULE_METRIC'),
    );
    expect(others).toEqual([]);
    expect(alarm).toMatchObject({
      AlarmName: `payments-${stage}-secret-keys-refused`,
      ComparisonOperator: 'GreaterThanThreshold',
      // More than one: the errors of a single business alarm nobody.
      Threshold: 1,
      DatapointsToAlarm: 3,
      EvaluationPeriods: 3,
      Metrics: [
        {
          Expression: `INSIGHT_RULE_METRIC('${rule.RuleName}', 'UniqueContributors')`,
          Period: 300,
          ReturnData: true,
        },
      ],
    });
    const resource = listResources(template, 'AWS::CloudWatch::Alarm').find(({ Properties }) => Properties === alarm);
    expect((resource as { DependsOn?: string[] }).DependsOn).toEqual([
      findId(template, findOnly(template, 'AWS::CloudWatch::InsightRule')),
    ]);
  });

  test('shows requests without a working key from the access log, and has no alarm on them', () => {
    const body = readDashboard(template).replaceAll('\\', '');
    expect(body).toContain(`SOURCE '/aws/vendedlogs/payments-${stage}-access'`);
    expect(body).toContain('filter status = "401"');
    expect(body).toContain('filter route != "POST /providers/{provider}/notifications"');
    expect(alarms.flatMap(listStats).map(({ MetricName }) => MetricName)).not.toContain('4xx');
  });

  test('shows the metric of each alarm of the service in the graph of its entry', () => {
    const body = readDashboard(template);
    for (const { metric, graphLine } of Object.values<ServiceEntry>(SERVICE_ENTRIES)) {
      if (!graphLine) continue;
      const widget = body.split('"type":"metric"').find((part) => part.includes(`"title":"${graphLine.graph}"`));
      expect(widget).toContain(`"Payments","${metric}","stage","${stage}",{"label":"${graphLine.line}"`);
    }
  });

  test('has one dashboard, with every alarm, queue and index on it', () => {
    const body = readDashboard(template);
    const ids = Object.keys(template).filter((id) => template[id]?.Type === 'AWS::CloudWatch::Alarm');
    expect(ids.filter((id) => !body.includes(`"Fn::GetAtt":["${id}","Arn"]`))).toEqual([]);
    for (const lane of ['first', 'retry', 'slow', 'test']) {
      expect(body).toContain(`"QueueName","payments-${stage}-${lane}"`);
      expect(body).toContain(`"QueueName","payments-${stage}-${lane}-dlq"`);
    }
    for (const { name } of TABLE.indexes) expect(body).toContain(`"GlobalSecondaryIndexName","${name}"`);
  });

  test('leaves nothing behind when it is destroyed', () => {
    for (const resource of Object.values(template)) {
      expect((resource as { DeletionPolicy?: string }).DeletionPolicy ?? 'Delete').toBe('Delete');
    }
  });
});

describe('the alarms setting', () => {
  const settings = { ...readStageSettings('prod'), alarms: undefined };

  test('subscribes an e-mail address to the topic', () => {
    const template = synthesize({ ...settings, alarms: { email: 'on-call@example.com' } });
    expect(findOnly(template, 'AWS::SNS::Subscription').Properties).toEqual({
      Protocol: 'email',
      Endpoint: 'on-call@example.com',
      TopicArn: { Ref: findId(template, findOnly(template, 'AWS::SNS::Topic')) },
    });
  });

  test('uses an existing topic instead of a new one', () => {
    const topicArn = 'arn:aws:sns:eu-west-1:123456789012:on-call';
    const template = synthesize({ ...settings, alarms: { topicArn } });
    expect(listResources(template, 'AWS::SNS::Topic').concat(listResources(template, 'AWS::KMS::Key'))).toEqual([]);
    const calling = [...listAlarms(template), ...findComposites(template).values()].filter(
      ({ AlarmActions }) => AlarmActions,
    );
    expect(calling.length).toBeGreaterThan(10);
    for (const { AlarmActions, OKActions } of calling)
      expect([AlarmActions, OKActions]).toEqual([[topicArn], [topicArn]]);
  });

  test('subscribes nobody when it is left out', () => {
    expect(listResources(synthesize(settings), 'AWS::SNS::Subscription')).toEqual([]);
  });
});

describe('the runbook', () => {
  const { commands } = operationsProgram({
    connect: () => {
      throw new Error('This program is not run.');
    },
    out: () => {},
    err: () => {},
  });
  const named = (among: readonly Command[], name: string | undefined): Command | undefined =>
    among.find((command) => command.name() === name);

  test.each(Object.entries<Entry>(ENTRIES))(
    'has trigger, user impact, causes and next step for %s',
    (entry, { limit }) => {
      const text = entries.get(entry) ?? '';
      for (const part of ['**Trigger.**', '**Users feel.**', '**Likely causes.**', '**Next step.**']) {
        expect(text).toContain(part);
      }
      const value = 'above' in limit ? `> ${limit.above.toLocaleString('en')}` : `< ${limit.below}`;
      const trigger = text.slice(text.indexOf('**Trigger.**'), text.indexOf('**Users feel.**'));
      expect(trigger).toContain(`${value} `);
      expect(trigger).toContain(`${limit.datapoints} of ${limit.periods} × ${limit.minutes} min`);
    },
  );

  test('has the same parts for the entry several-at-once, and a row for the alarm of each area', () => {
    const text = entries.get('several-at-once') ?? '';
    for (const part of ['**Trigger.**', '**Users feel.**', '**Likely causes.**', '**Next step.**']) {
      expect(text).toContain(part);
    }
    const areas = [...findComposites(synthesize({ ...readStageSettings('prod'), alarms: undefined })).values()];
    for (const { AlarmName } of areas) expect(runbook).toContain(`| \`${AlarmName.replace('payments-prod-', '')}\` |`);
  });

  test('names operations commands that exist', () => {
    const pasted = [...runbook.matchAll(/npm run --silent ops -- --stage "\$STAGE" (?:--\S+ )*([a-z]+) ([a-z]+)/g)];
    expect(pasted.length).toBeGreaterThan(5);
    for (const [line, group, verb] of pasted) {
      const found = named(named(commands, group)?.commands ?? [], verb);
      expect([line, found?.name()]).toEqual([line, verb]);
    }
    expect([...runbook.matchAll(/npm run --silent ops/g)]).toHaveLength(pasted.length);
  });

  test('queries the logs for events that are logged, of functions that exist', () => {
    const filters = [...runbook.matchAll(/filter event (?:= "[a-z_]+"|in \[[^\]]+\])/g)].map(([text]) => text);
    const events = filters.flatMap((text) => [...text.matchAll(/"([a-z_]+)"/g)].map(([, event]) => event));
    expect(events.length).toBeGreaterThan(10);
    expect(events.filter((event) => !catalogue.includes(`\n  ${event}: {`))).toEqual([]);
    // Function names are the last words of a log query, or follow --function-name.
    const asked = [...runbook.matchAll(/^(?:insights \d+ '[^']*'|crashes \d+) ([a-z -]+)$/gm)].flatMap(
      ([, text = '']) => text.split(' '),
    );
    const named = [...runbook.matchAll(/--function-name "payments-\$STAGE-([a-z-]+)"/g)].map(([, name]) => name);
    const known = ALL_FUNCTIONS.map(({ name }) => name);
    expect(asked.length).toBeGreaterThan(10);
    expect([...asked, ...named].filter((name) => !known.includes(name ?? ''))).toEqual([]);
  });
});
