import { readPeriod } from '#shared/pages/dashboard/client/parts/period.ts';

describe('the days that a list of the dashboard is filtered by', () => {
  const periodOf = (query: string) => readPeriod({ query: new URLSearchParams(query) });

  test('begin and end at midnight in Lagos, and the last one is included', () => {
    expect(periodOf('from=2026-11-03&to=2026-11-03')).toEqual({
      from: '2026-11-02T23:00:00.000Z',
      to: '2026-11-03T23:00:00.000Z',
    });
  });

  test('may have only a first or only a last day', () => {
    expect(periodOf('from=2026-11-03')).toEqual({ from: '2026-11-02T23:00:00.000Z' });
    expect(periodOf('to=2026-11-03&status=paid')).toEqual({ to: '2026-11-03T23:00:00.000Z' });
    expect(periodOf('')).toEqual({});
  });

  test('have no effect if the URL has no valid day', () => {
    expect(periodOf('from=yesterday&to=')).toEqual({});
  });
});
