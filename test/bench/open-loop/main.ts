import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startBenchStack } from '#test/bench/bench-stack.ts';
import { machineLine } from '#test/bench/machine.ts';
import { PAGE, writePage } from '#test/bench/page.ts';
import { asMarkdown, asText, type Findings, rounded, type Table } from '#test/bench/report.ts';
import { type Account, accountOf, quietestOf, rowOf } from './account.ts';
import {
  failuresOf,
  neighbourMisses,
  overloadMisses,
  processorMisses,
  QUIET_PER_SECOND,
  recoveryMisses,
} from './budgets.ts';
import { startNeighbour } from './neighbour.ts';
import { type Offer, openShops, type Phase } from './offer.ts';

const HELP = `Offers payments to a local stack in an open loop, and accounts for each of them.

  npm run bench:load                             50, 100, 150 and 200 payments a second, for 30 s each
  npm run bench:load -- --rates 50,400 --seconds 60
  npm run bench:load -- --stack ../older         and the same to the stack of another checkout, in turns
  npm run bench:load -- --rounds 3               each three times, in turns; the quietest round is shown
  npm run bench:load -- --neighbour              each rate also beside processes that take a third of the machine
  npm run bench:load -- --overload               then more than it bears, for a minute each, to this checkout
  npm run bench:load -- --threads                and the processor time of each thread
  npm run bench:load -- --write                  and write the tables into ${PAGE}

A payment is one POST /checkout/sandbox/simulate; the delay is from just before it is written until the whole webhook is read.
At its end the run names every budget (${PAGE}, Overload) that this checkout misses, and exits with 1 if there is one.`;

