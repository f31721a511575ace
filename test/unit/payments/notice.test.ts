import { makeContent } from '#shared/providers/domain/notification-content.ts';

test('a notice has its given parts, and all other parts are empty', () => {
  const empty = { queries: [], rejected: [], refunds: [], accounts: [], problem: null };
  expect(makeContent()).toEqual(empty);
  expect(makeContent({ problem: 'unreadable' })).toEqual({ ...empty, problem: 'unreadable' });
});
