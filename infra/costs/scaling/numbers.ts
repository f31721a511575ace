/** Formats a number, rounded down: without decimals from 100 on, with one below that, with two below one. */
export const formatNumber = (value: number): string => {
  if (!Number.isFinite(value)) return '–';
  const digits = value >= 100 ? 0 : value >= 1 ? 1 : 2;
  // The small addition keeps floating-point errors from rounding a whole number down.
  const floor = Math.floor(value * 10 ** digits + 1e-6) / 10 ** digits;
  return floor.toLocaleString('en-US', { maximumFractionDigits: digits });
};
