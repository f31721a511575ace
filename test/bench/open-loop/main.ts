import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startBenchStack } from '#test/bench/bench-stack.ts';
import { machineLine } from '#test/bench/machine.ts';
import { PAGE, writePage } from '#test/bench/page.ts';
import { asMarkdown, asText, type Table } from '#test/bench/report.ts';
import { accountOf, rowOf } from './account.ts';
import { startNeighbour } from './neighbour.ts';
import { openShops } from './offer.ts';

const HELP = `Offers payments to a local stack in an open loop, and accounts for each of them.

  npm run bench:load                             50, 100, 150 and 200 payments a second, for 30 s each
  npm run bench:load -- --rates 50,400 --seconds 60
  npm run bench:load -- --stack ../older         and the same to the stack of another checkout, in turns
  npm run bench:load -- --neighbour              beside processes that take a third of the machine
  npm run bench:load -- --threads                and the processor time of each thread
  npm run bench:load -- --write                  and write the table into ${PAGE}

A payment is one POST /checkout/sandbox/simulate; the delay is from just before it is written until the whole webhook is read.`;

const { values } = parseArgs({
  options: {
    rates: { type: 'string', default: '50,100,150,200' },
    seconds: { type: 'string', default: '30' },
    stack: { type: 'string' },
    neighbour: { type: 'boolean', default: false },
    threads: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
/** It admits what `npm start` admits. */
const AS_STARTED = { CONCURRENCY: '' };
/** Payments a second, and for how many seconds, before anything is measured: V8 compiles code only after it has run often. */
const WARM_UP = { perSecond: 50, seconds: 6 };
const BUSIEST_THREADS = 12;

const rates = values.rates.split(',').map(Number);
const seconds = Number(values.seconds);
if ([...rates, seconds].some((one) => !(one > 0))) {
  console.error('--rates and --seconds must be positive numbers, e.g. --rates 50,100 --seconds 30.');
  process.exit(2);
}
// The client that opens businesses talks to the stack's own engine.
process.env.AWS_REGION = 'us-east-1';
const stacks = [
  { name: 'this checkout', directory: process.cwd() },
  ...(values.stack === undefined ? [] : [{ name: values.stack, directory: resolve(values.stack) }]),
];

const machine = machineLine();
const startedAt = new Date();
console.log(`Machine: ${machine}. Service, engines, load and receivers share it.\n`);
const rows: ReturnType<typeof rowOf>[] = [];
for (const rate of rates) {
  for (const { name, directory } of stacks) {
    const stack = await startBenchStack(directory, AS_STARTED);
    const shops = await openShops(stack);
    await shops.offer(WARM_UP.perSecond, WARM_UP.seconds);
    const neighbour = values.neighbour ? startNeighbour() : undefined;
    const account = accountOf(await shops.offer(rate, seconds));
    neighbour?.stop();
    rows.push(rowOf(name, rate, account));
    await shops.stop();
    await stack.stop();
    if (!values.threads) continue;
    console.log(`Processor seconds at ${rate} a second, ${name}:`);
    for (const thread of account.processors.threads.slice(0, BUSIEST_THREADS)) {
      console.log(`  ${thread.seconds.toFixed(2).padStart(7)}  ${thread.name}`);
    }
  }
}
const table: Table = {
  title: 'Payments offered in an open loop',
  about: `${seconds} s each, each on a stack of its own; ten businesses, one endpoint each; delays in milliseconds${values.neighbour ? ', beside a neighbour that takes a third of the machine' : ''}.`,
  rows,
};
console.log(asText(table));
if (values.write) {
  await writePage({ 'open loop': `${startedAt.toISOString().slice(0, 10)}, ${machine}.\n\n${asMarkdown(table)}` });
  console.log(`\nWritten to ${PAGE}.`);
}
process.exit(0);
