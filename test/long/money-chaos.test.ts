import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ROUGH } from '#test/support/chaos/money-faults.ts';
import { OPENING_FAULTS } from '#test/support/chaos/money-routes.ts';
import { type Outcome, runChaos, type Size } from '#test/support/chaos/money-run.ts';
import { SEED } from '#test/support/jest/seed.ts';

/** The size of a run in which every scenario occurs. */
const ENOUGH = 1_000;
/** How many transfers providers keep in both halves together, including transfers that they return later. */
const LANDINGS = Number(process.env.LANDINGS ?? ENOUGH);
/** Milliseconds after which the test fails. It only stops an endless run. */
const LIMIT_MS = 1_800 * Math.max(ENOUGH, LANDINGS);
/** Figures that are above zero in a run that is large enough. */
const EXPECTED = [
  ...['sentBackWhole', 'reversedOnAccounts', 'reversedOnCheckouts', 'assigned', 'notAssigned', 'recycled'],
  ...['routed', 'openAtFirst', 'openAtSecond', 'openAtThird', 'refusedAttempts', 'hiddenAccounts'],
  ...['otherAccounts', 'paidOnTwoShown'],
  ...['paidOnShownAlone', 'paidOnHiddenAlone', 'paidOnBoth', 'paidTwice'],
];
/** Calls around which consumers are killed: right before the call, or right after it. */
const STEPS = ['dueTickets.take', 'provider.lookUp', 'ledger.record', 'queue.send', 'notifications.replace'];
/** Faults of the queue, and concurrent look-ups. */
const EXPECTED_FAULTS = [
  'message lost',
  'message duplicated',
  'message delayed',
  'message received again',
  'charge looked up by 2 at once',
  'charge looked up by 3 at once',
];

const makeHalf = (seed: number): Size => ({
  seed,
  landings: Math.ceil(LANDINGS / 2),
  checkouts: Math.min(250, Math.ceil(LANDINGS * 0.075)),
  customers: Math.min(25, Math.ceil(LANDINGS * 0.0025)),
  businesses: 5,
});

const runInChild = async (size: Size): Promise<Outcome> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['test/support/chaos/money-child.ts', JSON.stringify(size)],
    { env: { ...process.env, NODE_OPTIONS: '' }, maxBuffer: 64 * 1024 * 1024, timeout: LIMIT_MS },
  );
  return JSON.parse(stdout);
};

/** Adds the counts of two runs by name. */
const sumByName = (counts: readonly Readonly<Record<string, number>>[]): Record<string, number> => {
  const sums: Record<string, number> = {};
  for (const [name, count] of counts.flatMap((run) => Object.entries(run))) sums[name] = (sums[name] ?? 0) + count;
  return sums;
};

test(
  `money is credited once, to the kobo, and each change announced once, over ${LANDINGS} landings under every fault at once; returned money is not credited`,
  async () => {
    const started = Date.now();
    // Use two processes, because one can use only one core.
    const halves = await Promise.all([runChaos(makeHalf(SEED)), runInChild(makeHalf(SEED + 1))]);
    const figures = sumByName(halves.map((outcome) => outcome.figures));
    const faultCounts = sumByName(halves.map((outcome) => outcome.faultCounts));
    const answers = sumByName(halves.map((outcome) => outcome.answers));
    const seconds = Math.round((Date.now() - started) / 1000);
    process.stdout.write(`live chaos: ${JSON.stringify({ seed: SEED, seconds, ...figures, answers, faultCounts })}\n`);
    expect(halves.flatMap(({ problems }) => problems)).toEqual([]);
    expect(halves.map(({ isDone }) => isDone)).toEqual([true, true]);
    expect(figures.landings).toBeGreaterThanOrEqual(LANDINGS);
    if (LANDINGS < ENOUGH) return;
    for (const name of EXPECTED) expect({ [name]: figures[name] }).not.toEqual({ [name]: 0 });
    const kills = STEPS.map(
      (step) => (faultCounts[`killed before ${step}`] ?? 0) + (faultCounts[`killed after ${step}`] ?? 0),
    );
    const faults = [...ROUGH.map(({ kind }) => kind), ...EXPECTED_FAULTS, ...OPENING_FAULTS].map(
      (name) => faultCounts[name],
    );
    for (const times of [...faults, ...kills]) expect(times).toBeGreaterThan(0);
  },
  LIMIT_MS,
);
