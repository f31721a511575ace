import { type Findings, rounded, type Table } from '#test/bench/report.ts';
import { latencies, percentile } from '#test/bench/statistics.ts';
import type { LoadOptions, LoadResult } from './run.ts';

/** Healthy merchants are unharmed while their p95 with bad neighbours stays below this much more than without. */
const HARM = { times: 1.5, ms: 25 };

const naira = (kobo: number): string =>
  (kobo / 100).toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** The account of a load test as tables, with what did not agree as its misses. */
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
      'Payments as the answers to simulations told them, each held against verify, the lists of payments, and the one event that announces it.',
    rows: [
      {
        checkouts: totals.checkouts,
        payments: totals.payments,
        'failed checkouts': totals.failures,
        'test events': totals.tests,
        'endpoints switched off': totals.switchedOff,
        'events due': totals.payments + totals.failures + totals.tests + totals.switchedOff,
        events: totals.events,
        'naira answered': naira(kobo.answered),
        'naira kept': naira(kobo.kept),
        'naira told by events': naira(kobo.told),
      },
    ],
  };
  const deliveries: Table = {
    title: 'Deliveries by the kind of their endpoint',
    about: `Each delivery as the service tells it, held against what the server received. Received again: a copy under the same webhook-id after an attempt whose answer did not count. Late: taken for the first time once the endpoint had recovered; recover sent ${rounded(recovery.recovered, 0)}, and redeliver ${rounded(recovery.redelivered, 0)} whose retry was far off, ${rounded(recovery.ms / 1_000, 1)} s in all.`,
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
    about: `Milliseconds, first while every endpoint is healthy, then while four of ten merchants' are slow (${rounded(options.slowMs / 1_000, 1)} s), dead, flapping or answering 410; same merchants, same rate.`,
    rows: [
      { phase: 'all healthy', ...before },
      { phase: 'some not', ...after },
    ],
  };
  const limit = Math.max(before.p95 * HARM.times, before.p95 + HARM.ms);
  // Without a single sample neither is a number, and nothing was shown.
  const harmed = after.p95 <= limit ? [] : [`Healthy merchants were harmed: p95 ${before.p95} → ${after.p95} ms.`];
  return { tables: [answers, money, deliveries, neighbours], misses: [...traffic.wrong, ...books.wrong, ...harmed] };
};
