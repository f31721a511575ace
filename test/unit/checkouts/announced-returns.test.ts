import fc from 'fast-check';
import {
  type AnnouncedReturn,
  announcedReturn,
  MOST_ANNOUNCED,
  noteReturn,
  type ReportedReturn,
} from '#shared/checkouts/domain/announced-returns.ts';
import { longerTest, runsOf } from '#test/support/jest/long.ts';
import { naira } from '#test/unit/api/examples.ts';
import { expectEveryFieldRequired } from '#test/unit/every-field.ts';

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

describe('however many returns are reported', () => {
  /** More transactions than are remembered, so that some are forgotten, and few enough that some are reported twice. */
  const reports = fc.array(
    fc.record<ReportedReturn>({
      transaction: fc.nat(2 * MOST_ANNOUNCED).map((n) => `txn-${n}`),
      amount: fc.constantFrom(AMOUNT, naira(1)),
      reportedBy: fc.constantFrom('notification', 'look_up'),
    }),
    { maxLength: 6 * MOST_ANNOUNCED, size: 'max' },
  );

  longerTest('the fifty newest are remembered, and the oldest alone is forgotten', () => {
    expect(MOST_ANNOUNCED).toBe(50);
    fc.assert(
      fc.property(reports, (reported) => {
        let before: readonly AnnouncedReturn[] = [];
        for (const one of reported) {
          const { announcedReturns: after, isNew } = noteReturn(before, one);
          const isOf = ({ transaction, amount }: AnnouncedReturn) =>
            transaction === one.transaction && amount === one.amount;
          const others = before.filter((other) => !isOf(other));
          const known = before.find(isOf);
          expect(after.length).toBeLessThanOrEqual(MOST_ANNOUNCED);
          expect(after.filter((other) => !isOf(other))).toEqual(
            others.slice(Math.max(0, others.length + after.filter(isOf).length - MOST_ANNOUNCED)),
          );
          expect(isNew).toBe(known === undefined || known.reportedBy === one.reportedBy);
          expect(after.filter(isOf).length).toBe(isNew || (known?.times ?? 0) > 1 ? 1 : 0);
          before = after;
        }
      }),
      runsOf(100),
    );
  });

  test('the second reports of the fifty newest are not announced again, and that of an older one is', () => {
    const transactions = Array.from({ length: MOST_ANNOUNCED + 1 }, (_, n) => `txn-${n}`);
    let now: readonly AnnouncedReturn[] = [];
    const told = (reportedBy: AnnouncedReturn['reportedBy'], transaction: string): boolean => {
      const { announcedReturns, isNew } = noteReturn(now, { transaction, amount: AMOUNT, reportedBy });
      now = announcedReturns;
      return isNew;
    };
    expect(new Set(transactions.map((one) => told('notification', one)))).toEqual(new Set([true]));
    const again = transactions.toReversed().map((one) => told('look_up', one));
    expect(again).toEqual([...Array(MOST_ANNOUNCED).fill(false), true]);
  });
});
