import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { MetricName } from '#shared/platform/observability/metrics.ts';

/** Makes a metric with periods of `minutes`. */
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

/** The lowest value of a Route 53 health check in a period: 1 if its checkers reach the endpoint, else 0. The metric is only in us-east-1. */
export const healthCheckSeries = (HealthCheckId: string): Series =>
  series('AWS/Route53', 'HealthCheckStatus', { HealthCheckId }, 'Minimum');

/** The days until an ACM certificate expires. */
export const certificateSeries = (CertificateArn: string): Series =>
  series('AWS/CertificateManager', 'DaysToExpiry', { CertificateArn }, 'Minimum');

/** A metric that our functions write (shared/platform/observability/metrics.ts). */
export const serviceSeries = (stage: string, metric: MetricName, statistic: string): Series =>
  series('Payments', metric, { stage }, statistic);

/** Counts the different contributors of a Contributor Insights rule in a period. A period without contributors has no value. */
export const countDistinct =
  (ruleName: string): Series =>
  (minutes, label) =>
    new MathExpression({
      expression: `INSIGHT_RULE_METRIC('${ruleName}', 'UniqueContributors')`,
      period: Duration.minutes(minutes),
      ...(label === undefined ? {} : { label }),
    });

/**
 * Sums two or more series. Missing values count as zero, also values that have not arrived yet. In a graph `label` must begin with a small
 * letter, because the ids of the series are made from it.
 */
export const sumSeries =
  (parts: readonly Series[]): Series =>
  (minutes, label) => {
    // CloudWatch needs unique names for all expressions of a graph.
    const ids = parts.map((_part, i) => `${(label ?? 'part').replaceAll(/\W/g, '_')}_${i}`);
    return new MathExpression({
      expression: ids.map((id) => `FILL(${id}, 0)`).join(' + '),
      usingMetrics: Object.fromEntries(parts.map((part, i) => [ids[i], part(minutes)])),
      period: Duration.minutes(minutes),
      ...(label === undefined ? {} : { label }),
    });
  };

/** Has the value `count` in each period in which `value` is above `limit`, and zero in the others. */
export const countIfAbove =
  (value: Series, limit: number, count: number): Series =>
  (minutes, label) =>
    new MathExpression({
      expression: `IF(FILL(value, 0) > ${limit}, ${count}, 0)`,
      usingMetrics: { value: value(minutes) },
      period: Duration.minutes(minutes),
      ...(label === undefined ? {} : { label }),
    });

/** The percentage of `some` in `all`; zero while `all` is below `minimum`. */
export const computePercent =
  (some: Series, all: Series, minimum: number): Series =>
  (minutes, label) =>
    new MathExpression({
      expression: `IF(all >= ${minimum}, 100 * FILL(some, 0) / all, 0)`,
      usingMetrics: { some: some(minutes), all: all(minutes) },
      period: Duration.minutes(minutes),
      ...(label === undefined ? {} : { label }),
    });
