import {
  type BookedRecords,
  type Comparison,
  compareListed,
  isNotificationMissing,
  needsLookUp,
} from '#shared/payments/domain/listed-payment.ts';
import type { ReconciliationPass } from '#shared/payments/domain/reconciliation.ts';
import { HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import type { ListedPayment } from '#shared/providers/domain/report.ts';
import { NOON, naira } from '#test/unit/api/examples.ts';

const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
const query = { by: 'our_reference', value: REFERENCE } as const;
const origin = { kind: 'part', reference: REFERENCE, reached: naira(5_000), falls: 0 } as const;
const KEPT: ListedPayment = { query, origin, isReturned: false };
const RETURNED: ListedPayment = { ...KEPT, isReturned: true };
const UNNAMED: ListedPayment = { ...KEPT, origin: null };
const UNCERTAIN: ListedPayment = { ...RETURNED, origin: null };
const bookedAs = (outcome: BookedRecords['outcome'], total?: BookedRecords['total']): BookedRecords => ({
  outcome,
  total,
});

describe('the comparison of a listed payment with our books', () => {
  test.each<[string, ListedPayment, BookedRecords['outcome'], Comparison, Comparison]>([
    ['kept and accepted', KEPT, 'accepted', 'agrees', 'agrees'],
    ['kept and reversed', KEPT, 'reversed', 'differs', 'differs'],
    ['kept and rejected', KEPT, 'rejected', 'differs', 'differs'],
    ['kept and not recorded', KEPT, undefined, 'differs', 'agrees'],
    ['kept and unmatched', KEPT, 'unmatched', 'unclear', 'agrees'],
    ['kept and reversed in part', KEPT, 'partly_reversed', 'unclear', 'unclear'],
    ['kept and not readable', KEPT, 'unreadable', 'agrees', 'agrees'],
    ['returned and accepted', RETURNED, 'accepted', 'differs', 'differs'],
    ['returned and reversed', RETURNED, 'reversed', 'agrees', 'agrees'],
    ['returned and rejected', RETURNED, 'rejected', 'agrees', 'agrees'],
    ['returned and unmatched', RETURNED, 'unmatched', 'differs', 'differs'],
    ['returned and not recorded', RETURNED, undefined, 'unclear', 'unclear'],
    ['kept under no reference of ours', UNNAMED, undefined, 'unclear', 'agrees'],
    ['listed with an uncertain amount', UNCERTAIN, undefined, 'differs', 'differs'],
  ])('gives the expected result for a payment that is %s', (_, listed, outcome, recent, week) => {
    const compared = (pass: ReconciliationPass) => compareListed(pass, listed, bookedAs(outcome));
    expect([compared('recent'), compared('week')]).toEqual([recent, week]);
  });

  test.each<[string, number, number, number, Comparison]>([
    ['more came, and the excess was sent back', 6_000, 5_000, 1_000, 'agrees'],
    ['more came, and the excess is not sent back yet', 6_000, 5_000, 0, 'differs'],
    ['more came, and all of it is kept, until it is sent back', 6_000, 6_000, 0, 'differs'],
    ['less came, and was sent back', 4_000, 0, 4_000, 'agrees'],
    ['less came, and is kept', 4_000, 4_000, 0, 'differs'],
    ['more came a second time', 7_000, 5_000, 1_000, 'differs'],
  ])(
    'a payment of a wrong amount needs a look-up only while money may still move: %s',
    (_, paid, kept, returned, expected) => {
      const total = { reference: REFERENCE, asked: naira(5_000), paid: naira(paid) };
      const booked = bookedAs(undefined, { kept: naira(kept), returned: naira(returned), falls: 0 });
      for (const pass of ['recent', 'week'] as const)
        expect(compareListed(pass, { ...UNCERTAIN, total }, booked)).toBe(expected);
      expect(compareListed('recent', { ...UNCERTAIN, total }, bookedAs(undefined))).toBe('differs');
    },
  );

  test('a payment whose excess counted before it was sent back is always looked up, because the return may fail', () => {
    const total = { reference: REFERENCE, asked: naira(5_000), paid: naira(6_000) };
    const fallen = bookedAs(undefined, { kept: naira(5_000), returned: naira(1_000), falls: 1 });
    expect(compareListed('week', { ...UNCERTAIN, total }, fallen)).toBe('differs');
  });

  test.each<[ReconciliationPass, ListedPayment, BookedRecords['outcome'], boolean]>([
    ['recent', KEPT, undefined, true],
    ['recent', UNNAMED, undefined, true],
    ['recent', RETURNED, undefined, false],
    ['recent', KEPT, 'unmatched', false],
    ['week', KEPT, undefined, false],
  ])('shows that a notification is missing, or not, in the pass %s: %j, %s', (pass, listed, outcome, expected) => {
    expect(isNotificationMissing(pass, listed, bookedAs(outcome))).toBe(expected);
  });
});

describe('a look-up of a listed payment', () => {
  const lastLookUp = (ago: number, dueAt: number | null = null) => ({
    provider: 'korapay' as const,
    hash: '0123456789abcdef'.repeat(4),
    raw: '',
    query,
    receivedAt: NOON - ago,
    tries: 0,
    dueAt,
    why: null,
    stuckSince: null,
  });
  test.each<[string, Comparison, ReturnType<typeof lastLookUp> | undefined, boolean]>([
    ['never if the payment agrees', 'agrees', undefined, false],
    ['if there was no look-up before', 'unclear', undefined, true],
    ['not while another one is under way', 'differs', lastLookUp(MINUTE, NOON + MINUTE), false],
    ['again by the next pass if the payment still differs', 'differs', lastLookUp(5 * MINUTE), true],
    ['not again by the next list page of the same pass', 'differs', lastLookUp(5 * MINUTE - 1), false],
    ['not again within the hour if the payment is unclear', 'unclear', lastLookUp(HOUR), false],
    ['again half a day later if the payment is unclear', 'unclear', lastLookUp(12 * HOUR), true],
  ])('happens %s', (_, comparison, last, expected) => {
    expect(needsLookUp(comparison, last, NOON)).toBe(expected);
  });
});
