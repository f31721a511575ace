import {
  findReportedMoney,
  isLastTry,
  nextMatchAt,
  restartMatching,
  supersedes,
  type UnmatchedPayment,
  unmatchedPayment,
} from '#shared/payments/domain/unmatched-payment.ts';
import { HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import { type ReportedMoney, toSourceId } from '#shared/providers/domain/report.ts';
import { id, NOON, naira } from '#test/unit/api/examples.ts';
import { expectEveryFieldRequired } from '#test/unit/every-field.ts';
import { rejectionOf, totalOf, transferOf } from './reported.ts';

const unmatched = (money: ReportedMoney, changes: Partial<UnmatchedPayment> = {}): UnmatchedPayment => ({
  id: id('pay'),
  mode: 'live',
  provider: 'monnify',
  source: toSourceId(money),
  money,
  state: 'open',
  askedAt: NOON - MINUTE,
  recordedAt: NOON,
  tries: 0,
  ...changes,
});
const returned = transferOf({ outcome: 'reversed' });
const otherTotal = totalOf({ payee: { by: 'our_reference', reference: 'PAY-00000000000000000000' } });

describe('unmatched money', () => {
  test.each<[string, ReportedMoney]>([
    ['a transfer', transferOf()],
    ['a rejection', rejectionOf()],
    ['a total', totalOf()],
  ])('can be stored and read back: %s', (_, money) => {
    expectEveryFieldRequired(unmatchedPayment, unmatched(money));
  });

  test('exists in live mode only', () => {
    expect(unmatchedPayment.safeParse({ ...unmatched(transferOf()), mode: 'test' }).success).toBe(false);
  });

  test.each([
    [0, NOON + MINUTE, false],
    [1, NOON + 5 * MINUTE, false],
    [2, NOON + HOUR, true],
    [3, null, true],
    [4, null, true],
  ])('gets matched again after try %i at %p', (tries, due, last) => {
    expect(nextMatchAt(unmatched(transferOf(), { tries }))).toBe(due);
    expect(isLastTry(unmatched(transferOf(), { tries }))).toBe(last);
  });

  test('gets matched again like new money while its payee may still be opening', () => {
    expect(restartMatching(unmatched(transferOf(), { tries: 2 }), NOON + HOUR)).toEqual(
      unmatched(transferOf(), { recordedAt: NOON + HOUR, tries: 0 }),
    );
  });

  test.each<[string, ReportedMoney, ReportedMoney, number, boolean]>([
    ['the same transfer', transferOf(), transferOf(), MINUTE, false],
    ['the transfer, returned', transferOf(), returned, -HOUR, true],
    ['the returned transfer, kept', returned, transferOf(), MINUTE, false],
    ['the returned transfer, returned', returned, returned, MINUTE, false],
    ['a newer total', totalOf(), totalOf(), 1, true],
    ['a total asked for at the same time', totalOf(), totalOf(), 0, true],
    ['an older total', totalOf(), totalOf({ kept: naira(9_000) }), -1, false],
    ['an older total, returned', totalOf(), totalOf({ kept: naira(0) }), -1, false],
  ])('is superseded, or not, by %s', (_, stored, money, later, expected) => {
    const before = unmatched(stored);
    expect(supersedes(before, money, before.askedAt + later)).toBe(expected);
  });

  test.each<[string, ReportedMoney, ReportedMoney[], ReportedMoney | undefined]>([
    ['the same transfer', transferOf(), [transferOf({ transferId: 'trf-2' }), returned], returned],
    ['the same rejection', rejectionOf(), [rejectionOf({ rejectionId: 'session-2' }), rejectionOf()], rejectionOf()],
    ['the same total', totalOf(), [otherTotal, totalOf({ kept: naira(9) })], totalOf({ kept: naira(9) })],
    ['nothing', transferOf(), [], undefined],
    ['another transfer', transferOf(), [transferOf({ transferId: 'trf-2' })], undefined],
    ['a rejection in place of a transfer', transferOf(), [rejectionOf()], undefined],
    ['a total in place of a transfer', transferOf(), [totalOf()], undefined],
    ['another rejection', rejectionOf(), [rejectionOf({ rejectionId: 'session-2' })], undefined],
    ['a rejection of another transaction', rejectionOf(), [rejectionOf({ providerReference: 'txn-2' })], undefined],
    ['a transfer in place of a rejection', rejectionOf(), [transferOf()], undefined],
    ['a total in place of a rejection', rejectionOf(), [totalOf()], undefined],
    ['another total', totalOf(), [otherTotal], undefined],
    ['a transfer in place of a total', totalOf(), [transferOf()], undefined],
    ['a rejection in place of a total', totalOf(), [rejectionOf()], undefined],
    [
      'the transfer that was reinstated',
      transferOf({ reinstatements: 2 }),
      [transferOf({ fee: naira(1) })],
      transferOf({ fee: naira(1), reinstatements: 2 }),
    ],
    ['nothing of a reinstated transfer', transferOf({ reinstatements: 2 }), [], undefined],
  ])('can be found among the money that the provider reports now: %s', (_, stored, reported, expected) => {
    expect(findReportedMoney(unmatched(stored), reported)).toStrictEqual(expected);
  });
});
