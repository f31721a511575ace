import { notice } from '#shared/providers/domain/notice.ts';

test('a notice has the parts that it is made of, and nothing else', () => {
  const empty = { queries: [], rejected: [], refunds: [], accounts: [], problem: null };
  expect(notice()).toEqual(empty);
  expect(notice({ problem: 'unreadable' })).toEqual({ ...empty, problem: 'unreadable' });
});
