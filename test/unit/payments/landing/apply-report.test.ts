import { applyReport } from '#shared/payments/domain/landing/apply-report.ts';
import type { Landing, LandingOwner, LandingState } from '#shared/payments/domain/landing/landing.ts';
import { isAfterReturn, standsSince } from '#shared/payments/domain/landing/reinstated.ts';
import type { UnmatchedPayment } from '#shared/payments/domain/unmatched-payment.ts';
import { HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import { asReinstated, type MoneyReport, type ReportedMoney } from '#shared/providers/domain/report.ts';
import { BUSINESS, id, NOON, naira, paymentOf, pendingCheckout } from '#test/unit/api/examples.ts';
import { rejectionOf, totalOf, transferOf } from '#test/unit/payments/reported.ts';

/* Landing from end to end, without a table: what a report makes of everything that is recorded of its money. */

const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
const payee = { by: 'our_reference', reference: REFERENCE } as const;
const live = pendingCheckout({ mode: 'live' });
const onCheckout: LandingOwner = { kind: 'checkout', business: BUSINESS, checkout: live };
const NOTHING: LandingState = {
  known: undefined,
  unmatched: undefined,
  owner: undefined,
  assigned: undefined,
  isForeign: false,
  affected: [],
};
const MADE = { id: id('pay', 7), recordedAt: NOON + HOUR };

const reportOf = (money: ReportedMoney, more: Partial<MoneyReport> = {}): MoneyReport => ({
  provider: 'paystack',
  money,
  state: 'open',
  askedAt: NOON + HOUR,
  ...more,
});
const apply = (state: Partial<LandingState>, money: ReportedMoney, more: Partial<MoneyReport> = {}): Landing =>
  applyReport({ ...NOTHING, ...state }, reportOf(money, more), MADE);

/** The state after a landing on a checkout. */
const recordedAfter = (landing: Landing): { owner: LandingOwner; known: LandingState['known'] } => {
  if (landing.kind !== 'posted' || !landing.entries.checkout) throw new Error('Nothing landed on the checkout.');
  const { checkout, payment, reversed = [] } = landing.entries;
  return { owner: { ...onCheckout, checkout: checkout.after }, known: payment ?? reversed[0] };
};
const unmatchedOf = (money: ReportedMoney, more: Partial<UnmatchedPayment> = {}): UnmatchedPayment => ({
  id: id('pay', 1),
  mode: 'live',
  provider: 'paystack',
  source: { kind: 'transfer', transferId: 'trf-1' },
  money,
  state: 'open',
  askedAt: NOON,
  recordedAt: NOON,
  tries: 2,
  ...more,
});
const entriesOf = (landing: Landing) => (landing.kind === 'posted' ? landing.entries : undefined);

describe('a report for a checkout', () => {
  const exact = transferOf({ payee });
  const back = transferOf({ payee, outcome: 'reversed' });

  test('of an exact transfer makes it paid', () => {
    const landing = apply({ owner: onCheckout }, exact);
    expect(landing).toMatchObject({
      kind: 'posted',
      as: 'landed',
      isPartial: false,
      events: [{ type: 'checkout.paid' }],
    });
    expect(entriesOf(landing)).toMatchObject({
      payment: { outcome: 'accepted', amount: naira(5_000) },
      checkout: { before: live, after: { status: 'paid', paidAmount: naira(5_000), revision: live.revision + 1 } },
    });
    expect(entriesOf(landing)).not.toHaveProperty('unmatched');
  });

  test('of the same transfer again changes nothing', () => {
    const paid = recordedAfter(apply({ owner: onCheckout }, exact));
    expect(apply(paid, exact)).toEqual({ kind: 'ignored', as: 'landed' });
  });

  test('of a second transfer adds to what is paid', () => {
    const { owner } = recordedAfter(apply({ owner: onCheckout }, exact));
    const landing = apply({ owner }, transferOf({ payee, transferId: 'trf-2', amount: naira(100) }));
    expect(landing).toMatchObject({
      events: [{ type: 'checkout.overpaid' }],
      entries: { checkout: { after: { status: 'paid', paidAmount: naira(5_100) } } },
    });
  });

  test('of the return of the first transfer takes it out', () => {
    const landing = apply(recordedAfter(apply({ owner: onCheckout }, exact)), back);
    expect(landing).toMatchObject({
      events: [{ type: 'checkout.payment_reversed' }],
      entries: { reversed: [{ outcome: 'reversed' }], checkout: { after: { status: 'pending', paidAmount: 0 } } },
    });
  });

  test('of a transfer that was returned before it counted is recorded as rejected', () => {
    expect(apply({ owner: onCheckout }, back)).toMatchObject({
      events: [{ type: 'checkout.payment_rejected' }],
      entries: { payment: { outcome: 'rejected' }, checkout: { after: { status: 'pending' } } },
    });
  });

  test('of a transfer that is kept after its return changes nothing on the checkout', () => {
    const known = paymentOf({ outcome: 'reversed' });
    expect(apply({ owner: onCheckout, known }, exact)).toEqual({ kind: 'ignored', as: 'landed' });
  });

  test('of a running total that falls reverses its newest part', () => {
    const first = recordedAfter(apply({ owner: onCheckout }, totalOf({ payee, kept: naira(3_000) })));
    const second = apply(first, totalOf({ payee, kept: naira(5_000) }));
    const { owner, known } = recordedAfter(second);
    const later = { askedAt: NOON + 2 * HOUR };
    const landing = apply({ owner, affected: known ? [known] : [] }, totalOf({ payee, kept: naira(3_000) }), later);
    expect(landing).toMatchObject({
      events: [{ type: 'checkout.payment_reversed' }],
      entries: {
        reversed: [{ amount: naira(2_000), outcome: 'reversed' }],
        checkout: { after: { paidAmount: naira(3_000), status: 'underpaid' } },
      },
    });
  });

  test('of a running total that may be older than what counts is stale', () => {
    const { owner } = recordedAfter(apply({ owner: onCheckout }, totalOf({ payee })));
    expect(apply({ owner }, totalOf({ payee, kept: naira(1_000) }), { askedAt: NOON })).toEqual({ kind: 'stale' });
  });

  test('of a refund that is recorded already changes nothing', () => {
    const refund = { id: 'rfd-1', amount: naira(5_000) };
    const known = paymentOf({ mode: 'live', outcome: 'reversed', refunds: [refund] });
    expect(apply({ owner: onCheckout, known }, exact, { refund })).toEqual({ kind: 'ignored', as: 'landed' });
  });
});

describe('a transfer of less than was asked for', () => {
  const money = transferOf({ payee, amount: naira(3_000), asked: naira(5_000) });
  const refund = { id: 'rfd-1', amount: naira(1_000) };

  test('makes its checkout paid as soon as its provider calls the charge complete', () => {
    const landing = apply(recordedAfter(apply({ owner: onCheckout }, money)), money, { state: 'complete' });
    expect(landing).toMatchObject({ events: [{ type: 'checkout.paid' }] });
  });

  test('does so also after some of it was refunded, as the rest counts', () => {
    const underpaid = recordedAfter(apply({ owner: onCheckout }, money));
    const refunded = apply(underpaid, money, { refund });
    const { reversed: [known] = [], payment: rest } = entriesOf(refunded) ?? {};
    const { owner } = recordedAfter(refunded);
    const state = { owner, known, affected: rest ? [rest] : [] };
    expect(apply(state, money, { state: 'complete' })).toMatchObject({
      events: [{ type: 'checkout.paid' }],
      entries: { checkout: { after: { status: 'paid', paidAmount: naira(2_000) } } },
    });
  });
});

describe('an owner that an operator named', () => {
  const money = transferOf();

  test('gets the money', () => {
    const assigned = { kind: 'checkout', reference: REFERENCE } as const;
    expect(apply({ owner: onCheckout, assigned }, money)).toMatchObject({ kind: 'posted', as: 'landed' });
  });

  test('gets nothing that another owner has', () => {
    const assigned = { kind: 'checkout', reference: 'PAY-8J3MR0YX5N2ZC9V6SD4P' } as const;
    expect(apply({ owner: onCheckout, assigned }, money)).toEqual({ kind: 'ignored', as: 'other_owner' });
  });

  test('gets nothing that was returned meanwhile', () => {
    const assigned = { kind: 'checkout', reference: REFERENCE } as const;
    const unmatched = unmatchedOf(transferOf({ outcome: 'reversed' }));
    expect(apply({ owner: onCheckout, assigned, unmatched }, money)).toEqual({ kind: 'ignored', as: 'unmatched' });
  });

  test('that is a virtual account gets no running total', () => {
    const virtualAccount = { id: id('va'), mode: 'live', provider: 'paystack', businessId: BUSINESS.id } as never;
    const owner = { kind: 'virtual_account', business: BUSINESS, virtualAccount } as const;
    expect(() => apply({ owner }, totalOf())).toThrow('A running total is never for a virtual account.');
  });
});

describe('money that was unmatched', () => {
  const total = totalOf({ payee });
  const source = { kind: 'running_total', reference: REFERENCE } as const;

  test('of a transfer is replaced by its payment, under the same key', () => {
    const unmatched = unmatchedOf(transferOf({ payee }));
    const entries = entriesOf(apply({ owner: onCheckout, unmatched }, transferOf({ payee })));
    expect(entries).toHaveProperty('payment');
    expect(entries).not.toHaveProperty('unmatched');
  });

  test('of a running total is forgotten in the transaction that lands it', () => {
    const unmatched = unmatchedOf(total, { source });
    const entries = entriesOf(apply({ owner: onCheckout, unmatched }, total));
    expect(entries).toMatchObject({ payment: { amount: naira(5_000) }, unmatched: { before: unmatched } });
    expect(entries?.unmatched?.after).toBeUndefined();
  });

  test('is forgotten where its total counts already', () => {
    const { owner } = recordedAfter(apply({ owner: onCheckout }, total));
    const unmatched = unmatchedOf(total, { source });
    expect(apply({ owner, unmatched }, total)).toEqual({
      kind: 'posted',
      as: 'landed',
      entries: { unmatched: { before: unmatched } },
      events: [],
      isPartial: false,
    });
  });

  test('stays while only some of its report is recorded', () => {
    const unmatched = unmatchedOf(total, { source });
    const landing = apply({ owner: onCheckout, unmatched }, totalOf({ payee, returned: naira(200) }));
    expect(landing).toMatchObject({ kind: 'posted', isPartial: true });
    expect(entriesOf(landing)).not.toHaveProperty('unmatched');
  });

  test('is newer than an older report of its total, which is stale', () => {
    const unmatched = unmatchedOf(total, { source, askedAt: NOON + 2 * HOUR });
    expect(apply({ owner: onCheckout, unmatched }, total)).toEqual({ kind: 'stale' });
  });

  test('and was returned lands as returned, whatever an older report says', () => {
    const unmatched = unmatchedOf(transferOf({ payee, outcome: 'reversed' }));
    expect(apply({ owner: onCheckout, unmatched }, transferOf({ payee }))).toMatchObject({
      kind: 'posted',
      entries: { payment: { outcome: 'rejected' } },
      events: [{ type: 'checkout.payment_rejected' }],
    });
  });
});

describe('money whose owner is not known', () => {
  const kept = transferOf();
  const back = transferOf({ outcome: 'reversed' });
  const saved = (state: Partial<LandingState>, money: ReportedMoney, more: Partial<MoneyReport> = {}) => {
    const landing = apply(state, money, more);
    return { as: landing.kind === 'stale' ? undefined : landing.as, unmatched: entriesOf(landing)?.unmatched };
  };

  test('is saved as it was reported', () => {
    expect(apply({}, kept)).toEqual({
      kind: 'posted',
      as: 'unmatched',
      entries: {
        unmatched: {
          before: undefined,
          after: {
            id: MADE.id,
            mode: 'live',
            provider: 'paystack',
            source: { kind: 'transfer', transferId: 'trf-1' },
            money: kept,
            state: 'open',
            askedAt: NOON + HOUR,
            recordedAt: MADE.recordedAt,
            tries: 0,
          },
        },
      },
      events: [],
      isPartial: false,
    });
  });

  test('is not saved twice', () => {
    expect(apply({ unmatched: unmatchedOf(kept) }, kept)).toEqual({ kind: 'ignored', as: 'unmatched' });
  });

  test('is saved in place of an older report of its total, with its tries', () => {
    const source = { kind: 'running_total', reference: REFERENCE } as const;
    const before = unmatchedOf(totalOf(), { source });
    const { unmatched } = saved({ unmatched: before }, totalOf({ kept: naira(8_000) }), { state: 'complete' });
    const now = { money: { kept: naira(8_000) }, state: 'complete', askedAt: NOON + HOUR };
    expect(unmatched).toMatchObject({ before, after: { id: before.id, ...now, recordedAt: NOON, tries: 2 } });
  });

  test('is matched from the beginning after it was returned, at the newest time that is known', () => {
    const { unmatched } = saved({ unmatched: unmatchedOf(kept) }, back, { askedAt: 0 });
    expect(unmatched?.after).toMatchObject({ money: back, askedAt: NOON, recordedAt: MADE.recordedAt, tries: 0 });
  });

  test('is not saved as a refund, which waits for its money', () => {
    const refund = { id: 'rfd-1', amount: naira(100) };
    expect(apply({}, kept, { refund })).toEqual({ kind: 'ignored', as: 'unmatched' });
  });

  test('is not saved where it was returned under the reference of another provider, unless it was saved before', () => {
    expect(apply({ isForeign: true }, back)).toEqual({ kind: 'ignored', as: 'foreign' });
    expect(saved({ isForeign: true }, kept).as).toBe('unmatched');
    expect(saved({ isForeign: true, unmatched: unmatchedOf(kept) }, back).unmatched?.after?.money).toBe(back);
    expect(apply({}, rejectionOf())).toMatchObject({ kind: 'posted', as: 'unmatched' });
  });

  test('is saved when it was reinstated, and forgotten when it is returned again', () => {
    const again = asReinstated(kept);
    expect(saved({}, again).unmatched?.after).toMatchObject({ source: { transferId: 'trf-1', reinstatements: 1 } });
    const before = unmatchedOf(again);
    expect(saved({ unmatched: before }, asReinstated(back))).toEqual({ as: 'landed', unmatched: { before } });
    expect(apply({}, asReinstated(back))).toEqual({ kind: 'ignored', as: 'landed' });
  });
});

describe('a report of a transfer concerns what came after its return', () => {
  const kept = transferOf();
  const returned = paymentOf({ outcome: 'reversed', recordedAt: NOON });
  const is = (recorded: Partial<LandingState>, more: Partial<MoneyReport> = {}, money: ReportedMoney = kept) =>
    isAfterReturn({ known: undefined, unmatched: undefined, ...recorded }, reportOf(money, more));
  const refund = { id: 'rfd-1', amount: naira(5_000) };

  test('when it was asked for after the transfer was recorded', () => {
    expect(is({ known: returned })).toBe(true);
    expect(is({ known: returned }, { askedAt: NOON })).toBe(false);
    expect(is({ known: paymentOf() })).toBe(false);
    expect(is({})).toBe(false);
  });

  test('when it was asked for after the report of an unmatched return', () => {
    const unmatched = unmatchedOf(transferOf({ outcome: 'reversed' }));
    expect(is({ unmatched })).toBe(true);
    expect(is({ unmatched }, { askedAt: NOON })).toBe(false);
    expect(is({ unmatched: unmatchedOf(kept) })).toBe(false);
  });

  test('unless only refunds were reported, which look-ups do not show', () => {
    const refunded = { ...returned, refunds: [refund] };
    expect(is({ known: refunded })).toBe(false);
    expect(is({ known: { ...refunded, isReturnShown: true as const } })).toBe(true);
  });

  test('when its refund is new and was not taken out of the first payment', () => {
    expect(is({ known: returned }, { refund, askedAt: 0 })).toBe(true);
    expect(is({ known: { ...returned, refunds: [refund], isReturnShown: true as const } }, { refund })).toBe(false);
    expect(is({ known: { ...returned, leftOut: refund.amount } }, { refund })).toBe(false);
    expect(is({ known: paymentOf() }, { refund })).toBe(false);
    expect(is({ unmatched: unmatchedOf(transferOf({ outcome: 'reversed' })) }, { refund })).toBe(false);
  });

  test('and a report of other money never does', () => {
    expect(is({ known: returned }, {}, totalOf())).toBe(false);
    expect(is({ known: returned }, {}, rejectionOf())).toBe(false);
  });

  test('and what came after stands since the payment was recorded, else since the unmatched report was asked for', () => {
    const unmatched = unmatchedOf(kept, { askedAt: NOON + MINUTE });
    expect(standsSince({ known: returned, unmatched })).toBe(NOON);
    expect(standsSince({ known: undefined, unmatched })).toBe(NOON + MINUTE);
    expect(standsSince({ known: undefined, unmatched: undefined })).toBe(0);
  });
});
