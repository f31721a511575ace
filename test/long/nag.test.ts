import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { readStageSettings, STAGE_NAMES } from '#infra/config.ts';
import type { StageSettings } from '#infra/constructs/stage-settings.ts';
import { ACKNOWLEDGEMENTS } from '#infra/stacks/acknowledgements.ts';
import { addStage, type PaymentsApp } from '#infra/stacks/payments-app.ts';
import { makeDeployableStage } from '#test/support/deployable-stage.ts';

interface Report {
  readonly pluginReports: readonly {
    readonly pluginName: string;
    readonly violations: readonly unknown[];
    readonly suppressedViolations: readonly {
      readonly acknowledgedId: string;
      readonly acknowledgedAt: string;
      readonly reason: string;
    }[];
  }[];
}

const scratch = mkdtempSync(join(tmpdir(), 'payments-nag-'));
const code = join(scratch, 'code');
mkdirSync(code);
writeFileSync(join(code, 'index.js'), '');
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const build = (settings: StageSettings): PaymentsApp =>
  addStage(new App({ outdir: mkdtempSync(join(scratch, 'out-')), stackTraces: false }), settings, () => code);

/** Reads the validation report of an app. The app's synth must succeed. */
const readReport = ({ app }: PaymentsApp): Report =>
  JSON.parse(readFileSync(join(app.synth().directory, 'validation-report.json'), 'utf8'));

/** The settings of prod after docs/operating/first-deployment.md was followed. */
const IN_OPERATION: StageSettings = {
  ...readStageSettings('prod'),
  account: '111122223333',
  region: 'eu-west-1',
  alarms: { email: 'oncall@example.com' },
  domain: { name: 'api.example.com', certificateArn: 'arn:aws:acm:eu-west-1:111122223333:certificate/one' },
  providers: {
    paystack: {
      baseUrl: 'https://api.paystack.co',
      customerEmailDomain: 'accounts.example.com',
      bank: 'wema-bank',
      validatesCustomers: false,
    },
  },
  defaultProvider: 'paystack',
};

/** Prod without any optional setting, and with alarms that go to an existing topic. */
const EXISTING_TOPIC: StageSettings = {
  ...readStageSettings('prod'),
  account: '111122223333',
  region: 'eu-west-1',
  alarms: { topicArn: 'arn:aws:sns:eu-west-1:111122223333:on-call' },
  domain: undefined,
  providers: {},
};

describe.each([
  ...STAGE_NAMES.map((stage): [string, StageSettings] => [stage, makeDeployableStage(stage)]),
  ['prod in operation', IN_OPERATION] as [string, StageSettings],
  ['prod with an existing topic', EXISTING_TOPIC] as [string, StageSettings],
])('cdk-nag on %s', (_name, settings) => {
  const stage = build(settings);
  const { pluginReports } = readReport(stage);

  test('runs the checks AwsSolutions and Serverless, and finds nothing', () => {
    expect(pluginReports.map(({ pluginName }) => pluginName)).toEqual(
      expect.arrayContaining(['AwsSolutions', 'Serverless']),
    );
    expect(pluginReports.flatMap(({ violations }) => violations)).toEqual([]);
  });

  test('uses exactly the listed acknowledgements', () => {
    const listed = ACKNOWLEDGEMENTS.flatMap(({ id, reason, where }) =>
      where(stage).map(({ node }) => `${node.path}: ${id}: ${reason}`),
    );
    const used = pluginReports.flatMap(({ suppressedViolations }) =>
      suppressedViolations.map(
        ({ acknowledgedAt, acknowledgedId, reason }) => `${acknowledgedAt}: ${acknowledgedId}: ${reason}`,
      ),
    );
    expect([...new Set(used)].sort()).toEqual(listed.sort());
  });
});

test('a finding of cdk-nag that is not acknowledged stops the synth', () => {
  const stage = build(readStageSettings('dev'));
  new Queue(stage.data, 'Careless');
  expect(() => stage.app.synth()).toThrow(/[Vv]alidation/);
});
