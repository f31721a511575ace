import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startBenchStack } from '#test/bench/bench-stack.ts';
import { machineLine } from '#test/bench/machine.ts';
import { PAGE, writePage } from '#test/bench/page.ts';
import { asMarkdown, asText } from '#test/bench/report.ts';
import { loadReport } from './report.ts';
import { type LoadOptions, runLoad } from './run.ts';

const HELP = `Lets many merchants trade at its own local stack, lets every endpoint recover, then compares the merchants' records with the service's.

  npm run load                                          50 merchants, a minute, 60 actions a second
  npm run load -- --merchants 20 --seconds 30 --rate 40
  npm run load -- --seed 7                              the same draws again
  npm run load -- --write                               and write the account into ${PAGE}

It ends with 1 when anything does not agree.`;

/** How many disagreements are shown at most. */
const MOST_SAID = 30;

const { values } = parseArgs({
  options: {
    merchants: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const number = (name: 'merchants' | 'seconds' | 'rate' | 'seed'): number => {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= 0) return value;
  console.error(`--${name} must be a whole number, e.g. --${name} 20.`);
  process.exit(2);
};
const options: LoadOptions = {
  merchants: number('merchants'),
  seconds: number('seconds'),
  warmUpSeconds: 10,
  perSecond: number('rate'),
  slowMs: 6_000,
  seed: number('seed'),
};
// The client that opens businesses talks to the stack's own engine.
process.env.AWS_REGION = 'us-east-1';

const machine = machineLine();
const startedAt = new Date();
console.log(`Machine: ${machine}. Service, engines, load and receivers share it.\n`);
const stack = await startBenchStack();
const report = loadReport(options, await runLoad(stack, options));
await stack.stop();

for (const table of report.tables) console.log(`${asText(table)}\n`);
const agrees = report.misses.length === 0;
console.log(
  agrees
    ? 'Everything agrees: nothing is lost, nothing is doubled.'
    : `What does not agree (${report.misses.length}):\n${report.misses
        .slice(0, MOST_SAID)
        .map((one) => `- ${one}`)
        .join('\n')}`,
);
const file = join(await mkdtemp(join(tmpdir(), 'payments-load-')), 'load.json');
await writeFile(file, JSON.stringify({ machine, startedAt, options, ...report }, null, 2));
console.log(`\nAll of it as JSON: ${file}`);
if (values.write && agrees) {
  const when = `${startedAt.toISOString().slice(0, 10)}, ${machine}.`;
  await writePage({ load: [when, ...report.tables.map(asMarkdown)].join('\n\n') });
  console.log(`Written to ${PAGE}.`);
}
process.exit(agrees ? 0 : 1);
