/** Every metric with its unit. */
export const METRIC_UNITS = {
  requests_failed: 'Count',
  provider_busy: 'Count',
  first_attempt_lag: 'Milliseconds',
  delivery_lag: 'Milliseconds',
  notice_lag: 'Milliseconds',
  deliveries_parked: 'Count',
  deliveries_drained: 'Count',
  deliveries_exhausted: 'Count',
  endpoints_disabled: 'Count',
  oldest_due: 'Milliseconds',
  oldest_due_payment: 'Milliseconds',
  reconciliation_behind: 'Milliseconds',
  provider_failures: 'Count',
  look_ups_limited: 'Count',
  closings_given_up: 'Count',
  providers_without_credentials: 'Count',
  notifications_refused: 'Count',
  payments_not_notified: 'Count',
  payments_unmatched: 'Count',
  foreign_reports: 'Count',
  notifications_stuck: 'Count',
  items_unreadable: 'Count',
} as const;

export type MetricName = keyof typeof METRIC_UNITS;
export type Metrics = (name: MetricName, value: number) => void;

const NAMESPACE = 'Payments';

/** Writes a metric as one log line in CloudWatch's embedded metric format, without a call or a client. */
export const metricsTo =
  (stage: string, write: (line: string) => void, now: () => number): Metrics =>
  (name, value) => {
    write(
      JSON.stringify({
        _aws: {
          Timestamp: now(),
          CloudWatchMetrics: [
            { Namespace: NAMESPACE, Dimensions: [['stage']], Metrics: [{ Name: name, Unit: METRIC_UNITS[name] }] },
          ],
        },
        stage,
        [name]: value,
      }),
    );
  };
