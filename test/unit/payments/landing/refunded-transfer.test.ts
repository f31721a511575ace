import {
  mayLookUpDisproveReturn,
  originOfRemainder,
  withdrawFrom,
} from '#shared/payments/domain/landing/refunded-transfer.ts';
import { copyIdTime } from '#shared/platform/kernel/ids.ts';
import { id, NOON, naira, paymentOf } from '#test/unit/api/examples.ts';

const context = { id: id('pay', 9), recordedAt: NOON };
const partialRefund = { id: 'rfd-1', amount: naira(1_500) };
const paid = paymentOf();
const asOnlyPayment = (payment = paid) => ({ first: payment, latest: payment });
const KEPT = { isReturned: false };
const RETURNED = { isReturned: true };

test('nothing changes if nothing was returned, or if the refund is known', () => {
  expect(withdrawFrom(context, asOnlyPayment(), KEPT)).toBeUndefined();
  const known = paymentOf({ outcome: 'reversed', refunds: [{ ...partialRefund, amount: paid.amount }] });
  expect(
    withdrawFrom({ ...context, refund: { ...partialRefund, amount: paid.amount } }, asOnlyPayment(known), KEPT),
  ).toBeUndefined();
});

test('a return that a look-up shows reverses the whole payment, without a refund, a remainder or a note', () => {
  const withdrawn = withdrawFrom(context, asOnlyPayment(), RETURNED);
  expect(withdrawn).toEqual({
    amount: paid.amount,
    reversed: [{ ...paid, outcome: 'reversed' }],
    remainder: undefined,
    noteChange: undefined,
    isSomeKept: false,
  });
  expect(Object.keys(withdrawn?.reversed[0] ?? {})).not.toContain('isReturnShown');
  expect(Object.keys(withdrawn?.reversed[0] ?? {})).not.toContain('refunds');
  expect(Object.keys(withdrawn?.reversed[0] ?? {})).not.toContain('kept');
});

test('a partial refund reverses the payment, and leaves a remainder with the booking time of the original', () => {
  const withdrawn = withdrawFrom({ ...context, refund: partialRefund }, asOnlyPayment(), KEPT);
  const [reversed] = withdrawn?.reversed ?? [];
  expect(reversed).toEqual({
    ...paid,
    outcome: 'reversed',
    refunds: [partialRefund],
    rest: partialRefund.amount,
    kept: naira(3_500),
  });
  expect(withdrawn?.remainder).toEqual({
    ...paid,
    id: copyIdTime(paid.id, context.id),
    amount: naira(3_500),
    recordedAt: NOON,
    restFrom: paid.recordedAt,
    origin: { ...paid.origin, kind: 'rest', refunded: partialRefund.amount },
  });
  expect(withdrawn?.noteChange).toBeUndefined();
});

test('a second refund reverses the remainder, and is noted on the first payment', () => {
  const before = withdrawFrom({ ...context, refund: partialRefund }, asOnlyPayment(), KEPT);
  const [first] = before?.reversed ?? [];
  const latest = before?.remainder;
  if (!first || !latest) throw new Error('The refund left no remainder.');
  const second = { id: 'rfd-2', amount: naira(500) };
  const withdrawn = withdrawFrom({ ...context, id: id('pay', 10), refund: second }, { first, latest }, KEPT);
  expect(withdrawn?.amount).toBe(naira(500));
  expect(withdrawn?.reversed).toEqual([{ ...latest, outcome: 'reversed', kept: naira(3_000) }]);
  expect(withdrawn?.remainder?.amount).toBe(naira(3_000));
  expect(withdrawn?.noteChange).toEqual({
    before: first,
    after: { ...first, refunds: [partialRefund, second], rest: naira(2_000) },
  });
  const returned = withdrawFrom(context, { first, latest }, RETURNED);
  expect(returned?.noteChange?.after).toEqual({ ...first, isReturnShown: true });
  expect([returned?.amount, returned?.remainder]).toEqual([naira(3_500), undefined]);
});

test('a known refund is taken out of a remainder that still includes the refund, and is noted if a smaller remainder is left', () => {
  const before = withdrawFrom({ ...context, refund: partialRefund }, asOnlyPayment(), KEPT);
  const [reversed] = before?.reversed ?? [];
  const latest = before?.remainder;
  if (!reversed || !latest) throw new Error('The refund left no remainder.');
  const withSecondRefund = (amount: number) => ({
    ...reversed,
    refunds: [partialRefund, { id: 'rfd-2', amount: naira(amount) }],
  });
  const some = withdrawFrom(context, { first: withSecondRefund(500), latest }, KEPT);
  expect([some?.amount, some?.noteChange?.after.rest]).toEqual([naira(500), naira(2_000)]);
  const all = withdrawFrom(context, { first: withSecondRefund(3_500), latest }, KEPT);
  expect([all?.amount, all?.noteChange]).toEqual([naira(3_500), undefined]);
});

test('a refund of money that a look-up showed as returned takes nothing out, and is noted with isReturnShown', () => {
  const returnedPayment = paymentOf({ outcome: 'reversed' });
  expect(withdrawFrom({ ...context, refund: partialRefund }, asOnlyPayment(returnedPayment), KEPT)).toEqual({
    amount: 0,
    isSomeKept: false,
    reversed: [],
    remainder: undefined,
    noteChange: {
      before: returnedPayment,
      after: { ...returnedPayment, refunds: [partialRefund], isReturnShown: true },
    },
  });
});

test('isReturnShown stays set, even if a later look-up does not show the return', () => {
  const returnedPayment = paymentOf({ outcome: 'reversed', refunds: [partialRefund], isReturnShown: true });
  expect(withdrawFrom(context, asOnlyPayment(returnedPayment), KEPT)).toBeUndefined();
  const reported = paymentOf({ outcome: 'reversed', refunds: [{ ...partialRefund, amount: paid.amount }] });
  const noted = withdrawFrom(context, asOnlyPayment(reported), RETURNED)?.noteChange;
  expect(noted?.after).toEqual({ ...reported, isReturnShown: true });
});

test('a look-up can contradict a return that a look-up showed, but not a return known only from refunds', () => {
  expect(mayLookUpDisproveReturn(paid)).toBe(false);
  expect(mayLookUpDisproveReturn(paymentOf({ outcome: 'reversed' }))).toBe(true);
  expect(mayLookUpDisproveReturn(paymentOf({ outcome: 'reversed', refunds: [partialRefund] }))).toBe(false);
  expect(
    mayLookUpDisproveReturn(paymentOf({ outcome: 'reversed', refunds: [partialRefund], isReturnShown: true })),
  ).toBe(true);
  expect(mayLookUpDisproveReturn(paymentOf({ isReturnShown: true }))).toBe(false);
});

test('only the first payment of a partly refunded transfer leads to a remainder', () => {
  expect(originOfRemainder(paid)).toBeUndefined();
  expect(originOfRemainder({ ...paid, rest: partialRefund.amount })).toEqual({
    ...paid.origin,
    kind: 'rest',
    refunded: partialRefund.amount,
  });
  const rest = { kind: 'rest', transferId: 'trf_1', refunded: partialRefund.amount } as const;
  expect(originOfRemainder({ ...paid, origin: rest, rest: partialRefund.amount })).toBeUndefined();
});
