import { startEngines, stopEngines } from '#test/support/engines/start-engines.ts';
import { startBenchStack } from './bench-stack.ts';
import { type LandedBy, measureLatency, openSide } from './latency.ts';
import type { Findings } from './report.ts';
import { percentile } from './statistics.ts';
import { measureThroughput } from './throughput.ts';

/** A row: how payments land, how many a second, and how many of the ten endpoints hang. Bare calls have none, since a bare consumer does not isolate endpoints. */
type Row = readonly [landedBy: LandedBy, perSecond: number, hanging: number];
/** At 200 a second the processors are nearly full and the machine's own variation decides, so three rounds alternate with bare calls. */
const AT_200: readonly Row[] = [
  ['the use case', 200, 0],
  ['bare calls', 200, 0],
  ['the use case', 200, 1],
];
const ROWS: readonly Row[] = [
  ['the use case', 50, 0],
  ['bare calls', 50, 0],
  ['the use case', 50, 1],
  ...AT_200,
  ...AT_200.toReversed(),
  ...AT_200,
  ['requests over HTTP', 50, 0],
  ['requests over HTTP', 50, 1],
  ['requests over HTTP', 100, 0],
  ['requests over HTTP', 100, 1],
  ['requests over HTTP', 200, 0],
  ['requests over HTTP', 200, 1],
];
/** Landings a second before anything is measured: enough to warm up V8, but few, because the engine slows down as its file grows. */
const WARM_UP = 50;
/** Milliseconds that a receiver takes to answer: none, which shows the consumer's own cost, and what a merchant's server may take. */
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
  const side = await openSide(stack, landedBy);
  // Warm-up: V8 compiles code only after it has run often.
  await measureLatency(side, WARM_UP, 0);
  const row = await measureLatency(side, perSecond, hanging);
  await side.stop();
  await stack.stop();
  return row;
};

type Measured = Awaited<ReturnType<typeof landAndReceive>>;

/** The rows that miss the budget, by the median of their rounds. Bare calls have no budget. */
const missesOf = (rows: readonly Measured[]): string[] => {
  const ours = rows.filter((row) => row['landed by'] !== 'bare calls');
  const nameOf = (row: Measured): string =>
    `landing → received at ${row['landings/s asked']} a second by ${row['landed by']}, ${row['endpoints hanging']} hanging`;
  return [...Map.groupBy(ours, nameOf)].flatMap(([name, rounds]) => {
    const p95s = rounds.map(({ p95 }) => p95);
    const p95 = percentile(p95s, 50);
    const missing = rounds.reduce((sum, row) => sum + row.missing, 0);
    return [
      ...(p95 > P95_BUDGET_MS ? [`${name}: p95 ${p95} ms, budget ${P95_BUDGET_MS} ms.`] : []),
      ...(missing > 0 ? [`${name}: ${missing} webhooks did not arrive in time.`] : []),
    ];
  });
};

/** Landing → webhook received at the stack that `npm start` runs, and what one consumer delivers beside a bare HTTP loop. */
export const measureDeliveries = async (): Promise<Findings> => {
  const latency: Measured[] = [];
  for (const row of ROWS) latency.push(await landAndReceive(...row));
  const misses = missesOf(latency);

  await startEngines();
  const throughput: Awaited<ReturnType<typeof measureThroughput>>[] = [];
  for (const receiverMs of RECEIVERS_MS) {
    const row = await measureThroughput(receiverMs);
    throughput.push(row);
    // With a receiver that takes no time, the three table calls limit a consumer, so it is compared with a loop that makes them too.
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
        about: `Milliseconds over 15 s each, on a stack of its own; service, engines, load and receivers share the machine, the table lies in memory. By the use case: what a request calls, in the load's process; over HTTP the stack answers the requests as well; bare calls: the same calls of the same AWS client to the same engines by the same poller, landing and consumer, with no use case, schema, webhook signature or log line. The clock begins just before the request is written over HTTP, and at the event's own time in the other rows, where nothing waits before it; it ends when the webhook is read. Budget: p95 ≤ ${P95_BUDGET_MS} ms, of three rounds the median. Convoy publishes a p95 of 124 ms at 50 a second and 127 ms at 200, on another machine, by another clock, for other work: it is no comparison.`,
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
