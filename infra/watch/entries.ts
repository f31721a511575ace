import type { Entry } from './entry.ts';
import { SERVICE_ENTRIES } from './service-entries.ts';

/**
 * The fewest requests in five minutes for which the percentage of failures is computed. One failure of 20 requests is not above the limit of five
 * percent, so an alarm needs at least two failures.
 */
export const MIN_REQUESTS = 20;

/** Entries of docs/operating/runbook.md whose alarms use metrics of AWS, or that have several alarms. Each comment begins with the limit's unit. */
const OTHER_ENTRIES = {
  /** Messages. A message that five receives could not handle is our own bug, so one message is enough. */
  'dead-letters': { area: 'webhooks', limit: { above: 0, minutes: 1, datapoints: 1, periods: 1 } },
  /** Seconds. If a consumer dies, its messages return after three minutes. A wait of five minutes means that no consumer runs. */
  'first-attempts-waiting': { area: 'webhooks', limit: { above: 300, minutes: 1, datapoints: 3, periods: 3 } },
  /** Seconds. A retry waits in its queue for up to 15 minutes by design, and SQS counts the wait as age. Five minutes are added, as in the entry above. */
  'retries-waiting': { area: 'webhooks', limit: { above: 1_200, minutes: 1, datapoints: 3, periods: 3 } },
  /** Messages. A failure of a provider ends its message, so a message here failed five times by our own fault. */
  'money-dead-letters': { area: 'live-money', limit: { above: 0, minutes: 1, datapoints: 1, periods: 1 } },
  /** Seconds. While consumers run, messages wait only at a provider's limit. After five minutes the sweeper sends the same work once more. */
  'money-waiting': { area: 'live-money', limit: { above: 300, minutes: 1, datapoints: 3, periods: 3 } },
  /** Failed invocations. The due-work index brings their work back, so one does no harm. Failures in two of three periods are a pattern. */
  'money-errors': { area: 'live-money', limit: { above: 0, minutes: 5, datapoints: 2, periods: 3 } },
  /** Failed invocations. SQS brings their messages back, so one does no harm. Failures in two of three periods are a pattern. */
  'consumer-errors': { area: 'webhooks', limit: { above: 0, minutes: 5, datapoints: 2, periods: 3 } },
  /** Failed runs. There are five in five minutes. The next run does the work of a failed run, but three failures in five minutes leave work waiting. */
  'sweeper-errors': { area: 'live-money', limit: { above: 2, minutes: 5, datapoints: 1, periods: 1 } },
  /**
   * Runs. There is one each minute, so five missing runs are no accident. Periods are short: before CloudWatch counts a value as missing, it uses
   * values of some earlier periods, so with longer periods the alarm would go off later.
   */
  'sweeper-silent': { area: 'live-money', limit: { below: 1, minutes: 1, datapoints: 5, periods: 5 } },
  /** Invocations without an answer. If a notification killed the function once, each repeat of the notification will do so too. */
  'notification-errors': { area: 'live-money', limit: { above: 0, minutes: 5, datapoints: 1, periods: 1 } },
  /** Invocations without an answer. Handlers answer exceptions and their own time-out with 500, so only killed invocations count. Three are no accident. */
  'api-function-errors': { area: 'callers', limit: { above: 2, minutes: 5, datapoints: 1, periods: 1 } },
  /**
   * Invocations without an answer, as for `api-function-errors`, here of the functions for signing in. While a code has waited for its mail for
   * half of its lifetime, a number that sets off the alarm is added (`dashboardAlarms`).
   */
  'dashboard-errors': { area: 'callers', limit: { above: 2, minutes: 5, datapoints: 1, periods: 2 } },
  /**
   * Milliseconds. Each minute's run tries to send the due mails, and measures the longest wait among the mails that it tried. A failed mail is
   * tried again five minutes later. So a wait of 15 minutes means that at least three tries failed. A period of five minutes may have no try,
   * so two of three periods are enough. If no run happens, there is no measurement, and the alarm goes off too.
   */
  'notices-late': { area: 'callers', limit: { above: 900_000, minutes: 5, datapoints: 2, periods: 3 } },
  /** Percent of the requests, if there are at least `MIN_REQUESTS`. */
  'api-failures': { area: 'callers', limit: { above: 5, minutes: 5, datapoints: 1, periods: 2 } },
  /** Answers with 5xx, regardless of the number of requests: a route with few requests can always fail and still be a tiny percentage. */
  'api-failures-repeated': { area: 'callers', limit: { above: 2, minutes: 5, datapoints: 2, periods: 3 } },
  /** Milliseconds, 99th percentile. Only requests that call a provider may take longer, such as those that open accounts. */
  'api-slow': { area: 'callers', limit: { above: 5_000, minutes: 5, datapoints: 3, periods: 3 } },
  /** 1 while Route 53's checkers reach the API at its domain, else 0. It becomes 0 after three failures in a row, half a minute apart. */
  'unreachable-from-outside': { area: 'alone', limit: { below: 1, minutes: 1, datapoints: 2, periods: 3 } },
  /**
   * Days. ACM begins to renew a certificate 60 days before its end, so at this limit the renewal has failed for 30 days. Route 53's checkers do not
   * check certificates.
   */
  'certificate-expires': { area: 'alone', limit: { below: 30, minutes: 1_440, datapoints: 1, periods: 1 } },
  /** Businesses. One refused business has a problem of its own, and gets only a log line. Two for a quarter of an hour suggest an incident. */
  'secret-keys-refused': { area: 'alone', limit: { above: 1, minutes: 5, datapoints: 3, periods: 3 } },
  /**
   * Throttled invocations. A burst at a cold function causes throttles for at most a second. Then the function's containers stay warm for
   * minutes. So no outsider can cause throttles of one function in every minute. Lasting throttles mean that a quota is used up.
   */
  'lambda-throttles': { area: 'capacity', limit: { above: 0, minutes: 1, datapoints: 3, periods: 3 } },
  /** Reads and writes. The SDK repeats them, and DynamoDB splits a hot partition by itself. Lasting throttles need an operator. */
  'table-throttles': { area: 'capacity', limit: { above: 0, minutes: 5, datapoints: 2, periods: 3 } },
  'index-throttles': { area: 'capacity', limit: { above: 0, minutes: 5, datapoints: 2, periods: 3 } },
} as const satisfies Readonly<Record<string, Entry>>;

/** Every runbook entry that has alarms, by its anchor. */
export const ENTRIES = { ...OTHER_ENTRIES, ...SERVICE_ENTRIES };
export type RunbookEntry = keyof typeof ENTRIES;
