/** A number for a page, rounded down: whole from 100 on, else with one decimal; more of what is below one. */
export const formatNumber = (value: number): string => {
  if (!Number.isFinite(value)) return '–';
  const digits = value >= 100 ? 0 : value >= 1 ? 1 : 2;
  // Floating point must not take a whole number for the one below it.
  const floor = Math.floor(value * 10 ** digits + 1e-6) / 10 ** digits;
  return floor.toLocaleString('en-US', { maximumFractionDigits: digits });
};