const { values } = parseArgs({
  options: {
    rates: { type: 'string', default: '50,100,150,200' },
    seconds: { type: 'string', default: '30' },
    rounds: { type: 'string', default: '1' },
    stack: { type: 'string' },
    neighbour: { type: 'boolean', default: false },
    overload: { type: 'boolean', default: false },
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
/** Before anything is measured: V8 compiles code only after it has run often. After 300 payments it still does. */
const WARM_UP: Phase = { perSecond: 100, seconds: 10 };
/** What the stack bears easily, before an overload and again five seconds after it. */
const QUIET: Phase = { perSecond: QUIET_PER_SECOND, seconds: 10 };
const RECOVERY: Phase = { perSecond: 0, seconds: 5 };
const OVERLOAD_SECONDS = 60;
const OVERLOAD_FACTORS = [1, 2, 4];
const BUSIEST_THREADS = 12;

const rates = values.rates.split(',').map(Number);
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
if ([...rates, seconds, rounds].some((one) => !(one > 0))) {
  console.error(
    '--rates, --seconds and --rounds must be positive numbers, e.g. --rates 50,100 --seconds 30 --rounds 3.',
  );
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

const printThreads = (title: string, { processors }: Offer): void => {
  console.log(`Processor seconds, ${title}:`);
  for (const thread of processors.threads.slice(0, BUSIEST_THREADS)) {
    console.log(`  ${thread.seconds.toFixed(2).padStart(7)}  ${thread.name}`);
  }
};

/** What became of these phases at a new stack of a checkout. */
const offerTo = async (directory: string, phases: readonly Phase[], hasNeighbour = false): Promise<Offer[]> => {
  const stack = await startBenchStack(directory, AS_STARTED);
  const shops = await openShops(stack);
  await shops.offer(WARM_UP);
  const neighbour = hasNeighbour ? startNeighbour() : undefined;
  const offers = await shops.offer(...phases);
  neighbour?.stop();
  await shops.stop();
  await stack.stop();
  return offers;
};

/** The same of a single phase. */
const offerOnce = async (directory: string, phase: Phase, hasNeighbour = false): Promise<Offer> => {
  const [offer] = await offerTo(directory, [phase], hasNeighbour);
  if (!offer) throw new Error('Nothing was offered.');
  return offer;
};

type Row = ReturnType<typeof rowOf>;
/** A sentence for every budget that this checkout missed since the last table. Another one has none. */
const misses: string[] = [];
const listOf = (sentences: readonly string[]): string => sentences.map((one) => `- ${one}`).join('\n');

/** What a row of the ladder is about. */
interface Rung {
  readonly title: string;
  readonly directory: string;
  readonly hasNeighbour: boolean;
}
const rungs: readonly Rung[] = stacks.flatMap(({ name, directory }) => [
  { title: name, directory, hasNeighbour: false },
  ...(values.neighbour ? [{ title: `${name}, beside the neighbour`, directory, hasNeighbour: true }] : []),
]);

/** Each rate at each stack, in turns. */
const climb = async (): Promise<{ readonly rows: Row[]; readonly peak: number }> => {
  const rows: Row[] = [];
  let peak = 0;
  for (const perSecond of rates) {
    const accounts = new Map<Rung, Account[]>(rungs.map((rung) => [rung, []]));
    for (let round = 0; round < rounds; round++) {
      for (const [{ title, directory, hasNeighbour }, known] of accounts) {
        const offer = await offerOnce(directory, { perSecond, seconds }, hasNeighbour);
        known.push(accountOf(offer));
        if (values.threads) printThreads(`${title}, at ${perSecond} a second`, offer);
      }
    }
    let alone: Account | undefined;
    for (const [{ title, directory, hasNeighbour }, known] of accounts) {
      const quietest = quietestOf(known);
      if (directory === process.cwd()) {
        const name = `${title}, ${perSecond} a second`;
        misses.push(...failuresOf(name, quietest));
        if (!hasNeighbour) {
          alone = quietest;
          peak = Math.max(peak, quietest.acceptedPerSecond);
          misses.push(...processorMisses(name, perSecond, quietest));
        } else if (alone) misses.push(...neighbourMisses(name, perSecond, alone, quietest));
      }
      const each = known.map(({ cpuPerThousand }) => rounded(cpuPerThousand, 1)).join(', ');
      rows.push({ ...rowOf(title, perSecond, quietest), ...(rounds > 1 && { 'CPU s of each round': each }) });
    }
  }
  return { rows, peak };
};

/** More than the most of the ladder, for as long as an overload lasts. */
const searchPeak = async (ofLadder: number): Promise<{ readonly perSecond: number; readonly account: Account }> => {
  const perSecond = Math.round(2 * ofLadder);
  return { perSecond, account: accountOf(await offerOnce(process.cwd(), { perSecond, seconds: OVERLOAD_SECONDS })) };
};

/** A phase of an overload. */
interface OverloadRow {
  readonly phase: string;
  readonly perSecond: number;
  readonly account: Account;
}

/** Offers a multiple of what was accepted, and little before and after. */
const offerMultiple = async (factor: number, accepted: number): Promise<readonly OverloadRow[]> => {
  const perSecond = Math.round(factor * accepted);
  const phases = [QUIET, { perSecond, seconds: OVERLOAD_SECONDS }, RECOVERY, QUIET];
  const [before, during, , after] = await offerTo(process.cwd(), phases);
  if (!before || !during || !after) throw new Error('Nothing was offered.');
  const phase = `${factor} × that`;
  const rowsOf = [
    { phase: 'before', perSecond: QUIET.perSecond, account: accountOf(before) },
    { phase, perSecond, account: accountOf(during) },
    { phase: 'five seconds after it', perSecond: QUIET.perSecond, account: accountOf(after) },
  ] as const;
  misses.push(...recoveryMisses(`after ${phase}`, rowsOf[0].account, rowsOf[2].account));
  return rowsOf;
};

/** An overload's rows. Its peak is the most that was accepted in any of them, or in the ladder. */
const overload = async (ofLadder: number) => {
  const found = await searchPeak(ofLadder);
  const search: OverloadRow = { phase: 'twice the most of the table above', ...found };
  const all: OverloadRow[] = [search];
  for (const factor of OVERLOAD_FACTORS) all.push(...(await offerMultiple(factor, found.account.acceptedPerSecond)));
  const peak = Math.max(ofLadder, ...all.map(({ account }) => account.acceptedPerSecond));
  for (const { phase, perSecond, account } of all) {
    misses.push(...failuresOf(phase, account));
    if (perSecond > peak) misses.push(...overloadMisses(phase, account, peak));
  }
  const rowsOf = all.map(({ phase, perSecond, account }) => {
    const { stack: _, ...row } = rowOf('', perSecond, account);
    const share = rounded((100 * account.acceptedPerSecond) / peak, 0);
    return { phase, ...row, ...(perSecond !== QUIET.perSecond && { '% of the peak': share }) };
  });
  return { peak, rows: rowsOf };
};

const { rows, peak } = await climb();
const ladder: Table = {
  title: 'Payments offered in an open loop',
  about: `${seconds} s each, each on a stack of its own${rounds > 1 ? `, in ${rounds} rounds in turns: delays and processor time are of the round that took the least of it, what became of payments, and how long refusals took, is of all` : ''}; ten businesses, one endpoint each; delays in milliseconds${values.neighbour ? '; the neighbour takes a third of each processor' : ''}.`,
  rows,
};
console.log(asText(ladder));
const measured: Record<string, Findings> = {
  [values.neighbour ? 'open loop neighbour' : 'open loop']: { tables: [ladder], misses: misses.splice(0) },
};
if (values.overload) {
  const found = await overload(peak);
  const table: Table = {
    title: 'More than the stack bears',
    about: `Offered to this checkout for ${OVERLOAD_SECONDS} s each: twice the most that was accepted in the table above, then multiples of what was accepted of that. The peak is the most that was accepted a second in any row, ${rounded(found.peak, 1)}. Before each multiple and ${RECOVERY.seconds} s after its last request, ${QUIET.perSecond} a second for ${QUIET.seconds} s.`,
    rows: found.rows,
  };
  console.log(`\n${asText(table)}`);
  measured.overload = { tables: [table], misses: misses.splice(0) };
}
if (values.write) {
  const line = `${startedAt.toISOString().slice(0, 10)}, ${machine}.`;
  const markdown = Object.entries(measured).map(([name, { tables, misses: missed }]) => {
    const verdict = missed.length === 0 ? [] : [`Missed:\n\n${listOf(missed)}`];
    return [name, [line, ...tables.map(asMarkdown), ...verdict].join('\n\n')] as const;
  });
  await writePage(Object.fromEntries(markdown));
  console.log(`\nWritten to ${PAGE}.`);
}
const missed = Object.values(measured).flatMap((found) => found.misses);
console.log(missed.length === 0 ? '\nEvery budget is met.' : `\nBudgets missed:\n${listOf(missed)}`);
process.exit(missed.length === 0 ? 0 : 1);
