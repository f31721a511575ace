import type { Entry } from './entry.ts';
import { SERVICE_ENTRIES } from './service-entries.ts';

/** Requests in five minutes under which a share of failures says nothing: two failures of 20 are the first above five percent. */
export const FEWEST_REQUESTS = 20;

/** The entries of docs/operating/runbook.md whose alarms are on metrics of AWS, or are several. */
const OTHER_ENTRIES = {
  /** Messages. What five receives could not handle is our own bug (architecture.md section 5): one is enough. */
  'dead-letters': { area: 'webhooks', limit: { above: 0, minutes: 1, datapoints: 1, periods: 1 } },
  /** Seconds. A message whose consumer died is seen again after three minutes; at five minutes, no consumer runs. */
  'first-attempts-waiting': { area: 'webhooks', limit: { above: 300, minutes: 1, datapoints: 3, periods: 3 } },
  /** Seconds. A retry waits in its queue for up to 15 minutes by design, and its age counts from its sending; five more, as above. */
  'retries-waiting': { area: 'webhooks', limit: { above: 1_200, minutes: 1, datapoints: 3, periods: 3 } },
  /** Messages. What a provider fails at ends a message, so one here failed five times by a fault of ours. */
  'money-dead-letters': { area: 'live-money', limit: { above: 0, minutes: 1, datapoints: 1, periods: 1 } },
  /** Seconds. A message waits for no longer than its provider bears; at five minutes the sweeper sends work again. */
  'money-waiting': { area: 'live-money', limit: { above: 300, minutes: 1, datapoints: 3, periods: 3 } },
  /** Invocations, as of webhooks: what one that failed has left undone comes back by the due-work index. */
  'money-errors': { area: 'live-money', limit: { above: 0, minutes: 5, datapoints: 2, periods: 3 } },
  /** Invocations. The messages of one that failed come back by themselves; a second within 15 minutes is a pattern. */
  'consumer-errors': { area: 'webhooks', limit: { above: 0, minutes: 5, datapoints: 2, periods: 3 } },
  /** Runs, of the five in five minutes: the next one makes up for one that failed, but not for most of them. */
  'sweeper-errors': { area: 'live-money', limit: { above: 2, minutes: 5, datapoints: 1, periods: 1 } },
  /** Runs. One a minute; five missing runs are no accident. Short periods: CloudWatch takes older values before it believes that one is missing. */
  'sweeper-silent': { area: 'live-money', limit: { below: 1, minutes: 1, datapoints: 5, periods: 5 } },
  /** Invocations that nothing answered, as above. What killed it on a notification once will do so on each repeat of it. */
  'notification-errors': { area: 'live-money', limit: { above: 0, minutes: 5, datapoints: 1, periods: 1 } },
  /** Invocations. Handlers answer exceptions and their own time-out with 500, so this counts what kills a function; three are no accident. */
  'api-function-errors': { area: 'callers', limit: { above: 2, minutes: 5, datapoints: 1, periods: 1 } },
  /** Invocations of the functions that sign in, as above, or mails that wait so long that their codes are about to end. */
  'dashboard-errors': { area: 'callers', limit: { above: 2, minutes: 5, datapoints: 1, periods: 2 } },
  /** Milliseconds. Each minute's run mails what is due and measures the longest wait; a quarter of an hour is three tries, and no measurement is no run. What fails is due every five minutes, so a period may miss it. */
  'notices-late': { area: 'callers', limit: { above: 900_000, minutes: 5, datapoints: 2, periods: 3 } },
  /** Percent of the requests, from `FEWEST_REQUESTS` on. */
  'api-failures': { area: 'callers', limit: { above: 5, minutes: 5, datapoints: 1, periods: 2 } },
  /** Answers, however many requests there are: a route with few of them can fail for ever and be no share of all. */
  'api-failures-repeated': { area: 'callers', limit: { above: 2, minutes: 5, datapoints: 2, periods: 3 } },
  /** Milliseconds, 99th percentile. Only what asks a provider may take longer, as opening accounts. */
  'api-slow': { area: 'callers', limit: { above: 5_000, minutes: 5, datapoints: 3, periods: 3 } },
  /** 1 while Route 53's checkers reach the API by its own name, else 0. Three failures in a row, half a minute apart, made it 0. */
  'unreachable-from-outside': { area: 'alone', limit: { below: 1, minutes: 1, datapoints: 2, periods: 3 } },
  /** Days. ACM renews 60 days before the end: for 30 days it tried in vain. Route 53's checkers look at no certificate. */
  'certificate-expires': { area: 'alone', limit: { below: 30, minutes: 1_440, datapoints: 1, periods: 1 } },
  /** Businesses. One that is refused is its own affair, and a log event; two for a quarter of an hour have something in common: us, or a thief. */
  'secret-keys-refused': { area: 'alone', limit: { above: 1, minutes: 5, datapoints: 3, periods: 3 } },
  /**
   * Invocations that were refused. What a burst at a cold function meets is over in a second, and its containers stay warm for minutes:
   * nobody outside can repeat it every minute at one function. What goes on is a quota.
   */
  'lambda-throttles': { area: 'capacity', limit: { above: 0, minutes: 1, datapoints: 3, periods: 3 } },
  /** Reads and writes. The SDK repeats them, and DynamoDB splits a hot partition by itself; what continues needs an operator. */
  'table-throttles': { area: 'capacity', limit: { above: 0, minutes: 5, datapoints: 2, periods: 3 } },
  'index-throttles': { area: 'capacity', limit: { above: 0, minutes: 5, datapoints: 2, periods: 3 } },
} as const satisfies Readonly<Record<string, Entry>>;

/** Every entry of the runbook that has alarms, by its anchor. */
export const ENTRIES = { ...OTHER_ENTRIES, ...SERVICE_ENTRIES };
export type RunbookEntry = keyof typeof ENTRIES;
