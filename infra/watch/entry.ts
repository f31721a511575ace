import type { MetricName } from '#shared/platform/observability/metrics.ts';

/**
 * The limit of an alarm. It goes off if the value was above (or below) the limit in `datapoints` of the last `periods`, each of `minutes`.
 * An alarm over several metrics counts missing values as zero, also the newest values until they arrive. So its `periods` must be more than
 * its `datapoints`, or it could stay OK (CloudWatch user guide, metric math, FILL).
 */
export type Limit = {
  readonly minutes: number;
  readonly datapoints: number;
  readonly periods: number;
} & ({ readonly above: number } | { readonly below: number });

/**
 * A part of a stage that fails as a whole if AWS, a quota of the account or a deployment fails. People get one notification for all alarms
 * of an area.
 */
export type Area = 'callers' | 'capacity' | 'live-money' | 'webhooks';

/** The facts that all alarms of one runbook entry share. */
export interface Entry {
  readonly limit: Limit;
  /**
   * An alarm that is `alone` belongs to no area and notifies people by itself. It is about particular payments or businesses, and a
   * failure of AWS does not set it off.
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
