import { listTicks } from '#shared/pages/dashboard/client/parts/ticks.ts';

/* Tests the axis of the overview's chart. */

test.each([
  [0, [0, 25, 50, 75, 100]],
  [100, [0, 25, 50, 75, 100]],
  [100.01, [0, 50, 100, 150]],
  [8_500.75, [0, 2_500, 5_000, 7_500, 10_000]],
  [135_547, [0, 50_000, 100_000, 150_000]],
  [1_000_000, [0, 250_000, 500_000, 750_000, 1_000_000]],
  [1_000_000.01, [0, 500_000, 1_000_000, 1_500_000]],
])('the axis of %p naira has round amounts', (highest, ticks) => {
  expect(listTicks(highest)).toEqual(ticks);
});

test('the axis of any amount reaches to it in at most four steps', () => {
  for (let highest = 1; highest < 1e9; highest *= 1.37) {
    const ticks = listTicks(highest);
    expect([highest, ticks.length <= 5, (ticks.at(-1) ?? 0) >= highest]).toEqual([highest, true, true]);
  }
});
