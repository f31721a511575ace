import type { AlarmSpec } from './alarm-specs.ts';
import { ofOurs } from './series.ts';
import type { Watched } from './watched.ts';

/** Alarms on what our functions measure themselves (shared/observability/metrics.ts). */
export const ourAlarms = ({ stage }: Watched): AlarmSpec[] => [
  {
    entry: 'payments-unmatched',
    feels:
      'Somebody paid, and neither payer nor business hears of it: the money matches no account and no checkout, or had been told as sent back.',
    series: ofOurs(stage, 'payments_unmatched', 'Sum'),
  },
  {
    entry: 'deliveries-exhausted',
    feels: 'A business was not told of an event: its endpoint took the webhook in none of 72 hours.',
    series: ofOurs(stage, 'deliveries_exhausted', 'Sum'),
  },
  {
    entry: 'endpoints-disabled',
    feels: 'A business gets no webhooks any more at one of its endpoints, which took none for days.',
    series: ofOurs(stage, 'endpoints_disabled', 'Sum'),
  },
  {
    entry: 'first-attempt-lag',
    feels: 'Businesses hear of payments late: first webhooks go out seconds after the money landed, not at once.',
    series: ofOurs(stage, 'first_attempt_lag', 'p95'),
  },
  {
    entry: 'provider-failures',
    feels: 'Live money lands late: a provider does not answer when it is asked about payments.',
    series: ofOurs(stage, 'provider_failures', 'Sum'),
  },
  {
    entry: 'provider-without-credentials',
    feels: 'Nobody can open an account at a provider that the stage has enabled, and money there lands only later.',
    series: ofOurs(stage, 'providers_without_credentials', 'Sum'),
  },
  {
    entry: 'closings-given-up',
    feels:
      'Somebody can still pay into an account that its business has deactivated: its provider refuses to close it.',
    series: ofOurs(stage, 'closings_given_up', 'Sum'),
  },
  {
    entry: 'deliveries-overdue',
    feels: 'Retries of webhooks come late: work that is due stays due.',
    series: ofOurs(stage, 'oldest_due', 'Maximum'),
  },
  {
    entry: 'payments-overdue',
    feels: 'Checkouts expire late, and money whose notification got lost is found late: work that is due stays due.',
    series: ofOurs(stage, 'oldest_due_payment', 'Maximum'),
  },
  {
    entry: 'notifications-refused',
    feels: 'Live money lands late, by reconciliation only: notifications do not carry a signature that we know.',
    series: ofOurs(stage, 'notifications_refused', 'Sum'),
  },
];
