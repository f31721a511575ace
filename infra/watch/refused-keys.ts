import { CfnInsightRule, type IWidget, LogQueryVisualizationType, LogQueryWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { accessLogName, functionLogName, resourceName } from '#infra/constructs/names.ts';
import { countDistinct, type Series } from './series.ts';
import { describeRoute, GROUPS, type WatchedStage } from './watched.ts';

const ruleName = ({ stage }: WatchedStage): string => resourceName(stage, 'refused-secret-keys');

/**
 * Counts the businesses whose valid secret live keys are refused. A metric of ours cannot count businesses, because each
 * business would need its own metric. CloudWatch counts matching log lines as they arrive.
 */
export const addRefusedKeysRule = (scope: Construct, watched: WatchedStage): CfnInsightRule =>
  new CfnInsightRule(scope, 'RefusedKeys', {
    ruleName: ruleName(watched),
    ruleState: 'ENABLED',
    ruleBody: JSON.stringify({
      Schema: { Name: 'CloudWatchLogRule', Version: 1 },
      // A pattern, because a rule takes only twenty log groups by name.
      LogGroupNames: [functionLogName(watched.stage, '*')],
      LogFormat: 'JSON',
      Contribution: {
        Keys: ['$.business_id'],
        Filters: [
          { Match: '$.event', In: ['secret_key_refused'] },
          // Errors are normal with test keys.
          { Match: '$.mode', In: ['live'] },
        ],
      },
      AggregateOn: 'Count',
    }),
  });

/** The number of businesses whose valid secret live keys were refused in a period. */
export const refusedBusinesses = (watched: WatchedStage): Series => countDistinct(ruleName(watched));

/**
 * Shows requests without a working key, from the access log. Anybody can send them, so there is no alarm. A log query costs money only when
 * somebody looks at the dashboard.
 */
export const unknownKeyWidgets = (
  { stage }: WatchedStage,
  { width, height }: { readonly width: number; readonly height: number },
): IWidget[] => {
  const notNotifications = GROUPS.notifications.map((spec) => `route != "${describeRoute(spec)}"`);
  // The access log has every value as a text.
  const filters = ['filter status = "401"', ...notNotifications.map((condition) => `filter ${condition}`)];
  const widget = (title: string, view: LogQueryVisualizationType, stats: readonly string[]): IWidget =>
    new LogQueryWidget({
      title,
      view,
      width,
      height,
      logGroupNames: [accessLogName(stage)],
      queryLines: [...filters, ...stats],
    });
  return [
    widget('Requests without a working key (401)', LogQueryVisualizationType.LINE, [
      'stats count(*) as refused by bin(5m)',
    ]),
    widget('Addresses of requests without a working key', LogQueryVisualizationType.TABLE, [
      'stats count(*) as refused by source_ip',
      'sort refused desc',
      'limit 10',
    ]),
  ];
};
