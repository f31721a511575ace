import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startBenchStack } from '#test/bench/bench-stack.ts';
import { machineLine } from '#test/bench/machine.ts';
import { PAGE, writePage } from '#test/bench/page.ts';
import { asMarkdown, asText, type Findings, rounded, type Table } from '#test/bench/report.ts';
import { type Account, accountOf, quietestOf, rowOf } from './account.ts';
import { failuresOf, neighbourMisses, overloadMisses, processorMisses, QUIET_PER_SECOND } from './budgets.ts';
import { startNeighbour } from './neighbour.ts';
import { type Offer, openShops, type Phase } from './offer.ts';

const HELP = `Offers payments to a local stack in an open loop, and accounts for each of them.

  npm run bench:load                             50, 100, 150 and 200 payments a second, for 30 s each
  npm run bench:load -- --rates 50,400 --seconds 60
  npm run bench:load -- --stack ../older         and the same to the stack of another checkout, in turns
  npm run bench:load -- --rounds 3               each three times, in turns; the quietest round is shown
  npm run bench:load -- --neighbour              each rate also beside processes that take a third of the machine
  npm run bench:load -- --overload               then its peak, the most that it bears for a minute, and twice and four times that, for 60 s each, to this checkout
  npm run bench:load -- --threads                and the processor time of each thread
  npm run bench:load -- --write                  and write the tables into ${PAGE}

A payment is one POST /checkout/sandbox/simulate; the delay is from just before it is written until the whole webhook is read.
At its end the run names every budget of issue 16 that this checkout misses, and exits with 1 if there is one.`;

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

/**
 * The most that is accepted a second, when twice the most of the ladder is offered. As long as an overload lasts: the engine keeps the
 * token of each transaction for ten minutes and looks through all of them, so a stack bears less the more it has accepted.
 */
const findPeak = async (ofLadder: number): Promise<number> => {
  const offer = await offerOnce(process.cwd(), { perSecond: Math.round(2 * ofLadder), seconds: OVERLOAD_SECONDS });
  return accountOf(offer).acceptedPerSecond;
};

/** Offers multiples of the peak, and little before and after. */
const overload = async (peak: number): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const factor of OVERLOAD_FACTORS) {
    const perSecond = Math.round(factor * peak);
    const phases = [QUIET, { perSecond, seconds: OVERLOAD_SECONDS }, RECOVERY, QUIET];
    const [before, during, , after] = await offerTo(process.cwd(), phases);
    if (!before || !during || !after) throw new Error('Nothing was offered.');
    const account = accountOf(during);
    const name = `${factor} × the peak`;
    misses.push(...failuresOf(`before ${name}`, accountOf(before)), ...failuresOf(name, account));
    misses.push(...failuresOf(`five seconds after ${name}`, accountOf(after)));
    if (factor > 1) misses.push(...overloadMisses(name, account, peak));
    const share = rounded((100 * account.acceptedPerSecond) / peak, 0);
    rows.push({ phase: 'before', ...rowOf('', QUIET.perSecond, accountOf(before)) });
    rows.push({ phase: name, ...rowOf('', perSecond, account), '% of the peak': share });
    rows.push({ phase: 'five seconds after it', ...rowOf('', QUIET.perSecond, accountOf(after)) });
  }
  return rows.map(({ stack: _, ...row }) => row);
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
  const most = await findPeak(peak);
  const table: Table = {
    title: 'More than the stack bears',
    about: `Offered for ${OVERLOAD_SECONDS} s: multiples of the peak of ${rounded(most, 1)} a second, which is what was accepted when twice the most of the table above was offered for ${OVERLOAD_SECONDS} s. To this checkout alone. Before each of them and ${RECOVERY.seconds} s after its last request, ${QUIET.perSecond} a second for ${QUIET.seconds} s.`,
    rows: await overload(most),
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
