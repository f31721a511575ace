import { CfnInsightRule, type IWidget, LogQueryVisualizationType, LogQueryWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { accessLogName, functionLogName, resourceName } from '#infra/constructs/names.ts';
import { countDistinct, type Series } from './series.ts';
import { describeRoute, GROUPS, type WatchedStage } from './watched.ts';

const ruleName = ({ stage }: WatchedStage): string => resourceName(stage, 'refused-secret-keys');

/**
 * Counts the businesses whose valid secret live keys are refused. A metric of ours could not: a dimension for each business would be a
 * metric for each, without end. CloudWatch counts what matches in the logs as they arrive.
 */
export const addRefusedKeysRule = (scope: Construct, watched: WatchedStage): CfnInsightRule =>
  new CfnInsightRule(scope, 'RefusedKeys', {
    ruleName: ruleName(watched),
    ruleState: 'ENABLED',
    ruleBody: JSON.stringify({
      Schema: { Name: 'CloudWatchLogRule', Version: 1 },
      // A rule takes twenty log groups by name; there are more functions.
      LogGroupNames: [functionLogName(watched.stage, '*')],
      LogFormat: 'JSON',
      Contribution: {
        Keys: ['$.business_id'],
        Filters: [
          { Match: '$.event', In: ['secret_key_refused'] },
          // Test keys are for trying things out.
          { Match: '$.mode', In: ['live'] },
        ],
      },
      AggregateOn: 'Count',
    }),
  });

/** The businesses whose valid secret live keys were refused in a period. */
export const refusedBusinesses = (watched: WatchedStage): Series => countDistinct(ruleName(watched));

/**
 * Requests without a key that works, from the access log: anybody can send them, so they are shown and alarm nobody. A query costs only
 * when somebody looks, whatever a stranger sends.
 */
export const unknownKeyWidgets = (
  { stage }: WatchedStage,
  { width, height }: { readonly width: number; readonly height: number },
): IWidget[] => {
  const notified = GROUPS.notifications.map((spec) => `route != "${describeRoute(spec)}"`);
  // The access log has every value as a text.
  const unknown = ['filter status = "401"', ...notified.map((condition) => `filter ${condition}`)];
  const widget = (title: string, view: LogQueryVisualizationType, stats: readonly string[]): IWidget =>
    new LogQueryWidget({
      title,
      view,
      width,
      height,
      logGroupNames: [accessLogName(stage)],
      queryLines: [...unknown, ...stats],
    });
  return [
    widget('Requests without a key that works (401)', LogQueryVisualizationType.LINE, [
      'stats count(*) as refused by bin(5m)',
    ]),
    widget('Where they come from', LogQueryVisualizationType.TABLE, [
      'stats count(*) as refused by source_ip',
      'sort refused desc',
      'limit 10',
    ]),
  ];
};
