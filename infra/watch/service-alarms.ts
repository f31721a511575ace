import type { AlarmSpec } from './alarm-specs.ts';
import { ofService } from './series.ts';
import type { Watched } from './watched.ts';

/** Alarms on what our functions measure themselves (shared/observability/metrics.ts). */
export const serviceAlarms = ({ stage }: Watched): AlarmSpec[] => [
  {
    entry: 'payments-unmatched',
    impact:
      'Somebody paid, and the business is not notified: the money matches no account and no checkout, or was reported as returned.',
    series: ofService(stage, 'payments_unmatched', 'Sum'),
  },
  {
    entry: 'notifications-stuck',
    impact: 'Somebody may have paid, and nothing is recorded: what a provider told us is not settled.',
    series: ofService(stage, 'notifications_stuck', 'Maximum'),
  },
  {
    entry: 'items-unreadable',
    impact: 'Lists and totals lack something, or money waits: this release cannot read items of the table.',
    series: ofService(stage, 'items_unreadable', 'Sum'),
  },
  {
    entry: 'deliveries-exhausted',
    impact: 'A business did not receive an event of live money: every delivery failed for 72 hours.',
    series: ofService(stage, 'deliveries_exhausted', 'Sum'),
  },
  {
    entry: 'endpoints-disabled',
    impact: 'A business gets no more webhooks at one of its endpoints, which accepted none for days.',
    series: ofService(stage, 'endpoints_disabled', 'Sum'),
  },
  {
    entry: 'first-attempt-lag',
    impact: 'Businesses learn of payments late: first webhooks are sent seconds after the money landed, not at once.',
    series: ofService(stage, 'first_attempt_lag', 'p95'),
  },
  {
    entry: 'provider-failures',
    impact: 'Live money lands late: a provider does not answer when it is asked about payments.',
    series: ofService(stage, 'provider_failures', 'Sum'),
  },
  {
    entry: 'look-ups-limited',
    impact: 'Live money lands late: a provider answers 429 when it is asked about payments.',
    series: ofService(stage, 'look_ups_limited', 'Sum'),
  },
  {
    entry: 'provider-without-credentials',
    impact: 'Nobody can open an account at a provider that the stage has enabled, and money there lands only later.',
    series: ofService(stage, 'providers_without_credentials', 'Sum'),
  },
  {
    entry: 'closings-given-up',
    impact:
      'Somebody can still pay into an account that its business has deactivated: its provider refuses to close it.',
    series: ofService(stage, 'closings_given_up', 'Sum'),
  },
  {
    entry: 'deliveries-overdue',
    impact: 'Retries of webhooks come late: due work is not done in time.',
    series: ofService(stage, 'oldest_due', 'Maximum'),
  },
  {
    entry: 'payments-overdue',
    impact: 'Checkouts expire late, and money whose notification got lost is found late: due work is not done in time.',
    series: ofService(stage, 'oldest_due_payment', 'Maximum'),
  },
  {
    entry: 'payments-not-notified',
    impact: 'Live money lands minutes late, by reconciliation only: notifications do not come, or are refused.',
    series: ofService(stage, 'payments_not_notified', 'Sum'),
  },
];
