const MOST_STEPS = 4;
const ROUND_FACTORS = [1, 2, 2.5, 5, 10];
/** The axis reaches at least to this amount, in naira. */
const LEAST_TOP = 100;

/** Lists the amounts on a chart's axis, in naira: round amounts from zero to `highest` or above it, in at most four steps. */
export const listTicks = (highest: number): number[] => {
  const top = Math.max(highest, LEAST_TOP);
  const power = 10 ** Math.floor(Math.log10(top / MOST_STEPS));
  const step = power * (ROUND_FACTORS.find((factor) => factor * power * MOST_STEPS >= top) ?? 10);
  return Array.from({ length: Math.ceil(top / step) + 1 }, (_, i) => i * step);
};
