import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import type { StageSettings } from '#infra/constructs/stage-settings.ts';
import { OutsideStack } from '#infra/stacks/outside-stack.ts';
import { WatchStack } from '#infra/stacks/watch-stack.ts';

/** A metric of a template, without its period. */
export interface Stat {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions: readonly { readonly Name: string; readonly Value: unknown }[];
}

/** An entry of the `Metrics` of an alarm: the alarm's expression, or a metric that the expression names. */
export interface MetricEntry {
  readonly Id: string;
  readonly Expression?: string;
  readonly ReturnData?: boolean;
  readonly MetricStat?: { readonly Metric: Stat };
}

/** An alarm as CloudFormation gets it. */
export interface AlarmProperties extends Partial<Stat> {
  readonly AlarmName: string;
  readonly AlarmDescription: string;
  readonly AlarmActions?: unknown;
  readonly OKActions?: unknown;
  readonly ComparisonOperator: 'GreaterThanThreshold' | 'LessThanThreshold';
  readonly Threshold: number;
  readonly TreatMissingData: string;
  readonly DatapointsToAlarm: number;
  readonly EvaluationPeriods: number;
  readonly Period?: number;
  readonly Metrics?: readonly MetricEntry[];
}

export interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a template is read here as loosely as AWS defines it.
  readonly Properties: any;
}
export type Template = Readonly<Record<string, Resource>>;

/** A custom domain for the API of a stage. */
export const DOMAIN = {
  name: 'api.example.com',
  certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/one',
};

/** Makes templates in a folder of its own, which `remove` deletes. `code`: a folder in place of the built code of every function. */
export const openTemplateFolder = () => {
  const scratch = mkdtempSync(join(tmpdir(), 'payments-alarms-'));
  const code = join(scratch, 'code');
  mkdirSync(code);
  writeFileSync(join(code, 'index.js'), '');
  /** Skips CloudFormation's validation, which takes long. nag.test.ts checks its findings. */
  const newApp = (): App =>
    new App({ outdir: mkdtempSync(join(scratch, 'out-')), stackTraces: false, builtinCloudFormationValidation: false });
  /** Synthesizes only the watch CDK stack, which needs just two names from the other CDK stacks. */
  const synthesize = (settings: StageSettings): Template => {
    const app = newApp();
    const watch = new WatchStack(app, { settings, tableName: 'the-table', apiId: 'the-api' });
    return app.synth().getStackByName(watch.stackName).template.Resources;
  };
  /** Synthesizes the CDK stack of the check from outside. @throws Error for a stage whose API has no custom domain. */
  const synthesizeOutside = (settings: StageSettings): { readonly region: string; readonly template: Template } => {
    if (!settings.domain) throw new Error('The stage has no domain.');
    const app = newApp();
    const { stackName } = new OutsideStack(app, { settings: { ...settings, domain: settings.domain } });
    const { environment, template } = app.synth().getStackByName(stackName);
    return { region: environment.region, template: template.Resources };
  };
  return {
    code,
    newApp,
    synthesize,
    synthesizeOutside,
    remove: () => rmSync(scratch, { recursive: true, force: true }),
  };
};

/** Lists the resources of a type. */
export const listResources = (template: Template, type: string): Resource[] =>
  Object.values(template).filter(({ Type }) => Type === type);

/** Lists the alarms of a template that watch metrics. */
export const listAlarms = (template: Template): AlarmProperties[] =>
  listResources(template, 'AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);

/** Lists the metrics that an alarm watches. */
export const listStats = (alarm: AlarmProperties): Stat[] =>
  alarm.Metrics === undefined
    ? [{ Namespace: '', MetricName: '', Dimensions: [], ...alarm }]
    : alarm.Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []);
