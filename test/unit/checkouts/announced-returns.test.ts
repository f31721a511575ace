import { type AnnouncedReturn, announcedReturn, noteReturn } from '#shared/domain/checkouts/announced-returns.ts';
import { expectEveryFieldRequired } from '#test/unit/every-field.ts';
import { naira } from '#test/unit/http/examples.ts';

const AMOUNT = naira(5_000);
const noted = (reportedBy: AnnouncedReturn['reportedBy'], times = 1, transaction = 'txn-1', amount = AMOUNT) => ({
  transaction,
  amount,
  reportedBy,
  times,
});
const [byNotification, byLookUp] = [noted('notification'), noted('look_up')];
const report = (reportedBy: AnnouncedReturn['reportedBy']) => ({ transaction: 'txn-1', amount: AMOUNT, reportedBy });

describe('a return that is reported', () => {
  test.each<[string, AnnouncedReturn[], AnnouncedReturn['reportedBy'], boolean, AnnouncedReturn[]]>([
    ['first', [], 'notification', true, [byNotification]],
    ['first by a look-up', [], 'look_up', true, [byLookUp]],
    ['in the other way, too', [byNotification], 'look_up', false, []],
    ['by a notification after a look-up', [byLookUp], 'notification', false, []],
    ['again in the same way', [byNotification], 'notification', true, [noted('notification', 2)]],
    ['once in the other way after twice', [noted('notification', 2)], 'look_up', false, [byNotification]],
    [
      'beside one of another transaction',
      [noted('notification', 1, 'txn-2')],
      'look_up',
      true,
      [noted('notification', 1, 'txn-2'), byLookUp],
    ],
    [
      'beside one of another amount',
      [noted('notification', 1, 'txn-1', naira(1))],
      'look_up',
      true,
      [noted('notification', 1, 'txn-1', naira(1)), byLookUp],
    ],
    [
      'in the other way beside others',
      [noted('look_up', 1, 'txn-2'), byNotification, noted('look_up', 3, 'txn-3')],
      'look_up',
      false,
      [noted('look_up', 1, 'txn-2'), noted('look_up', 3, 'txn-3')],
    ],
  ])('%s', (_, before, reportedBy, isNew, after) => {
    expect(noteReturn(before, report(reportedBy))).toEqual({ announcedReturns: after, isNew });
  });

  test('is stored and read back', () => {
    for (const stored of [byNotification, byLookUp]) expectEveryFieldRequired(announcedReturn, stored);
    expect(announcedReturn.safeParse({ ...byLookUp, reportedBy: 'email' }).success).toBe(false);
  });
});
