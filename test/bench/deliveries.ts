import { startEngines, stopEngines } from '#test/support/start-engines.ts';
import { startBenchStack } from './bench-stack.ts';
import { measureLatency } from './latency.ts';
import { type Findings, rounded } from './report.ts';
import { measureThroughput } from './throughput.ts';

/** Landings a second, and how many of the ten endpoints hang. */
const RATES = [50, 100, 200];
const HANGING = [0, 1];
/** Landings a second before anything is measured. */
const WARM_UP = 100;
/** Milliseconds that a receiver takes to answer one consumer. */
const RECEIVERS_MS = [0, 50];
/** architecture.md section 9. */
const P95_BUDGET_MS = 120;
const THROUGHPUT_BUDGET = 0.5;

/** Landing → webhook received at the stack that `npm start` runs, and what one consumer delivers beside a bare HTTP loop. */
export const measureDeliveries = async (): Promise<Findings> => {
  const misses: string[] = [];
  const latency: Awaited<ReturnType<typeof measureLatency>>[] = [];
  for (const hanging of HANGING) {
    const stack = await startBenchStack();
    // The engine compiles what runs often: a service that has just started is not what is measured.
    await measureLatency(stack, WARM_UP, 0);
    for (const perSecond of RATES) {
      const row = await measureLatency(stack, perSecond, hanging);
      latency.push(row);
      const at = `landing → received at ${perSecond} a second, ${row['endpoints hanging']} hanging`;
      if (row.p95 > P95_BUDGET_MS) misses.push(`${at}: p95 ${row.p95} ms, budget ${P95_BUDGET_MS} ms.`);
      if (row.missing > 0) misses.push(`${at}: ${row.missing} webhooks did not come in time.`);
    }
    await stack.stop();
  }

  await startEngines();
  const throughput: Awaited<ReturnType<typeof measureThroughput>>[] = [];
  for (const receiverMs of RECEIVERS_MS) {
    const row = await measureThroughput(receiverMs);
    throughput.push(row);
    if (row.ratio >= THROUGHPUT_BUDGET) continue;
    misses.push(
      `one consumer, receiver answering after ${receiverMs} ms: ${rounded(row.ratio)} of a bare loop, budget ${THROUGHPUT_BUDGET}.`,
    );
  }
  await stopEngines();
  return {
    tables: [
      {
        title: 'Landing → webhook received',
        about: `Milliseconds over 15 s each, simulated over HTTP; service, engines, load and receivers share the machine, the table lies in memory. Budget: p95 ≤ ${P95_BUDGET_MS} ms; Convoy's published p95 is 124 ms at 50 a second and 127 ms at 200.`,
        rows: latency,
      },
      {
        title: 'One consumer',
        about: `Deliveries a second in batches of ten, beside a bare HTTP loop that makes the same POSTs. Budget: ratio ≥ ${THROUGHPUT_BUDGET}.`,
        rows: throughput,
      },
    ],
    misses,
  };
};
