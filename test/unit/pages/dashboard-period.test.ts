import { readPeriod } from '#shared/pages/dashboard/client/parts/period.ts';

describe('the days that a list of the dashboard is filtered by', () => {
  const of = (query: string) => readPeriod({ query: new URLSearchParams(query) });

  test('begin and end at midnight in Lagos, and the last one is included', () => {
    expect(of('from=2026-11-03&to=2026-11-03')).toEqual({
      from: '2026-11-02T23:00:00.000Z',
      to: '2026-11-03T23:00:00.000Z',
    });
  });

  test('may be one alone', () => {
    expect(of('from=2026-11-03')).toEqual({ from: '2026-11-02T23:00:00.000Z' });
    expect(of('to=2026-11-03&status=paid')).toEqual({ to: '2026-11-03T23:00:00.000Z' });
    expect(of('')).toEqual({});
  });

  test('ask for nothing where the URL has no day', () => {
    expect(of('from=yesterday&to=')).toEqual({});
  });
});
