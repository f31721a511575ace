import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { resourceName } from '#infra/constructs/names.ts';
import { type StageSettings, toStackEnv } from '#infra/constructs/stage-settings.ts';
import { alarmTopic } from '#infra/watch/alarm-topic.ts';
import { addAlarms } from '#infra/watch/alarms.ts';
import { addDashboard } from '#infra/watch/dashboard.ts';
import { addPages } from '#infra/watch/pages.ts';
import { addReturnedMails } from '#infra/watch/returned-mails.ts';

/** Properties of the CDK stack with alarms and the operators' dashboard. */
export interface WatchStackProps {
  readonly settings: StageSettings;
  /** The table that the functions use. */
  readonly tableName: string;
  readonly apiId: string;
}

/** The name of the CDK stack that watches a stage. */
export const watchStackName = (stage: string): string => resourceName(stage, 'watch');

/** The alarms of a stage, their topic, and the operators' dashboard. It can be created again at any time, and nothing depends on it. */
export class WatchStack extends Stack {
  constructor(scope: Construct, { settings, tableName, apiId }: WatchStackProps) {
    const name = watchStackName(settings.stage);
    super(scope, name, {
      stackName: name,
      description: `Payments, stage ${settings.stage}: alarms and dashboard.`,
      terminationProtection: settings.removal === 'retain',
      env: toStackEnv(settings),
    });
    const watched = {
      stage: settings.stage,
      tableName,
      apiId,
      hasDashboard: settings.mail !== undefined,
      certificateArn: settings.domain?.certificateArn,
    };
    const topic = alarmTopic(this, settings);
    if (settings.mail) addReturnedMails(this, settings.stage, topic);
    const alarms = addAlarms(this, watched);
    const pages = addPages(this, watched, topic, alarms);
    const dashboard = addDashboard(this, watched, pages, alarms);
    new CfnOutput(this, 'AlarmTopicArn', { value: topic.topicArn });
    new CfnOutput(this, 'DashboardName', { value: dashboard.dashboardName });
  }
}
