/**
 * When an alarm goes off: in `times` of the last `of` periods of `minutes` each, its value was above (or below) this. An alarm over several
 * metrics has a zero for what is missing, and so for the newest values until they come: its `of` is more than its `times`, or it could be
 * stuck at OK (CloudWatch user guide, metric math, FILL).
 */
export type Limit = {
  readonly minutes: number;
  readonly times: number;
  readonly of: number;
} & ({ readonly above: number } | { readonly below: number });

/** Requests in five minutes under which a share of failures says nothing: two failures of 20 are the first above five percent. */
export const FEWEST_REQUESTS = 20;

/** Every limit, by the entry of infra/docs/runbook.md that its alarms link to. */
export const LIMITS = {
  /** Messages. What five receives could not handle is our own bug (architecture.md section 5): one is enough. */
  'dead-letters': { above: 0, minutes: 1, times: 1, of: 1 },
  /** Seconds. A message whose consumer died is seen again after three minutes; at five minutes, no consumer runs. */
  'first-attempts-waiting': { above: 300, minutes: 1, times: 3, of: 3 },
  /** Seconds. A retry waits in its queue for up to 15 minutes by design, and its age counts from its sending; five more, as above. */
  'retries-waiting': { above: 1_200, minutes: 1, times: 3, of: 3 },
  /** Invocations. The messages of one that failed come back by themselves; a second within 15 minutes is a pattern. */
  'consumer-errors': { above: 0, minutes: 5, times: 2, of: 3 },
  /** Runs, of the five in five minutes: the next one makes up for one that failed, but not for most of them. */
  'sweeper-errors': { above: 2, minutes: 5, times: 1, of: 1 },
  /** Runs. One a minute; five missing runs are no accident. Short periods: CloudWatch takes older values before it believes that one is missing. */
  'sweeper-silent': { below: 1, minutes: 1, times: 5, of: 5 },
  /** Invocations that nothing answered, as above. What killed it on a notification once will do so on each repeat of it. */
  'notification-errors': { above: 0, minutes: 5, times: 1, of: 1 },
  /** Invocations. Handlers answer exceptions and their own time-out with 500, so this counts what kills a function; three are no accident. */
  'api-function-errors': { above: 2, minutes: 5, times: 1, of: 1 },
  /** Invocations of the functions that sign in, as above, or mails that wait so long that their codes are about to end. */
  'dashboard-errors': { above: 2, minutes: 5, times: 1, of: 2 },
  /** Milliseconds. Each minute's run mails what is due and measures the longest wait; a quarter of an hour is three tries, and no measurement is no run. What fails is due every five minutes, so a period may miss it. */
  'notices-late': { above: 900_000, minutes: 5, times: 2, of: 3 },
  /** Percent of the requests, from `FEWEST_REQUESTS` on. */
  'api-failures': { above: 5, minutes: 5, times: 1, of: 2 },
  /** Answers, however many requests there are: a route with few of them can fail for ever and be no share of all. */
  'api-failures-repeated': { above: 2, minutes: 5, times: 2, of: 3 },
  /** Milliseconds, 99th percentile. Notifications answer after 4 s at the latest; only opening accounts may take longer. */
  'api-slow': { above: 5_000, minutes: 5, times: 3, of: 3 },
  /** 1 while Route 53's checkers reach the API by its own name, else 0. Three failures in a row, half a minute apart, made it 0. */
  'unreachable-from-outside': { below: 1, minutes: 1, times: 2, of: 3 },
  /** Days. ACM renews 60 days before the end: for 30 days it tried in vain. Route 53's checkers look at no certificate. */
  'certificate-expires': { below: 30, minutes: 1_440, times: 1, of: 1 },
  /** Businesses. One that is refused is its own affair, and a log event; two for a quarter of an hour have something in common: us, or a thief. */
  'secret-keys-refused': { above: 1, minutes: 5, times: 3, of: 3 },
  /**
   * Invocations that were refused. What a burst at a cold function meets is over in a second, and its containers stay warm for minutes:
   * nobody outside can repeat it every minute at one function. What goes on is a quota.
   */
  'lambda-throttles': { above: 0, minutes: 1, times: 3, of: 3 },
  /** Reads and writes. The SDK repeats them, and DynamoDB splits a hot partition by itself; what continues needs an operator. */
  'table-throttles': { above: 0, minutes: 5, times: 2, of: 3 },
  'index-throttles': { above: 0, minutes: 5, times: 2, of: 3 },
  /** Payments, each when its last try, about an hour after the money came, was in vain: from then on it waits for an operator. */
  'payments-unmatched': { above: 0, minutes: 5, times: 1, of: 1 },
  /** Notifications that are stuck now, at each minute's sweep: not settled for 40 minutes, or a person is needed. One is enough, and goes on until it is settled or dismissed. */
  'notifications-stuck': { above: 0, minutes: 5, times: 1, of: 1 },
  /** Items. No release writes what it cannot read: a roll-back, or damage. Each list and sweep that meets one counts it. */
  'items-unreadable': { above: 0, minutes: 5, times: 1, of: 1 },
  /** Deliveries, of 72 hours of tries: an hour sooner or later makes no difference, a mail every five minutes does. */
  'deliveries-exhausted': { above: 0, minutes: 60, times: 1, of: 1 },
  /** Endpoints, after five days of failures: the same. */
  'endpoints-disabled': { above: 0, minutes: 60, times: 1, of: 1 },
  /** Milliseconds, 95th percentile. A delivery is swept up 10 s after it was created; beyond that, first attempts are sent by the sweeper only. */
  'first-attempt-lag': { above: 10_000, minutes: 5, times: 3, of: 3 },
  /** Calls. While a provider is away each minute's run counts one or more; most runs of a quarter of an hour are no hiccup. */
  'provider-failures': { above: 2, minutes: 5, times: 3, of: 3 },
  /** Answers 429. We decide when to look up; what businesses ask for (enquiries) is not counted. A burst waits and passes, a quarter of an hour does not. */
  'look-ups-limited': { above: 2, minutes: 5, times: 3, of: 3 },
  /** Reads in vain. Each minute's reconciliation makes one or more while a secret is missing; a quarter of an hour is no hiccup of AWS. */
  'provider-without-credentials': { above: 0, minutes: 5, times: 3, of: 3 },
  /** Accounts, after 72 hours of refusals: an hour sooner or later makes no difference, and each is reported once. */
  'closings-given-up': { above: 0, minutes: 60, times: 1, of: 1 },
  /** Milliseconds. The sweeper runs every minute and takes all that is due; five runs in a row left work older than five minutes. */
  'deliveries-overdue': { above: 300_000, minutes: 1, times: 5, of: 5 },
  /** Milliseconds. What a provider must answer stays due while it is away: longer than `provider-failures` takes to go off. */
  'payments-overdue': { above: 900_000, minutes: 1, times: 5, of: 5 },
  /** Payments that reconciliation found first. One may have come while its notification was under way; three in an hour are no accident. */
  'payments-not-notified': { above: 2, minutes: 60, times: 1, of: 1 },
} as const satisfies Readonly<Record<string, Limit>>;

/** An entry of the runbook, by its anchor. */
export type RunbookEntry = keyof typeof LIMITS;
