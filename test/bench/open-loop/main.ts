import { parseArgs } from 'node:util';
import { startBenchStack } from '#test/bench/bench-stack.ts';
import { describeMachine } from '#test/bench/machine.ts';
import { PERFORMANCE_DOCUMENT, writeMeasurements } from '#test/bench/page.ts';
import { asMarkdown, asText, type Table } from '#test/bench/report.ts';
import { openShops, type Phase } from './offer.ts';
import { countOutcomes, findMisses, outcomeRow } from './outcome-counts.ts';

const HELP = `Offers payments to a local stack in an open loop, and accounts for each of them.

  npm run bench:load                             50, 100, 150 and 200 payments a second, for 30 s each
  npm run bench:load -- --rates 50,400 --seconds 60
  npm run bench:load -- --overload               then more than the stack can handle, for a minute each
  npm run bench:load -- --write                  and write the table into ${PERFORMANCE_DOCUMENT}

A payment is one POST /checkout/sandbox/simulate; the delay is from just before it is written until the whole webhook is read.
Each payment is compared with what the API lists and what the webhook server received. The run exits with 1 if any is wrong, lost or
doubled, or a 503 answer took longer than a second.`;

const { values } = parseArgs({
  options: {
    rates: { type: 'string', default: '50,100,150,200' },
    seconds: { type: 'string', default: '30' },
    overload: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
/** An empty variable counts as not set, so the local stack has the same concurrency as after `npm start`. */
const DEFAULT_CONCURRENCY = { CONCURRENCY: '' };
/** The load before anything is measured, because V8 compiles code only after the code has run often. */
const WARM_UP: Phase = { perSecond: 100, seconds: 10 };
/** A load that the local stack handles easily, five seconds after an overload. */
const QUIET: Phase = { perSecond: 50, seconds: 10 };
const PAUSE: Phase = { perSecond: 0, seconds: 5 };
const OVERLOAD_SECONDS = 60;
const OVERLOAD_FACTORS = [2, 4];

const rates = values.rates.split(',').map(Number);
const seconds = Number(values.seconds);
if ([...rates, seconds].some((value) => !(value > 0))) {
  console.error('--rates and --seconds must be positive numbers, e.g. --rates 50,100 --seconds 30.');
  process.exit(2);
}
// The AWS client that opens businesses needs a region, although it calls only the local stack's emulator.
process.env.AWS_REGION = 'us-east-1';

const machine = describeMachine();
const startedAt = new Date();
console.log(`Machine: ${machine}. Service, emulators, load and receivers share it.\n`);

const rows: Table['rows'][number][] = [];
const misses: string[] = [];
let peak = 0;

/** Offers phases in turn to a new local stack, and adds a row for each phase that has a title. */
const offer = async (...phases: readonly (Phase & { readonly title?: string })[]): Promise<void> => {
  const stack = await startBenchStack(DEFAULT_CONCURRENCY);
  const shops = await openShops(stack);
  await shops.offer(WARM_UP);
  const offers = await shops.offer(...phases);
  await shops.stop();
  await stack.stop();
  for (const [i, { title, perSecond }] of phases.entries()) {
    const result = offers[i];
    if (title === undefined || !result) continue;
    const outcomes = countOutcomes(result);
    peak = Math.max(peak, outcomes.acceptedPerSecond);
    rows.push(outcomeRow(title, perSecond, outcomes));
    misses.push(...findMisses(title, outcomes));
  }
};

for (const perSecond of rates) await offer({ title: `${perSecond} a second`, perSecond, seconds });
if (values.overload) {
  const highest = peak;
  for (const factor of OVERLOAD_FACTORS) {
    const title = `${factor} times the most above`;
    const overload = { title, perSecond: Math.round(factor * highest), seconds: OVERLOAD_SECONDS };
    await offer(overload, PAUSE, { ...QUIET, title: `five seconds after ${title}` });
  }
}

const table: Table = {
  title: 'Payments offered in an open loop',
  about:
    'Ten businesses, one endpoint each; every rate on a stack of its own. Delays in milliseconds. Lost, doubled: by the list of payments and by the webhooks received.',
  rows,
};
console.log(asText(table));
const list = misses.map((miss) => `- ${miss}`).join('\n');
if (values.write) {
  const line = `${startedAt.toISOString().slice(0, 10)}, ${machine}.`;
  const verdict = misses.length === 0 ? [] : [`Missed:\n\n${list}`];
  await writeMeasurements({ 'open loop': [line, asMarkdown(table), ...verdict].join('\n\n') });
  console.log(`\nWritten to ${PERFORMANCE_DOCUMENT}.`);
}
console.log(misses.length === 0 ? '\nEvery budget is met.' : `\nBudgets missed:\n${list}`);
process.exit(misses.length === 0 ? 0 : 1);
