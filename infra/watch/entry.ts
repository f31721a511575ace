import type { MetricName } from '#shared/platform/observability/metrics.ts';

/**
 * The limit of an alarm. The alarm goes off if its value was above (or below) the limit in `datapoints` of the last `periods`, each of `minutes`.
 * An alarm over several metrics counts a missing value as zero, and the newest values are missing until they arrive. So such an alarm needs
 * more `periods` than `datapoints`. Otherwise it could stay OK although the value is above the limit (CloudWatch user guide, metric math, FILL).
 */
export type Limit = {
  readonly minutes: number;
  readonly datapoints: number;
  readonly periods: number;
} & ({ readonly above: number } | { readonly below: number });

/**
 * A part of a stage. If AWS or a deployment fails, or a quota of the account is used up, many alarms of the part go off together. So people get
 * one notification for all alarms of an area.
 */
export type Area = 'callers' | 'capacity' | 'live-money' | 'webhooks';

/** The facts that all alarms of one runbook entry share. */
export interface Entry {
  readonly limit: Limit;
  /**
   * An alarm that is `alone` belongs to no area and notifies people by itself. It has a cause of its own, such as particular payments or
   * businesses, or a certificate that expires.
   */
  readonly area: Area | 'alone';
}

/** An entry with one alarm, on a metric that our functions write. */
export interface ServiceEntry extends Entry {
  /** The effect that users notice, in sentences. */
  readonly impact: string;
  readonly metric: MetricName;
  readonly statistic: string;
  /** The title of the dashboard's graph that shows the metric, and the label of its line. */
  readonly graphLine?: { readonly graph: string; readonly line: string };
}
