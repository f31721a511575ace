import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { MetricName } from '#shared/platform/observability/metrics.ts';

/** What is measured, over periods of `minutes`. */
export type Series = (minutes: number, label?: string) => IMetric;

const series =
  (namespace: string, metricName: string, dimensionsMap: Record<string, string>, statistic: string): Series =>
  (minutes, label) =>
    new Metric({
      namespace,
      metricName,
      dimensionsMap,
      statistic,
      period: Duration.minutes(minutes),
      ...(label === undefined ? {} : { label }),
    });

/** A metric of Lambda's. */
export type FunctionMetric = 'Invocations' | 'Errors' | 'Throttles' | 'Duration' | 'ConcurrentExecutions';
/** A metric of a function. */
export const functionSeries = (FunctionName: string, metric: FunctionMetric, statistic = 'Sum'): Series =>
  series('AWS/Lambda', metric, { FunctionName }, statistic);

/** A metric of SQS's. */
export type QueueMetric =
  | 'ApproximateAgeOfOldestMessage'
  | 'ApproximateNumberOfMessagesVisible'
  | 'ApproximateNumberOfMessagesNotVisible'
  | 'ApproximateNumberOfMessagesDelayed';
/** A metric of a queue: its highest value in a period. */
export const queueSeries = (QueueName: string, metric: QueueMetric): Series =>
  series('AWS/SQS', metric, { QueueName }, 'Maximum');

/** A metric of DynamoDB's. */
export type TableMetric =
  | 'ReadThrottleEvents'
  | 'WriteThrottleEvents'
  | 'ConsumedReadCapacityUnits'
  | 'ConsumedWriteCapacityUnits';
/** A metric of the table alone, or of one of its indexes alone. */
export const tableSeries = (TableName: string, metric: TableMetric, index?: string): Series =>
  series(
    'AWS/DynamoDB',
    metric,
    { TableName, ...(index === undefined ? {} : { GlobalSecondaryIndexName: index }) },
    'Sum',
  );

/** A metric of API Gateway's. */
export type ApiMetric = '4xx' | '5xx' | 'Count' | 'Latency' | 'IntegrationLatency';
/** A metric of an HTTP API. */
export const apiSeries = (ApiId: string, metric: ApiMetric, statistic: string): Series =>
  series('AWS/ApiGateway', metric, { ApiId }, statistic);

/** Whether the checkers of a Route 53 health check reach its endpoint: the lowest value of a period, 1 or 0. It lives in us-east-1 alone. */
export const healthCheckSeries = (HealthCheckId: string): Series =>
  series('AWS/Route53', 'HealthCheckStatus', { HealthCheckId }, 'Minimum');

/** The days that a certificate in ACM is still valid. */
export const certificateSeries = (CertificateArn: string): Series =>
  series('AWS/CertificateManager', 'DaysToExpiry', { CertificateArn }, 'Minimum');

/** A metric that our functions write (shared/platform/observability/metrics.ts). */
export const serviceSeries = (stage: string, metric: MetricName, statistic: string): Series =>
  series('Payments', metric, { stage }, statistic);

/** How many businesses, keys or whatever a Contributor Insights rule counts were seen in a period; nothing where none was. */
export const countDistinct =
  (ruleName: string): Series =>
  (minutes, label) =>
    new MathExpression({
      expression: `INSIGHT_RULE_METRIC('${ruleName}', 'UniqueContributors')`,
      period: Duration.minutes(minutes),
      ...(label === undefined ? {} : { label }),
    });

/** The sum of two or more; what was not measured counts as zero, and so does what has not come yet. Where it is one line of a graph, its label begins with a small letter. */
export const sumSeries =
  (parts: readonly Series[]): Series =>
  (minutes, label) => {
    // Unique in a graph, as CloudWatch wants the names within its expressions.
    const ids = parts.map((_part, at) => `${(label ?? 'part').replaceAll(/\W/g, '_')}_${at}`);
    return new MathExpression({
      expression: ids.map((id) => `FILL(${id}, 0)`).join(' + '),
      usingMetrics: Object.fromEntries(parts.map((part, at) => [ids[at], part(minutes)])),
      period: Duration.minutes(minutes),
      ...(label === undefined ? {} : { label }),
    });
  };

/** `as` in each period in which a value is above a limit, else zero. */
export const countIfAbove =
  (value: Series, limit: number, as: number): Series =>
  (minutes, label) =>
    new MathExpression({
      expression: `IF(FILL(value, 0) > ${limit}, ${as}, 0)`,
      usingMetrics: { value: value(minutes) },
      period: Duration.minutes(minutes),
      ...(label === undefined ? {} : { label }),
    });

/** The share of `some` in `all` in percent; zero while `all` is under `fewest`. */
export const computePercent =
  (some: Series, all: Series, fewest: number): Series =>
  (minutes, label) =>
    new MathExpression({
      expression: `IF(all >= ${fewest}, 100 * FILL(some, 0) / all, 0)`,
      usingMetrics: { some: some(minutes), all: all(minutes) },
      period: Duration.minutes(minutes),
      ...(label === undefined ? {} : { label }),
    });
