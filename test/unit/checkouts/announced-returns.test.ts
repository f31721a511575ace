import fc from 'fast-check';
import {
  type AnnouncedReturn,
  announcedReturn,
  MAX_ANNOUNCED,
  noteReturn,
  type ReportedReturn,
} from '#shared/checkouts/domain/announced-returns.ts';
import { longerTest, setRuns } from '#test/support/jest/long.ts';
import { naira } from '#test/unit/api/examples.ts';
import { expectEveryFieldRequired } from '#test/unit/every-field.ts';

const AMOUNT = naira(5_000);
const announced = (reportedBy: AnnouncedReturn['reportedBy'], times = 1, transaction = 'txn-1', amount = AMOUNT) => ({
  transaction,
  amount,
  reportedBy,
  times,
});
const [byNotification, byLookUp] = [announced('notification'), announced('look_up')];
const report = (reportedBy: AnnouncedReturn['reportedBy']) => ({ transaction: 'txn-1', amount: AMOUNT, reportedBy });

describe('a report of a return', () => {
  test.each<[string, AnnouncedReturn[], AnnouncedReturn['reportedBy'], boolean, AnnouncedReturn[]]>([
    ['counts as new if it is the first', [], 'notification', true, [byNotification]],
    ['counts as new if it is the first, by a look-up', [], 'look_up', true, [byLookUp]],
    ['does not count as new after a notification of the same return', [byNotification], 'look_up', false, []],
    ['does not count as new if a notification follows a look-up', [byLookUp], 'notification', false, []],
    [
      'counts as new if it comes again in the same way',
      [byNotification],
      'notification',
      true,
      [announced('notification', 2)],
    ],
    [
      'removes one of two earlier reports made in the other way',
      [announced('notification', 2)],
      'look_up',
      false,
      [byNotification],
    ],
    [
      'counts as new if the earlier report is of another transaction',
      [announced('notification', 1, 'txn-2')],
      'look_up',
      true,
      [announced('notification', 1, 'txn-2'), byLookUp],
    ],
    [
      'counts as new if the earlier report is of another amount',
      [announced('notification', 1, 'txn-1', naira(1))],
      'look_up',
      true,
      [announced('notification', 1, 'txn-1', naira(1)), byLookUp],
    ],
    [
      'removes only the report of the same transaction',
      [announced('look_up', 1, 'txn-2'), byNotification, announced('look_up', 3, 'txn-3')],
      'look_up',
      false,
      [announced('look_up', 1, 'txn-2'), announced('look_up', 3, 'txn-3')],
    ],
  ])('%s', (_, before, reportedBy, isNew, after) => {
    expect(noteReturn(before, report(reportedBy))).toEqual({ announcedReturns: after, isNew });
  });

  test('survives storing and reading', () => {
    for (const stored of [byNotification, byLookUp]) expectEveryFieldRequired(announcedReturn, stored);
    expect(announcedReturn.safeParse({ ...byLookUp, reportedBy: 'email' }).success).toBe(false);
  });
});

describe('the announced returns of a checkout', () => {
  /** Reports of more transactions than a checkout remembers, so that it forgets some. There are few enough transactions that some are reported twice. */
  const reports = fc.array(
    fc.record<ReportedReturn>({
      transaction: fc.nat(2 * MAX_ANNOUNCED).map((n) => `txn-${n}`),
      amount: fc.constantFrom(AMOUNT, naira(1)),
      reportedBy: fc.constantFrom('notification', 'look_up'),
    }),
    { maxLength: 6 * MAX_ANNOUNCED, size: 'max' },
  );

  longerTest('keep the fifty newest and forget only the oldest', () => {
    expect(MAX_ANNOUNCED).toBe(50);
    fc.assert(
      fc.property(reports, (reported) => {
        let before: readonly AnnouncedReturn[] = [];
        for (const item of reported) {
          const { announcedReturns: after, isNew } = noteReturn(before, item);
          const isSame = ({ transaction, amount }: AnnouncedReturn) =>
            transaction === item.transaction && amount === item.amount;
          const others = before.filter((other) => !isSame(other));
          const known = before.find(isSame);
          expect(after.length).toBeLessThanOrEqual(MAX_ANNOUNCED);
          expect(after.filter((other) => !isSame(other))).toEqual(
            others.slice(Math.max(0, others.length + after.filter(isSame).length - MAX_ANNOUNCED)),
          );
          expect(isNew).toBe(known === undefined || known.reportedBy === item.reportedBy);
          expect(after.filter(isSame).length).toBe(isNew || (known?.times ?? 0) > 1 ? 1 : 0);
          before = after;
        }
      }),
      setRuns(100),
    );
  });

  test('recognise the second report of each of the fifty newest returns, but take that of an older return as new', () => {
    const transactions = Array.from({ length: MAX_ANNOUNCED + 1 }, (_, n) => `txn-${n}`);
    let now: readonly AnnouncedReturn[] = [];
    const reportReturn = (reportedBy: AnnouncedReturn['reportedBy'], transaction: string): boolean => {
      const { announcedReturns, isNew } = noteReturn(now, { transaction, amount: AMOUNT, reportedBy });
      now = announcedReturns;
      return isNew;
    };
    expect(new Set(transactions.map((transaction) => reportReturn('notification', transaction)))).toEqual(
      new Set([true]),
    );
    const again = transactions.toReversed().map((transaction) => reportReturn('look_up', transaction));
    expect(again).toEqual([...Array(MAX_ANNOUNCED).fill(false), true]);
  });
});
