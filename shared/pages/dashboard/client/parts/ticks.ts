const MOST_STEPS = 4;
const ROUND = [1, 2, 2.5, 5, 10];
/** Naira: where less landed, the axis reaches to it all the same. */
const LEAST = 100;

/** The amounts on the axis of a chart, in naira: round ones from zero to the highest or above it, four steps at most. */
export const listTicks = (highest: number): number[] => {
  const top = Math.max(highest, LEAST);
  const power = 10 ** Math.floor(Math.log10(top / MOST_STEPS));
  const step = power * (ROUND.find((factor) => factor * power * MOST_STEPS >= top) ?? 10);
  return Array.from({ length: Math.ceil(top / step) + 1 }, (_, i) => i * step);
};
