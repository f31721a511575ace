import { compareHistory } from '#test/support/landing-before/compare.ts';

/** 2,000 pairs of state and report in each run of the suite, and as many as `PAIRS` says by hand. */
const PAIRS = Number(process.env.PAIRS ?? 2_000);
const STEPS = 40;

test('the landing after issue 39 writes and announces the same as the one before it', async () => {
  const seen: Record<string, number> = {};
  const first = Number(process.env.FIRST ?? 1);
  for (let seed = first; seed < first + PAIRS / STEPS; seed += 1) {
    const { outcomes, difference } = await compareHistory(seed, STEPS);
    for (const [outcome, count] of Object.entries(outcomes)) seen[outcome] = (seen[outcome] ?? 0) + count;
    if (difference) process.stdout.write(`${JSON.stringify(difference, null, 1)}\n`);
    expect(difference).toBeUndefined();
  }
  process.stdout.write(`${JSON.stringify(seen)}\n`);
}, 1_800_000);
