import { cpus, totalmem } from 'node:os';
import { startStack } from '#test/support/stack.ts';
import startEngines from '#test/support/start-engines.ts';
import stopEngines from '#test/support/stop-engines.ts';
import { measureLatency } from './latency.ts';
import { measureThroughput } from './throughput.ts';

/* npm run bench:webhooks: how fast money that landed is told, and how fast one consumer tells it. Figures of one run, side by side. */

const machine = `${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
console.log(`Machine: ${machine}. Service, engines, load and receivers share it.\n`);

const stack = await startStack();
const latency = [];
// The engine compiles what runs often: a service that has just started is not what is measured.
await measureLatency(stack, 100, 0);
for (const hanging of [0, 1]) {
  for (const perSecond of [50, 100, 200]) latency.push(await measureLatency(stack, perSecond, hanging));
}
await stack.stop();
console.log('Landing → received, milliseconds. To beat: Convoy 26.7.3, p95 124 ms at 50/s and 127 ms at 200/s.');
console.table(latency);

await startEngines();
const throughput = [];
for (const receiverMs of [0, 50]) throughput.push(await measureThroughput(receiverMs));
await stopEngines();
console.log('\nDeliveries a second, batches of ten.');
console.table(throughput);

console.log(JSON.stringify({ machine, latency, throughput }));
