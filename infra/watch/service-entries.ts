import type { ServiceEntry } from './entry.ts';

/**
 * Every alarm on our own metrics (shared/platform/observability/metrics.ts), by its runbook entry. A new alarm needs its metric in that file, an
 * entry here, and an entry in docs/operating/runbook.md. The comment of each limit begins with the limit's unit.
 */
export const SERVICE_ENTRIES = {
  'payments-unmatched': {
    impact:
      'Somebody paid, but the business is not notified: the money matches no account and no checkout, or the provider keeps money that it had reported as returned.',
    metric: 'payments_unmatched',
    statistic: 'Sum',
    /** Payments. Each counts once, after its last try failed about an hour after the money arrived. Then it waits for an operator. */
    limit: { above: 0, minutes: 5, datapoints: 1, periods: 1 },
    area: 'alone',
    graphLine: { graph: 'Money that matches nothing, or cannot be recorded', line: 'unmatched' },
  },
  'notifications-stuck': {
    impact: 'Somebody may have paid, but nothing is recorded: a notification of a provider is not settled.',
    metric: 'notifications_stuck',
    statistic: 'Maximum',
    /** Stuck notifications at each minute's sweep: not settled for 40 minutes, or waiting for a person. The alarm lasts until each is settled or dismissed. */
    limit: { above: 0, minutes: 5, datapoints: 1, periods: 1 },
    area: 'alone',
    graphLine: { graph: 'Money that matches nothing, or cannot be recorded', line: 'notifications stuck' },
  },
  'items-unreadable': {
    impact: 'Lists and totals may be incomplete, or money waits: this release cannot read some items of the table.',
    metric: 'items_unreadable',
    statistic: 'Sum',
    /** Items. No release writes items that it cannot read, so the reason is a roll-back or damage. Each list and sweep that reads an item counts it again. */
    limit: { above: 0, minutes: 5, datapoints: 1, periods: 1 },
    area: 'alone',
    graphLine: { graph: 'Money that matches nothing, or cannot be recorded', line: 'items unreadable' },
  },
  'deliveries-exhausted': {
    impact: 'A business did not receive an event of live money: every delivery failed for 72 hours.',
    metric: 'deliveries_exhausted',
    statistic: 'Sum',
    /** Deliveries, after 72 hours of attempts. The period is an hour: after 72 hours an hour makes no difference, and shorter periods would send more mails. */
    limit: { above: 0, minutes: 60, datapoints: 1, periods: 1 },
    area: 'alone',
    graphLine: { graph: 'Webhooks given up', line: 'exhausted' },
  },
  'endpoints-disabled': {
    impact: 'A business gets no more webhooks at one of its endpoints, because the endpoint accepted none for days.',
    metric: 'endpoints_disabled',
    statistic: 'Sum',
    /** Endpoints, after five days of failures. An endpoint that is switched off after answers with 410 is not counted. The period is an hour, as above. */
    limit: { above: 0, minutes: 60, datapoints: 1, periods: 1 },
    area: 'alone',
    graphLine: { graph: 'Webhooks given up', line: 'endpoints disabled' },
  },
  'first-attempt-lag': {
    impact: 'Businesses learn of payments late: webhooks are first sent more than ten seconds after the money landed.',
    metric: 'first_attempt_lag',
    statistic: 'p95',
    /**
     * Milliseconds from the event to the first attempt, 95th percentile. After 10 s a delivery that is still waiting is due for the sweeper. So above
     * this limit, the queue alone is too slow for at least one first attempt in twenty.
     */
    limit: { above: 10_000, minutes: 5, datapoints: 3, periods: 3 },
    area: 'webhooks',
  },
  'provider-failures': {
    impact: 'Live money lands late: a provider does not answer look-ups of payments.',
    metric: 'provider_failures',
    statistic: 'Sum',
    /**
     * Failures in live mode: openings at which the provider failed (`isProviderFailure`), and look-ups and other money work that it did not answer or
     * rejected. While a provider does not answer, each minute counts one or more. A quarter of an hour is more than a short problem.
     */
    limit: { above: 2, minutes: 5, datapoints: 3, periods: 3 },
    area: 'alone',
    graphLine: { graph: 'Providers that did not answer', line: 'failures' },
  },
  'look-ups-limited': {
    impact: 'Live money lands late: a provider answers look-ups of payments with 429.',
    metric: 'look_ups_limited',
    statistic: 'Sum',
    /** Answers 429 to our own look-ups. Requeries of businesses do not count. A burst passes; a quarter of an hour means that we ask too often. */
    limit: { above: 2, minutes: 5, datapoints: 3, periods: 3 },
    area: 'alone',
    graphLine: { graph: 'Providers that did not answer', line: 'look-ups limited' },
  },
  'provider-without-credentials': {
    impact:
      'Nobody can open an account at a provider that the stage has enabled, because its credentials are missing. Money there lands late.',
    metric: 'providers_without_credentials',
    statistic: 'Sum',
    /** Failed reads of a secret. Each minute's reconciliation makes one or more. A quarter of an hour is more than a short problem of AWS. */
    limit: { above: 0, minutes: 5, datapoints: 3, periods: 3 },
    area: 'alone',
    graphLine: { graph: 'Providers that did not answer', line: 'credentials missing' },
  },
  'closings-given-up': {
    impact:
      'Somebody can still pay into an account that its business has deactivated, because its provider rejects closing it.',
    metric: 'closings_given_up',
    statistic: 'Sum',
    /** Accounts, after 72 hours of rejections. Each counts once, and an hour makes no difference here. */
    limit: { above: 0, minutes: 60, datapoints: 1, periods: 1 },
    area: 'alone',
    graphLine: { graph: 'Providers that did not answer', line: 'closings given up' },
  },
  'deliveries-overdue': {
    impact: 'Retries of webhooks are sent late, because due work is not done in time.',
    metric: 'oldest_due',
    statistic: 'Maximum',
    /** Milliseconds. The sweeper takes all due work every minute. At this limit, five runs in a row left work that was due for over five minutes. */
    limit: { above: 300_000, minutes: 1, datapoints: 5, periods: 5 },
    area: 'webhooks',
    graphLine: { graph: 'Oldest due work, ms', line: 'deliveries' },
  },
  'payments-overdue': {
    impact:
      'Checkouts expire late, and money whose notification was lost is found late, because due work is not done in time.',
    metric: 'oldest_due_payment',
    statistic: 'Maximum',
    /** Milliseconds. A sweep that sends work to its queue moves the due time. So overdue work is work that no sweep has sent. */
    limit: { above: 900_000, minutes: 1, datapoints: 5, periods: 5 },
    area: 'live-money',
    graphLine: { graph: 'Oldest due work, ms', line: 'payments' },
  },
  'reconciliation-behind': {
    impact:
      'Live money whose notification was lost is not found, because our books are not compared with a provider’s list.',
    metric: 'reconciliation_behind',
    statistic: 'Maximum',
    /**
     * Milliseconds by which the slowest list is late: the time since its last complete comparison began, less the interval of its pass. If a
     * provider does not answer, `provider-failures` goes off first.
     */
    limit: { above: 1_800_000, minutes: 1, datapoints: 5, periods: 5 },
    area: 'live-money',
    graphLine: { graph: 'Oldest due work, ms', line: 'reconciliation' },
  },
  'payments-not-notified': {
    impact:
      'Live money lands minutes late and only by reconciliation, because notifications do not arrive or are rejected.',
    metric: 'payments_not_notified',
    statistic: 'Sum',
    /**
     * Payments that reconciliation found before their notification came, and listed payments that cannot be read. One may be an accident, if its
     * notification was still on the way; three in an hour are not.
     */
    limit: { above: 2, minutes: 60, datapoints: 1, periods: 1 },
    area: 'alone',
    graphLine: { graph: 'Notifications', line: 'payments without one' },
  },
} as const satisfies Readonly<Record<string, ServiceEntry>>;
