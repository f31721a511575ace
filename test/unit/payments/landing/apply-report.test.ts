import { applyReport, paymentsToRead } from '#shared/payments/domain/landing/apply-report.ts';
import type { Landing, LandingOwner, LandingState } from '#shared/payments/domain/landing/landing.ts';
import { knownSince, mayFollowReturn } from '#shared/payments/domain/landing/reinstated.ts';
import type { UnmatchedPayment } from '#shared/payments/domain/unmatched-payment.ts';
import { HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import { type MoneyReport, type ReportedMoney, reinstateTransfer } from '#shared/providers/domain/report.ts';
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

describe('on a checkout', () => {
  const exact = transferOf({ payee });
  const back = transferOf({ payee, outcome: 'reversed' });

  test('an exact transfer makes it paid', () => {
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

  test('the same transfer again changes nothing', () => {
    const paid = recordedAfter(apply({ owner: onCheckout }, exact));
    expect(apply(paid, exact)).toEqual({ kind: 'ignored', as: 'landed' });
  });

  test('a second transfer adds to what is paid', () => {
    const { owner } = recordedAfter(apply({ owner: onCheckout }, exact));
    const landing = apply({ owner }, transferOf({ payee, transferId: 'trf-2', amount: naira(100) }));
    expect(landing).toMatchObject({
      events: [{ type: 'checkout.overpaid' }],
      entries: { checkout: { after: { status: 'paid', paidAmount: naira(5_100) } } },
    });
  });

  test('the return of the first transfer takes it out', () => {
    const landing = apply(recordedAfter(apply({ owner: onCheckout }, exact)), back);
    expect(landing).toMatchObject({
      events: [{ type: 'checkout.payment_reversed' }],
      entries: { reversed: [{ outcome: 'reversed' }], checkout: { after: { status: 'pending', paidAmount: 0 } } },
    });
  });

  test('a transfer that was returned before it counted is recorded as rejected', () => {
    expect(apply({ owner: onCheckout }, back)).toMatchObject({
      events: [{ type: 'checkout.payment_rejected' }],
      entries: { payment: { outcome: 'rejected' }, checkout: { after: { status: 'pending' } } },
    });
  });

  test('a transfer that is kept after its return changes nothing', () => {
    const known = paymentOf({ outcome: 'reversed' });
    expect(apply({ owner: onCheckout, known }, exact)).toEqual({ kind: 'ignored', as: 'landed' });
  });

  test('a cumulative report that falls loses its newest part', () => {
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

  test('a cumulative report that may be older than what counts is stale', () => {
    const { owner } = recordedAfter(apply({ owner: onCheckout }, totalOf({ payee })));
    expect(apply({ owner }, totalOf({ payee, kept: naira(1_000) }), { askedAt: NOON })).toEqual({ kind: 'stale' });
  });

  test('a report of a total of no amount is remembered without an event', () => {
    const landing = apply({ owner: onCheckout }, totalOf({ payee, kept: naira(0) }));
    expect(landing).toMatchObject({ kind: 'posted', as: 'landed', isPartial: false, events: [] });
    expect(recordedAfter(landing).owner).toMatchObject({ checkout: { totals: { [REFERENCE]: { kept: 0 } } } });
  });

  test('a refund that is recorded already changes nothing', () => {
    const refund = { id: 'rfd-1', amount: naira(5_000) };
    const known = paymentOf({ mode: 'live', outcome: 'reversed', refunds: [refund] });
    expect(apply({ owner: onCheckout, known }, exact, { refund })).toEqual({ kind: 'ignored', as: 'landed' });
  });
});

describe('on a checkout that is paid too little', () => {
  const money = transferOf({ payee, amount: naira(3_000), asked: naira(5_000) });
  const refund = { id: 'rfd-1', amount: naira(1_000) };

  test('a charge that its provider calls complete makes it paid', () => {
    const landing = apply(recordedAfter(apply({ owner: onCheckout }, money)), money, { state: 'complete' });
    expect(landing).toMatchObject({ events: [{ type: 'checkout.paid' }] });
  });

  test('a complete charge makes it paid also after some of it was refunded, as the rest counts', () => {
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

describe('where an operator named the owner', () => {
  const money = transferOf();

  test('the owner gets the money', () => {
    const assigned = { kind: 'checkout', reference: REFERENCE } as const;
    expect(apply({ owner: onCheckout, assigned }, money)).toMatchObject({ kind: 'posted', as: 'landed' });
  });

  test('the owner gets nothing that another owner has', () => {
    const assigned = { kind: 'checkout', reference: 'PAY-8J3MR0YX5N2ZC9V6SD4P' } as const;
    expect(apply({ owner: onCheckout, assigned }, money)).toEqual({ kind: 'ignored', as: 'other_owner' });
  });

  test('the owner gets nothing that was returned meanwhile', () => {
    const assigned = { kind: 'checkout', reference: REFERENCE } as const;
    const unmatched = unmatchedOf(transferOf({ outcome: 'reversed' }));
    expect(apply({ owner: onCheckout, assigned, unmatched }, money)).toEqual({ kind: 'ignored', as: 'unmatched' });
  });

  test('a virtual account gets no cumulative report', () => {
    const virtualAccount = { id: id('va'), mode: 'live', provider: 'paystack', businessId: BUSINESS.id } as never;
    const owner = { kind: 'virtual_account', business: BUSINESS, virtualAccount } as const;
    expect(paymentsToRead(owner, undefined, { money: totalOf() })).toEqual([]);
    expect(() => apply({ owner }, totalOf())).toThrow('A cumulative report is never for a virtual account.');
  });
});

describe('where money was unmatched', () => {
  const total = totalOf({ payee });
  const source = { kind: 'cumulative_report', reference: REFERENCE } as const;

  test('the payment of a transfer replaces the entry, under the same key', () => {
    const unmatched = unmatchedOf(transferOf({ payee }));
    const entries = entriesOf(apply({ owner: onCheckout, unmatched }, transferOf({ payee })));
    expect(entries).toHaveProperty('payment');
    expect(entries).not.toHaveProperty('unmatched');
  });

  test('the transaction that lands a cumulative report deletes the entry', () => {
    const unmatched = unmatchedOf(total, { source });
    const entries = entriesOf(apply({ owner: onCheckout, unmatched }, total));
    expect(entries).toMatchObject({ payment: { amount: naira(5_000) }, unmatched: { before: unmatched } });
    expect(entries?.unmatched?.after).toBeUndefined();
  });

  test('the entry is deleted where its total counts already', () => {
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

  test('the entry stays while only some of its report is recorded', () => {
    const unmatched = unmatchedOf(total, { source });
    const landing = apply({ owner: onCheckout, unmatched }, totalOf({ payee, returned: naira(200) }));
    expect(landing).toMatchObject({ kind: 'posted', isPartial: true });
    expect(entriesOf(landing)).not.toHaveProperty('unmatched');
  });

  test('an older report of its total is stale', () => {
    const unmatched = unmatchedOf(total, { source, askedAt: NOON + 2 * HOUR });
    expect(apply({ owner: onCheckout, unmatched }, total)).toEqual({ kind: 'stale' });
  });

  test('an unmatched total stays while its checkout has a newer report of it', () => {
    const { owner } = recordedAfter(apply({ owner: onCheckout }, total));
    const unmatched = unmatchedOf(totalOf({ payee, kept: naira(1_000) }), { source });
    expect(apply({ owner, unmatched }, unmatched.money, { askedAt: NOON })).toEqual({ kind: 'stale' });
  });

  test('an unmatched transfer of no amount is forgotten, as no payment replaces it', () => {
    const nothing = transferOf({ payee, amount: naira(0) });
    const unmatched = unmatchedOf(nothing);
    const landing = apply({ owner: onCheckout, unmatched }, nothing);
    expect(landing).toMatchObject({ kind: 'posted', as: 'landed', events: [] });
    expect(entriesOf(landing)).toEqual({ unmatched: { before: unmatched } });
  });

  test('a transfer that was returned lands as returned, whatever an older report says', () => {
    const unmatched = unmatchedOf(transferOf({ payee, outcome: 'reversed' }));
    expect(apply({ owner: onCheckout, unmatched }, transferOf({ payee }))).toMatchObject({
      kind: 'posted',
      entries: { payment: { outcome: 'rejected' } },
      events: [{ type: 'checkout.payment_rejected' }],
    });
  });
});

describe('where no owner is known', () => {
  const kept = transferOf();
  const back = transferOf({ outcome: 'reversed' });
  const saved = (state: Partial<LandingState>, money: ReportedMoney, more: Partial<MoneyReport> = {}) => {
    const landing = apply(state, money, more);
    return { as: landing.kind === 'stale' ? undefined : landing.as, unmatched: entriesOf(landing)?.unmatched };
  };

  test('money is saved as it was reported', () => {
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

  test('the same money is not saved twice', () => {
    expect(apply({ unmatched: unmatchedOf(kept) }, kept)).toEqual({ kind: 'ignored', as: 'unmatched' });
  });

  test('a newer report of a total is saved in place of the older one, with its tries', () => {
    const source = { kind: 'cumulative_report', reference: REFERENCE } as const;
    const before = unmatchedOf(totalOf(), { source });
    const { unmatched } = saved({ unmatched: before }, totalOf({ kept: naira(8_000) }), { state: 'complete' });
    const now = { money: { kept: naira(8_000) }, state: 'complete', askedAt: NOON + HOUR };
    expect(unmatched).toMatchObject({ before, after: { id: before.id, ...now, recordedAt: NOON, tries: 2 } });
  });

  test('money that was returned is matched from the beginning, with the newest time that is known', () => {
    const { unmatched } = saved({ unmatched: unmatchedOf(kept) }, back, { askedAt: 0 });
    expect(unmatched?.after).toMatchObject({ money: back, askedAt: NOON, recordedAt: MADE.recordedAt, tries: 0 });
  });

  test('a refund is not saved, as it waits for its money', () => {
    const refund = { id: 'rfd-1', amount: naira(100) };
    expect(apply({}, kept, { refund })).toEqual({ kind: 'ignored', as: 'unmatched' });
  });

  test('a return under the reference of another provider is saved only if its money was', () => {
    expect(apply({ isForeign: true }, back)).toEqual({ kind: 'ignored', as: 'foreign' });
    expect(saved({ isForeign: true }, kept).as).toBe('unmatched');
    expect(saved({ isForeign: true, unmatched: unmatchedOf(kept) }, back).unmatched?.after?.money).toBe(back);
    expect(apply({}, rejectionOf())).toMatchObject({ kind: 'posted', as: 'unmatched' });
  });

  test('a reinstated transfer is saved, and its entry is deleted when it is returned again', () => {
    const again = reinstateTransfer(kept);
    expect(saved({}, again).unmatched?.after).toMatchObject({ source: { transferId: 'trf-1', reinstatements: 1 } });
    const before = unmatchedOf(again);
    expect(saved({ unmatched: before }, reinstateTransfer(back))).toEqual({ as: 'landed', unmatched: { before } });
    expect(apply({}, reinstateTransfer(back))).toEqual({ kind: 'ignored', as: 'landed' });
  });
});

describe('after the return of a transfer', () => {
  const kept = transferOf();
  const returned = paymentOf({ outcome: 'reversed', recordedAt: NOON });
  const is = (recorded: Partial<LandingState>, more: Partial<MoneyReport> = {}, money: ReportedMoney = kept) =>
    mayFollowReturn({ known: undefined, unmatched: undefined, ...recorded }, reportOf(money, more));
  const refund = { id: 'rfd-1', amount: naira(5_000) };

  test('a report that was asked for after the transfer was recorded concerns what came next', () => {
    expect(is({ known: returned })).toBe(true);
    expect(is({ known: returned }, { askedAt: NOON })).toBe(false);
    expect(is({ known: paymentOf() })).toBe(false);
    expect(is({})).toBe(false);
  });

  test('a report that was asked for after that of an unmatched return concerns what came next', () => {
    const unmatched = unmatchedOf(transferOf({ outcome: 'reversed' }));
    expect(is({ unmatched })).toBe(true);
    expect(is({ unmatched }, { askedAt: NOON })).toBe(false);
    expect(is({ unmatched: unmatchedOf(kept) })).toBe(false);
  });

  test('a report concerns the transfer itself where only refunds were reported, which look-ups do not show', () => {
    const refunded = { ...returned, refunds: [refund] };
    expect(is({ known: refunded })).toBe(false);
    expect(is({ known: { ...refunded, isReturnShown: true as const } })).toBe(true);
  });

  test('a refund that is new, and that the first payment was recorded with, concerns what came next', () => {
    expect(is({ known: returned }, { refund, askedAt: 0 })).toBe(true);
    expect(is({ known: { ...returned, refunds: [refund], isReturnShown: true as const } }, { refund })).toBe(false);
    expect(is({ known: { ...returned, leftOut: refund.amount } }, { refund })).toBe(false);
    expect(is({ known: paymentOf() }, { refund })).toBe(false);
    expect(is({ unmatched: unmatchedOf(transferOf({ outcome: 'reversed' })) }, { refund })).toBe(false);
  });

  test('a report of other money never concerns it', () => {
    expect(is({ known: returned }, {}, totalOf())).toBe(false);
    expect(is({ known: returned }, {}, rejectionOf())).toBe(false);
  });

  test('what came next stands since its payment was recorded, else since its unmatched report was asked for', () => {
    const unmatched = unmatchedOf(kept, { askedAt: NOON + MINUTE });
    expect(knownSince({ known: returned, unmatched })).toBe(NOON);
    expect(knownSince({ known: undefined, unmatched })).toBe(NOON + MINUTE);
    expect(knownSince({ known: undefined, unmatched: undefined })).toBe(0);
  });
});
