/** Makes `count` requests at once. Counts the answers of each status. */
export const countStatuses = async (
  count: number,
  call: (i: number) => Promise<{ readonly status: number }>,
): Promise<Record<number, number>> => {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(Array.from({ length: count }, (_, i) => call(i)))) {
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
};
