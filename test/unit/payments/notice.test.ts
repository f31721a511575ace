import { notice } from '#shared/providers/domain/notice.ts';

test('a notice has its given parts, and all other parts are empty', () => {
  const empty = { queries: [], rejected: [], refunds: [], accounts: [], problem: null };
  expect(notice()).toEqual(empty);
  expect(notice({ problem: 'unreadable' })).toEqual({ ...empty, problem: 'unreadable' });
});
