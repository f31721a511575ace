import type { MetricName } from '#shared/platform/observability/metrics.ts';

/**
 * When an alarm goes off: in `times` of the last `of` periods of `minutes` each, its value was above (or below) this. An alarm over several
 * metrics has a zero for what is missing, and so for the newest values until they come: its `of` is more than its `times`, or it could be
 * stuck at OK (CloudWatch user guide, metric math, FILL).
 */
export type Limit = {
  readonly minutes: number;
  readonly datapoints: number;
  readonly periods: number;
} & ({ readonly above: number } | { readonly below: number });

/** A part of a stage that goes wrong as a whole when AWS, an account's quota or a deployment fails. It calls once for all of its alarms. */
export type Area = 'callers' | 'capacity' | 'live-money' | 'webhooks';

/** The facts that all alarms of one runbook entry share. */
export interface Entry {
  readonly limit: Limit;
  /** An alarm that is `alone` calls by itself: it tells of money or of one business, each time of something else, and no fault of AWS makes it. */
  readonly area: Area | 'alone';
}

/** An entry whose one alarm is on a metric that our functions write. */
export interface ServiceEntry extends Entry {
  /** The effect that users notice, in one sentence. */
  readonly impact: string;
  readonly metric: MetricName;
  readonly statistic: string;
  /** The graph of the dashboard that shows the metric, by its title, and the name of its line there. */
  readonly graphLine?: { readonly graph: string; readonly line: string };
}
