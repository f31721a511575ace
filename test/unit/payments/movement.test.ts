import { diff, type Movement } from '#shared/payments/domain/movement.ts';
import { isStale, recordedPosition, reportedPosition } from '#shared/payments/domain/position.ts';
import { kobo } from '#shared/platform/kernel/money.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';
import type { ReportedMoney, ReportedTransfer } from '#shared/providers/domain/report.ts';
import type { SourceId } from '#shared/providers/domain/source.ts';
import { NOON, paymentOf } from '#test/unit/api/examples.ts';

const TRANSFER: SourceId = { kind: 'transfer', transferId: 'trf-1' };
const REJECTION: SourceId = { kind: 'rejection', transaction: 'txn-1', rejectionId: 's-1' };
const TOTAL: SourceId = { kind: 'running_total', reference: 'PAY-7H2KQ9XW4M1ZB8T5RC3N' };
const at = (kept: number, returned: number) => ({ kept: kobo.parse(kept), returned: kobo.parse(returned) });

describe('the movements between two positions', () => {
  type Row = readonly [string, SourceId, [number, number] | undefined, [number, number], string];
  const ROWS: readonly Row[] = [
    ['a new transfer', TRANSFER, undefined, [5, 0], 'credited 5'],
    ['the same transfer again', TRANSFER, [5, 0], [5, 0], ''],
    ['a transfer that was returned before it was reported', TRANSFER, undefined, [0, 5], 'returned 5'],
    ['a transfer that counted and was returned', TRANSFER, [5, 0], [0, 5], 'reversed 5'],
    ['the same return again', TRANSFER, [0, 5], [0, 5], ''],
    ['a transfer that is kept after it was returned', TRANSFER, [0, 5], [5, 0], 'reinstated 5'],
    ['a rejection', REJECTION, undefined, [0, 5], 'returned 5'],
    ['the same rejection again', REJECTION, [0, 5], [0, 5], ''],
    ['nothing', TRANSFER, undefined, [0, 0], ''],
    ['a first total', TOTAL, undefined, [5, 0], 'credited 5'],
    ['a total that grew', TOTAL, [5, 0], [8, 0], 'credited 3'],
    ['the same total', TOTAL, [5, 2], [5, 2], ''],
    ['a total that fell', TOTAL, [8, 0], [5, 3], 'reversed 3'],
    ['a total that fell, where returns are not reported', TOTAL, [8, 0], [5, 0], 'reversed 3'],
    ['a total that fell by less than was returned', TOTAL, [8, 1], [5, 6], 'reversed 3, returned 2'],
    ['a total that grew while some was returned', TOTAL, [5, 0], [8, 2], 'credited 3, returned 2'],
    ['a total that grew after it fell', TOTAL, [5, 3], [8, 3], 'credited 3'],
    ['a total of which less was returned than is known', TOTAL, [5, 3], [5, 1], ''],
    ['all of a total', TOTAL, [8, 0], [0, 8], 'reversed 8'],
    ['all of a total, and more that never counted', TOTAL, [8, 1], [0, 20], 'reversed 8'],
    ['a total that never counted', TOTAL, undefined, [0, 8], 'returned 8'],
    ['more of a total that never counted', TOTAL, [0, 8], [0, 9], 'returned 1'],
    ['a first total of which some was returned', TOTAL, undefined, [5, 3], 'credited 5, returned 3'],
  ];
  test.each(ROWS)('%s', (_, source, before, now, expected) => {
    const movements = diff(before && at(...before), { source, ...at(...now) });
    expect(movements.map(({ kind, amount }: Movement) => `${kind} ${amount}`).join(', ')).toBe(expected);
  });
});

describe('a position', () => {
  const transfer: ReportedTransfer = {
    kind: 'transfer',
    transferId: 'trf-1',
    payee: { by: 'account_number', accountNumber: '1234567898' },
    outcome: 'accepted',
    amount: kobo.parse(5),
    providerReference: 'txn-1',
    fee: kobo.parse(0),
    paidAt: NOON,
    senderName: null,
    senderBank: null,
  };
  const { transferId: _, outcome: __, ...rest } = transfer;
  const total = { ...rest, kind: 'running_total', payee: { by: 'our_reference', reference: 'PAY-1' } } as const;
  test.each<[string, ReportedMoney, SourceId, number, number]>([
    ['an accepted transfer', transfer, TRANSFER, 5, 0],
    ['a reversed transfer', { ...transfer, outcome: 'reversed' }, TRANSFER, 0, 5],
    ['a reinstated transfer', { ...transfer, reinstatements: 2 }, { ...TRANSFER, reinstatements: 2 }, 5, 0],
    ['a rejection', { ...rest, kind: 'rejection', rejectionId: 's-1' }, REJECTION, 0, 5],
    ['a total', { ...total, ...at(8, 3) }, { kind: 'running_total', reference: 'PAY-1' }, 8, 3],
  ])('of %s', (_name, money, source, kept, returned) => {
    expect(reportedPosition(money, NOON)).toEqual({ source, ...at(kept, returned), observedAt: NOON });
  });

  test.each([
    ['accepted', 500_000, 0],
    ['reversed', 0, 500_000],
    ['rejected', 0, 500_000],
  ] as const)('of a recorded payment that is %s', (outcome, kept, returned) => {
    const payment = paymentOf({ outcome });
    const { recordedAt } = payment;
    expect(recordedPosition(TRANSFER, payment)).toEqual({
      source: TRANSFER,
      ...at(kept, returned),
      observedAt: recordedAt,
    });
  });

  const MARGIN = 30 * SECOND;
  test.each([
    ['the same, however old', 5, false, -SECOND, false],
    ['more, asked for before', 6, false, -1, true],
    ['more, asked for when it was recorded', 6, false, 0, false],
    ['more after a fall, asked for within the margin', 6, true, MARGIN - 1, true],
    ['more after a fall, asked for after the margin', 6, true, MARGIN, false],
    ['less, asked for within the margin', 4, false, MARGIN - 1, true],
    ['less, asked for after the margin', 4, false, MARGIN, false],
    ['less, at an unknown time', 4, false, -NOON, true],
  ])('is not contradicted by a stale report: %s', (_name, kept, hasFallen, after, expected) => {
    const before = { source: TOTAL, ...at(5, 0), observedAt: NOON };
    const now = { source: TOTAL, ...at(kept, 0), observedAt: NOON + after };
    expect(isStale(before, now, hasFallen)).toBe(expected);
  });
});
