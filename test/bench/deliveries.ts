import { startEngines, stopEngines } from '#test/support/start-engines.ts';
import { startBenchStack } from './bench-stack.ts';
import { type LandedBy, measureLatency } from './latency.ts';
import type { Findings } from './report.ts';
import { measureThroughput } from './throughput.ts';

/** Landings a second, and how many of the ten endpoints hang. */
const RATES: Record<LandedBy, readonly number[]> = { 'the use case': [50, 200], 'requests over HTTP': [50, 100, 200] };
const HANGING = [0, 1];
/** Landings a second before anything is measured. */
const WARM_UP = 100;
/** Milliseconds that a receiver takes to answer one consumer: nothing, which no merchant's does, and as long as one may. */
const RECEIVERS_MS = [0, 50];
/** architecture.md section 9. */
const P95_BUDGET_MS = 120;
const THROUGHPUT_BUDGET = 0.5;

/**
 * A row of its own stack: the engine walks through the tokens of all transactions of the last ten minutes at each new one, which
 * DynamoDB does not, so rows on one stack would each be slower than the one before.
 */
const landAndReceive = async (landedBy: LandedBy, perSecond: number, hanging: number) => {
  const stack = await startBenchStack();
  // V8 compiles what runs often: a service that has just started is not what is measured.
  await measureLatency(stack, landedBy, WARM_UP, 0);
  const row = await measureLatency(stack, landedBy, perSecond, hanging);
  await stack.stop();
  return row;
};

/** Landing → webhook received at the stack that `npm start` runs, and what one consumer delivers beside a bare HTTP loop. */
export const measureDeliveries = async (): Promise<Findings> => {
  const misses: string[] = [];
  const latency: Awaited<ReturnType<typeof measureLatency>>[] = [];
  for (const [landedBy, rates] of Object.entries(RATES) as [LandedBy, readonly number[]][]) {
    for (const hanging of HANGING) {
      for (const perSecond of rates) {
        const row = await landAndReceive(landedBy, perSecond, hanging);
        latency.push(row);
        const at = `landing → received at ${perSecond} a second by ${landedBy}, ${row['endpoints hanging']} hanging`;
        if (row.p95 > P95_BUDGET_MS) misses.push(`${at}: p95 ${row.p95} ms, budget ${P95_BUDGET_MS} ms.`);
        if (row.missing > 0) misses.push(`${at}: ${row.missing} webhooks did not come in time.`);
      }
    }
  }

  await startEngines();
  const throughput: Awaited<ReturnType<typeof measureThroughput>>[] = [];
  for (const receiverMs of RECEIVERS_MS) {
    const row = await measureThroughput(receiverMs);
    throughput.push(row);
    // Beside a receiver that takes no time, what bounds a consumer are its three calls to the table: it is held to those.
    const [beside, ratio] =
      receiverMs === 0 ? ['a bare loop with the same table calls', row['ratio to that']] : ['a bare loop', row.ratio];
    if (ratio >= THROUGHPUT_BUDGET) continue;
    misses.push(
      `one consumer, receiver answering after ${receiverMs} ms: ${ratio} of ${beside}, budget ${THROUGHPUT_BUDGET}.`,
    );
  }
  await stopEngines();
  return {
    tables: [
      {
        title: 'Landing → webhook received',
        about: `Milliseconds over 15 s each, on a stack of its own; service, engines, load and receivers share the machine, the table lies in memory. By the use case: what a request calls, in the load's process; over HTTP the stack answers the requests as well. Budget: p95 ≤ ${P95_BUDGET_MS} ms; Convoy's published p95 is 124 ms at 50 a second and 127 ms at 200.`,
        rows: latency,
      },
      {
        title: 'One consumer',
        about: `Deliveries a second in batches of ten, beside a bare HTTP loop that makes the same POSTs, and beside one that makes the same calls to the table too. Budget: ratio ≥ ${THROUGHPUT_BUDGET}, with a receiver that takes no time to the second loop.`,
        rows: throughput,
      },
    ],
    misses,
  };
};
