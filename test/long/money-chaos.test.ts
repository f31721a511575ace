import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describeMoneyCrashes } from '#test/support/chaos/money-crashes.ts';
import { ROUGH } from '#test/support/chaos/money-faults.ts';
import { type Outcome, runChaos, type Size } from '#test/support/chaos/money-run.ts';

const SEED = import.meta.jest.getSeed();
/** Transfers that providers keep, be it for a while, of both halves together. */
const LANDINGS = Number(process.env.LANDINGS ?? 10_000);
const LIMIT_MS = 1_800_000;
/** What so many landings bring about for certain. */
const EXPECTED =
  LANDINGS >= 1_000
    ? ['sentBackWhole', 'reversedOnAccounts', 'reversedOnCheckouts', 'assigned', 'notAssigned', 'recycled']
    : [];

const half = (seed: number): Size => ({
  seed,
  landings: Math.ceil(LANDINGS / 2),
  checkouts: Math.min(150, Math.ceil(LANDINGS * 0.025)),
  customers: Math.min(25, Math.ceil(LANDINGS * 0.0025)),
  businesses: 5,
});

const inChild = async (size: Size): Promise<Outcome> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['test/support/chaos/money-child.ts', JSON.stringify(size)],
    { env: { ...process.env, NODE_OPTIONS: '' }, maxBuffer: 64 * 1024 * 1024, timeout: LIMIT_MS },
  );
  return JSON.parse(stdout);
};

/** Adds up what two runs counted under the same names. */
const added = (counts: readonly Readonly<Record<string, number>>[]): Record<string, number> => {
  const sums: Record<string, number> = {};
  for (const [name, count] of counts.flatMap((one) => Object.entries(one))) sums[name] = (sums[name] ?? 0) + count;
  return sums;
};

test(
  `${LANDINGS} landings under every fault at once: what is kept is credited once, to the kobo, what goes back is not, and each is told once`,
  async () => {
    const started = Date.now();
    // Two worlds, as one process fills one core.
    const halves = await Promise.all([runChaos(half(SEED)), inChild(half(SEED + 1))]);
    const figures = added(halves.map((one) => one.figures));
    const struck = added(halves.map((one) => one.struck));
    const answers = added(halves.map((one) => one.answers));
    const seconds = Math.round((Date.now() - started) / 1000);
    process.stdout.write(`live chaos: ${JSON.stringify({ seed: SEED, seconds, ...figures, answers, struck })}\n`);
    expect(halves.flatMap(({ problems }) => problems)).toEqual([]);
    expect(halves.map(({ isDone }) => isDone)).toEqual([true, true]);
    expect(figures.landings).toBeGreaterThanOrEqual(LANDINGS);
    for (const happens of EXPECTED) expect({ [happens]: figures[happens] }).not.toEqual({ [happens]: 0 });
    if (LANDINGS >= 2_000) for (const { kind } of ROUGH) expect(struck[kind]).toBeGreaterThan(0);
  },
  LIMIT_MS,
);

describeMoneyCrashes();
