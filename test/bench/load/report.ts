import { type Findings, rounded, type Table } from '#test/bench/report.ts';
import { latencies, percentile } from '#test/bench/statistics.ts';
import type { LoadOptions, LoadResult } from './run.ts';

/** How much the p95 of healthy merchants may grow while others are not healthy: by a factor or by milliseconds, whichever allows more. */
const TOLERANCE = { times: 1.5, ms: 25 };

const naira = (kobo: number): string =>
  (kobo / 100).toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** The tables of a load test, with every disagreement as a miss. */
export const loadReport = (
  options: LoadOptions,
  { books, traffic, recovery, lags, requestsPerSecond }: LoadResult,
): Findings => {
  const { totals, kobo, kinds } = books;
  const answers: Table = {
    title: 'Requests',
    about: `${options.merchants} merchants for ${options.seconds} s after ${options.warmUpSeconds} s of warm-up, ${options.perSecond} actions a second: ${rounded(requestsPerSecond, 1)} requests a second, p50 ${rounded(percentile(traffic.times, 50), 1)} ms, p99 ${rounded(percentile(traffic.times, 99), 1)} ms. Seed ${options.seed}.`,
    rows: [...traffic.answers].sort().map(([request, count]) => ({ 'request and status': request, answers: count })),
  };
  const money: Table = {
    title: 'Payments and events',
    about:
      'The payments that simulations answered, each compared with verify, with the lists of payments, and with the one event that announces it.',
    rows: [
      {
        checkouts: totals.checkouts,
        payments: totals.payments,
        'failed checkouts': totals.failures,
        'test events': totals.tests,
        'endpoints disabled': totals.switchedOff,
        'events due': totals.payments + totals.failures + totals.tests + totals.switchedOff,
        events: totals.events,
        'naira answered': naira(kobo.answered),
        'naira recorded': naira(kobo.recorded),
        'naira announced': naira(kobo.announced),
      },
    ],
  };
  const deliveries: Table = {
    title: 'Deliveries by the kind of their endpoint',
    about: `Each delivery by its status in the API, compared with what the server received. Received again: a copy under the same webhook-id after an attempt whose answer did not count. Late: accepted for the first time after the endpoint had recovered; recover sent ${rounded(recovery.recovered, 0)}, and redeliver ${rounded(recovery.redelivered, 0)} whose retry was far off, ${rounded(recovery.ms / 1_000, 1)} s in all.`,
    rows: [...kinds].sort().map(([kind, account]) => ({
      endpoint: kind,
      deliveries: account.deliveries,
      'received once': account.receivedOnce,
      'received again': account.receivedAgain,
      cancelled: account.cancelled,
      unaccounted: account.unaccounted,
      'of them late': account.late,
    })),
  };
  const [before, after] = [latencies(lags.allHealthy), latencies(lags.someNot)];
  const neighbours: Table = {
    title: 'Landing → received at the endpoints of healthy merchants',
    about: `Milliseconds from the event's own time, which is inside the service, after the request has waited, until the webhook is read: bench:load counts the waiting. First while every endpoint is healthy, then while four of ten merchants' are slow (${rounded(options.slowMs / 1_000, 1)} s), dead, flapping or answering 410; same merchants, same rate.`,
    rows: [
      { phase: 'all healthy', ...before },
      { phase: 'some not', ...after },
    ],
  };
  const limit = Math.max(before.p95 * TOLERANCE.times, before.p95 + TOLERANCE.ms);
  // Without samples both are NaN, and this is a miss too.
  const harmed = after.p95 <= limit ? [] : [`Healthy merchants became slower: p95 ${before.p95} → ${after.p95} ms.`];
  return { tables: [answers, money, deliveries, neighbours], misses: [...traffic.wrong, ...books.wrong, ...harmed] };
};
