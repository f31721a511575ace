import type { ServiceEntry } from './entry.ts';

/** Every alarm on a metric of ours (shared/platform/observability/metrics.ts), by its entry in the runbook. To add one takes an entry here and one there. */
export const SERVICE_ENTRIES = {
  'payments-unmatched': {
    impact:
      'Somebody paid, and the business is not notified: the money matches no account and no checkout, or was reported as returned.',
    metric: 'payments_unmatched',
    statistic: 'Sum',
    /** Payments, each when its last try, about an hour after the money came, was in vain: from then on it waits for an operator. */
    limit: { above: 0, minutes: 5, datapoints: 1, periods: 1 },
    area: 'alone',
    graphLine: { graph: 'Money that matches nothing, or cannot be recorded', line: 'unmatched' },
  },
  'notifications-stuck': {
    impact: 'Somebody may have paid, and nothing is recorded: what a provider told us is not settled.',
    metric: 'notifications_stuck',
    statistic: 'Maximum',
    /** Notifications that are stuck now, at each minute's sweep: not settled for 40 minutes, or a person is needed. One is enough, and goes on until it is settled or dismissed. */
    limit: { above: 0, minutes: 5, datapoints: 1, periods: 1 },
    area: 'alone',
    graphLine: { graph: 'Money that matches nothing, or cannot be recorded', line: 'notifications stuck' },
  },
  'items-unreadable': {
    impact: 'Lists and totals lack something, or money waits: this release cannot read items of the table.',
    metric: 'items_unreadable',
    statistic: 'Sum',
    /** Items. No release writes what it cannot read: a roll-back, or damage. Each list and sweep that meets one counts it. */
    limit: { above: 0, minutes: 5, datapoints: 1, periods: 1 },
    area: 'alone',
    graphLine: { graph: 'Money that matches nothing, or cannot be recorded', line: 'items unreadable' },
  },
  'deliveries-exhausted': {
    impact: 'A business did not receive an event of live money: every delivery failed for 72 hours.',
    metric: 'deliveries_exhausted',
    statistic: 'Sum',
    /** Deliveries, of 72 hours of tries: an hour sooner or later makes no difference, a mail every five minutes does. */
    limit: { above: 0, minutes: 60, datapoints: 1, periods: 1 },
    area: 'alone',
    graphLine: { graph: 'Webhooks given up', line: 'exhausted' },
  },
  'endpoints-disabled': {
    impact: 'A business gets no more webhooks at one of its endpoints, which accepted none for days.',
    metric: 'endpoints_disabled',
    statistic: 'Sum',
    /** Endpoints, after five days of failures: the same. */
    limit: { above: 0, minutes: 60, datapoints: 1, periods: 1 },
    area: 'alone',
    graphLine: { graph: 'Webhooks given up', line: 'endpoints disabled' },
  },
  'first-attempt-lag': {
    impact: 'Businesses learn of payments late: first webhooks are sent seconds after the money landed, not at once.',
    metric: 'first_attempt_lag',
    statistic: 'p95',
    /** Milliseconds, 95th percentile. A delivery is swept up 10 s after it was created; beyond that, first attempts are sent by the sweeper only. */
    limit: { above: 10_000, minutes: 5, datapoints: 3, periods: 3 },
    area: 'webhooks',
  },
  'provider-failures': {
    impact: 'Live money lands late: a provider does not answer when it is asked about payments.',
    metric: 'provider_failures',
    statistic: 'Sum',
    /** Calls. While a provider is away each minute counts one or more; most runs of a quarter of an hour are no hiccup. */
    limit: { above: 2, minutes: 5, datapoints: 3, periods: 3 },
    area: 'alone',
    graphLine: { graph: 'Providers that did not answer', line: 'failures' },
  },
  'look-ups-limited': {
    impact: 'Live money lands late: a provider answers 429 when it is asked about payments.',
    metric: 'look_ups_limited',
    statistic: 'Sum',
    /** Answers 429. We decide when to look up; what businesses ask for (requeries) is not counted. A burst waits and passes, a quarter of an hour does not. */
    limit: { above: 2, minutes: 5, datapoints: 3, periods: 3 },
    area: 'alone',
    graphLine: { graph: 'Providers that did not answer', line: 'look-ups limited' },
  },
  'provider-without-credentials': {
    impact: 'Nobody can open an account at a provider that the stage has enabled, and money there lands only later.',
    metric: 'providers_without_credentials',
    statistic: 'Sum',
    /** Reads in vain. Each minute's reconciliation makes one or more while a secret is missing; a quarter of an hour is no hiccup of AWS. */
    limit: { above: 0, minutes: 5, datapoints: 3, periods: 3 },
    area: 'alone',
    graphLine: { graph: 'Providers that did not answer', line: 'credentials missing' },
  },
  'closings-given-up': {
    impact:
      'Somebody can still pay into an account that its business has deactivated: its provider refuses to close it.',
    metric: 'closings_given_up',
    statistic: 'Sum',
    /** Accounts, after 72 hours of refusals: an hour sooner or later makes no difference, and each is reported once. */
    limit: { above: 0, minutes: 60, datapoints: 1, periods: 1 },
    area: 'alone',
    graphLine: { graph: 'Providers that did not answer', line: 'closings given up' },
  },
  'deliveries-overdue': {
    impact: 'Retries of webhooks come late: due work is not done in time.',
    metric: 'oldest_due',
    statistic: 'Maximum',
    /** Milliseconds. The sweeper runs every minute and takes all that is due; five runs in a row left work older than five minutes. */
    limit: { above: 300_000, minutes: 1, datapoints: 5, periods: 5 },
    area: 'webhooks',
    graphLine: { graph: 'Oldest due work, ms', line: 'deliveries' },
  },
  'payments-overdue': {
    impact: 'Checkouts expire late, and money whose notification got lost is found late: due work is not done in time.',
    metric: 'oldest_due_payment',
    statistic: 'Maximum',
    /** Milliseconds. Work that was sent to its queue is young again: this is work that no sweep sends. */
    limit: { above: 900_000, minutes: 1, datapoints: 5, periods: 5 },
    area: 'live-money',
    graphLine: { graph: 'Oldest due work, ms', line: 'payments' },
  },
  'reconciliation-behind': {
    impact: 'Live money whose notification got lost is not found: our books are not compared with a provider’s list.',
    metric: 'reconciliation_behind',
    statistic: 'Maximum',
    /** Milliseconds beyond the interval of the latest comparison. A list that is not answered is asked for each minute, and `provider-failures` goes off first. */
    limit: { above: 1_800_000, minutes: 1, datapoints: 5, periods: 5 },
    area: 'live-money',
    graphLine: { graph: 'Oldest due work, ms', line: 'reconciliation' },
  },
  'payments-not-notified': {
    impact: 'Live money lands minutes late, by reconciliation only: notifications do not come, or are refused.',
    metric: 'payments_not_notified',
    statistic: 'Sum',
    /** Payments that reconciliation found first. One may have come while its notification was under way; three in an hour are no accident. */
    limit: { above: 2, minutes: 60, datapoints: 1, periods: 1 },
    area: 'alone',
    graphLine: { graph: 'Notifications', line: 'payments without one' },
  },
} as const satisfies Readonly<Record<string, ServiceEntry>>;
