import { applyReport, paymentsToRead } from '#shared/payments/domain/landing/apply-report.ts';
import type { Landing, LandingOwner, LandingState } from '#shared/payments/domain/landing/landing.ts';
import { knownSince, mayFollowReturn } from '#shared/payments/domain/landing/reinstated.ts';
import type { UnmatchedPayment } from '#shared/payments/domain/unmatched-payment.ts';
import { HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import { type MoneyReport, type ReportedMoney, reinstateTransfer } from '#shared/providers/domain/report.ts';
import { BUSINESS, id, NOON, naira, paymentOf, pendingCheckout } from '#test/unit/api/examples.ts';
import { rejectionOf, totalOf, transferOf } from '#test/unit/payments/reported.ts';

/* Tests landing as a whole, without a table: a report is applied to all records of its money. */

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
const CONTEXT = { id: id('pay', 7), recordedAt: NOON + HOUR };

const reportOf = (money: ReportedMoney, more: Partial<MoneyReport> = {}): MoneyReport => ({
  provider: 'paystack',
  money,
  state: 'open',
  askedAt: NOON + HOUR,
  ...more,
});
const apply = (state: Partial<LandingState>, money: ReportedMoney, more: Partial<MoneyReport> = {}): Landing =>
  applyReport({ ...NOTHING, ...state }, reportOf(money, more), CONTEXT);

/** Returns the state after a landing on a checkout. */
const stateAfter = (landing: Landing): { owner: LandingOwner; known: LandingState['known'] } => {
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

describe('applying a report to a checkout', () => {
  const exact = transferOf({ payee });
  const returnedTransfer = transferOf({ payee, outcome: 'reversed' });

  test('marks the checkout as paid for an exact transfer', () => {
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

  test('changes nothing if the transfer is repeated', () => {
    const paid = stateAfter(apply({ owner: onCheckout }, exact));
    expect(apply(paid, exact)).toEqual({ kind: 'ignored', as: 'landed' });
  });

  test('adds a second transfer to the paid amount', () => {
    const { owner } = stateAfter(apply({ owner: onCheckout }, exact));
    const landing = apply({ owner }, transferOf({ payee, transferId: 'trf-2', amount: naira(100) }));
    expect(landing).toMatchObject({
      events: [{ type: 'checkout.overpaid' }],
      entries: { checkout: { after: { status: 'paid', paidAmount: naira(5_100) } } },
    });
  });

  test('takes a returned transfer out of the paid amount', () => {
    const landing = apply(stateAfter(apply({ owner: onCheckout }, exact)), returnedTransfer);
    expect(landing).toMatchObject({
      events: [{ type: 'checkout.payment_reversed' }],
      entries: { reversed: [{ outcome: 'reversed' }], checkout: { after: { status: 'pending', paidAmount: 0 } } },
    });
  });

  test('records as rejected a transfer that was returned before it counted', () => {
    expect(apply({ owner: onCheckout }, returnedTransfer)).toMatchObject({
      events: [{ type: 'checkout.payment_rejected' }],
      entries: { payment: { outcome: 'rejected' }, checkout: { after: { status: 'pending' } } },
    });
  });

  test('changes nothing if a returned transfer is kept after all', () => {
    const known = paymentOf({ outcome: 'reversed' });
    expect(apply({ owner: onCheckout, known }, exact)).toEqual({ kind: 'ignored', as: 'landed' });
  });

  test('reverses the newest part when a cumulative report falls', () => {
    const first = stateAfter(apply({ owner: onCheckout }, totalOf({ payee, kept: naira(3_000) })));
    const second = apply(first, totalOf({ payee, kept: naira(5_000) }));
    const { owner, known } = stateAfter(second);
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

  test('treats a cumulative report as stale if it may be older than the recorded total', () => {
    const { owner } = stateAfter(apply({ owner: onCheckout }, totalOf({ payee })));
    expect(apply({ owner }, totalOf({ payee, kept: naira(1_000) }), { askedAt: NOON })).toEqual({ kind: 'stale' });
  });

  test('records an empty cumulative report without an event', () => {
    const landing = apply({ owner: onCheckout }, totalOf({ payee, kept: naira(0) }));
    expect(landing).toMatchObject({ kind: 'posted', as: 'landed', isPartial: false, events: [] });
    expect(stateAfter(landing).owner).toMatchObject({ checkout: { totals: { [REFERENCE]: { kept: 0 } } } });
  });

  test('changes nothing for a refund that is already recorded', () => {
    const refund = { id: 'rfd-1', amount: naira(5_000) };
    const known = paymentOf({ mode: 'live', outcome: 'reversed', refunds: [refund] });
    expect(apply({ owner: onCheckout, known }, exact, { refund })).toEqual({ kind: 'ignored', as: 'landed' });
  });
});

describe('applying a report to an underpaid checkout', () => {
  const money = transferOf({ payee, amount: naira(3_000), asked: naira(5_000) });
  const refund = { id: 'rfd-1', amount: naira(1_000) };

  test('marks the checkout as paid if the provider calls its charge complete', () => {
    const landing = apply(stateAfter(apply({ owner: onCheckout }, money)), money, { state: 'complete' });
    expect(landing).toMatchObject({ events: [{ type: 'checkout.paid' }] });
  });

  test('marks the checkout as paid for a complete charge even after a partial refund, because the remainder counts', () => {
    const underpaid = stateAfter(apply({ owner: onCheckout }, money));
    const refunded = apply(underpaid, money, { refund });
    const { reversed: [known] = [], payment: remainder } = entriesOf(refunded) ?? {};
    const { owner } = stateAfter(refunded);
    const state = { owner, known, affected: remainder ? [remainder] : [] };
    expect(apply(state, money, { state: 'complete' })).toMatchObject({
      events: [{ type: 'checkout.paid' }],
      entries: { checkout: { after: { status: 'paid', paidAmount: naira(2_000) } } },
    });
  });
});

describe('applying a report for an owner that an operator chose', () => {
  const money = transferOf();

  test('lands the money on the chosen owner', () => {
    const assigned = { kind: 'checkout', reference: REFERENCE } as const;
    expect(apply({ owner: onCheckout, assigned }, money)).toMatchObject({ kind: 'posted', as: 'landed' });
  });

  test('lands no money that already belongs to another owner', () => {
    const assigned = { kind: 'checkout', reference: 'PAY-8J3MR0YX5N2ZC9V6SD4P' } as const;
    expect(apply({ owner: onCheckout, assigned }, money)).toEqual({ kind: 'ignored', as: 'other_owner' });
  });

  test('lands no money that was returned meanwhile', () => {
    const assigned = { kind: 'checkout', reference: REFERENCE } as const;
    const unmatched = unmatchedOf(transferOf({ outcome: 'reversed' }));
    expect(apply({ owner: onCheckout, assigned, unmatched }, money)).toEqual({ kind: 'ignored', as: 'unmatched' });
  });

  test('rejects a cumulative report for a virtual account', () => {
    const virtualAccount = { id: id('va'), mode: 'live', provider: 'paystack', businessId: BUSINESS.id } as never;
    const owner = { kind: 'virtual_account', business: BUSINESS, virtualAccount } as const;
    expect(paymentsToRead(owner, undefined, { money: totalOf() })).toEqual([]);
    expect(() => apply({ owner }, totalOf())).toThrow('A cumulative report is never for a virtual account.');
  });
});

describe('applying a report to money that was unmatched', () => {
  const total = totalOf({ payee });
  const source = { kind: 'cumulative_report', reference: REFERENCE } as const;

  test('replaces the unmatched entry by the payment of a transfer, under the same key', () => {
    const unmatched = unmatchedOf(transferOf({ payee }));
    const entries = entriesOf(apply({ owner: onCheckout, unmatched }, transferOf({ payee })));
    expect(entries).toHaveProperty('payment');
    expect(entries).not.toHaveProperty('unmatched');
  });

  test('deletes the unmatched entry in the transaction that lands a cumulative report', () => {
    const unmatched = unmatchedOf(total, { source });
    const entries = entriesOf(apply({ owner: onCheckout, unmatched }, total));
    expect(entries).toMatchObject({ payment: { amount: naira(5_000) }, unmatched: { before: unmatched } });
    expect(entries?.unmatched?.after).toBeUndefined();
  });

  test('deletes the unmatched entry of a total that counts already', () => {
    const { owner } = stateAfter(apply({ owner: onCheckout }, total));
    const unmatched = unmatchedOf(total, { source });
    expect(apply({ owner, unmatched }, total)).toEqual({
      kind: 'posted',
      as: 'landed',
      entries: { unmatched: { before: unmatched } },
      events: [],
      isPartial: false,
    });
  });

  test('keeps the unmatched entry while only a part of the report is recorded', () => {
    const unmatched = unmatchedOf(total, { source });
    const landing = apply({ owner: onCheckout, unmatched }, totalOf({ payee, returned: naira(200) }));
    expect(landing).toMatchObject({ kind: 'posted', isPartial: true });
    expect(entriesOf(landing)).not.toHaveProperty('unmatched');
  });

  test('treats a report as stale if it is older than the unmatched report of the same total', () => {
    const unmatched = unmatchedOf(total, { source, askedAt: NOON + 2 * HOUR });
    expect(apply({ owner: onCheckout, unmatched }, total)).toEqual({ kind: 'stale' });
  });

  test('keeps an unmatched total while its checkout has a newer report of it', () => {
    const { owner } = stateAfter(apply({ owner: onCheckout }, total));
    const unmatched = unmatchedOf(totalOf({ payee, kept: naira(1_000) }), { source });
    expect(apply({ owner, unmatched }, unmatched.money, { askedAt: NOON })).toEqual({ kind: 'stale' });
  });

  test('deletes an unmatched transfer of no amount, because no payment replaces it', () => {
    const nothing = transferOf({ payee, amount: naira(0) });
    const unmatched = unmatchedOf(nothing);
    const landing = apply({ owner: onCheckout, unmatched }, nothing);
    expect(landing).toMatchObject({ kind: 'posted', as: 'landed', events: [] });
    expect(entriesOf(landing)).toEqual({ unmatched: { before: unmatched } });
  });

  test('lands a returned transfer as returned, even if an older report says otherwise', () => {
    const unmatched = unmatchedOf(transferOf({ payee, outcome: 'reversed' }));
    expect(apply({ owner: onCheckout, unmatched }, transferOf({ payee }))).toMatchObject({
      kind: 'posted',
      entries: { payment: { outcome: 'rejected' } },
      events: [{ type: 'checkout.payment_rejected' }],
    });
  });
});

describe('applying a report of money without a known owner', () => {
  const kept = transferOf();
  const returnedTransfer = transferOf({ outcome: 'reversed' });
  const applyUnmatched = (state: Partial<LandingState>, money: ReportedMoney, more: Partial<MoneyReport> = {}) => {
    const landing = apply(state, money, more);
    return { as: landing.kind === 'stale' ? undefined : landing.as, unmatched: entriesOf(landing)?.unmatched };
  };

  test('saves the money as it was reported', () => {
    expect(apply({}, kept)).toEqual({
      kind: 'posted',
      as: 'unmatched',
      entries: {
        unmatched: {
          before: undefined,
          after: {
            id: CONTEXT.id,
            mode: 'live',
            provider: 'paystack',
            source: { kind: 'transfer', transferId: 'trf-1' },
            money: kept,
            state: 'open',
            askedAt: NOON + HOUR,
            recordedAt: CONTEXT.recordedAt,
            tries: 0,
          },
        },
      },
      events: [],
      isPartial: false,
    });
  });

  test('saves the same money only once', () => {
    expect(apply({ unmatched: unmatchedOf(kept) }, kept)).toEqual({ kind: 'ignored', as: 'unmatched' });
  });

  test('replaces an older report of a total by a newer one, and keeps its tries', () => {
    const source = { kind: 'cumulative_report', reference: REFERENCE } as const;
    const before = unmatchedOf(totalOf(), { source });
    const { unmatched } = applyUnmatched({ unmatched: before }, totalOf({ kept: naira(8_000) }), { state: 'complete' });
    const now = { money: { kept: naira(8_000) }, state: 'complete', askedAt: NOON + HOUR };
    expect(unmatched).toMatchObject({ before, after: { id: before.id, ...now, recordedAt: NOON, tries: 2 } });
  });

  test('starts matching again for returned money, with the newest known time', () => {
    const { unmatched } = applyUnmatched({ unmatched: unmatchedOf(kept) }, returnedTransfer, { askedAt: 0 });
    expect(unmatched?.after).toMatchObject({
      money: returnedTransfer,
      askedAt: NOON,
      recordedAt: CONTEXT.recordedAt,
      tries: 0,
    });
  });

  test('saves no refund, because the refund waits for its money', () => {
    const refund = { id: 'rfd-1', amount: naira(100) };
    expect(apply({}, kept, { refund })).toEqual({ kind: 'ignored', as: 'unmatched' });
  });

  test('saves a return under another provider’s reference only if its money was saved', () => {
    expect(apply({ isForeign: true }, returnedTransfer)).toEqual({ kind: 'ignored', as: 'foreign' });
    expect(applyUnmatched({ isForeign: true }, kept).as).toBe('unmatched');
    expect(
      applyUnmatched({ isForeign: true, unmatched: unmatchedOf(kept) }, returnedTransfer).unmatched?.after?.money,
    ).toBe(returnedTransfer);
    expect(apply({}, rejectionOf())).toMatchObject({ kind: 'posted', as: 'unmatched' });
  });

  test('saves a reinstated transfer, and deletes its entry when the transfer is returned again', () => {
    const again = reinstateTransfer(kept);
    expect(applyUnmatched({}, again).unmatched?.after).toMatchObject({
      source: { transferId: 'trf-1', reinstatements: 1 },
    });
    const before = unmatchedOf(again);
    expect(applyUnmatched({ unmatched: before }, reinstateTransfer(returnedTransfer))).toEqual({
      as: 'landed',
      unmatched: { before },
    });
    expect(apply({}, reinstateTransfer(returnedTransfer))).toEqual({ kind: 'ignored', as: 'landed' });
  });
});

describe('after the return of a transfer', () => {
  const kept = transferOf();
  const returned = paymentOf({ outcome: 'reversed', recordedAt: NOON });
  const mayFollow = (recorded: Partial<LandingState>, more: Partial<MoneyReport> = {}, money: ReportedMoney = kept) =>
    mayFollowReturn({ known: undefined, unmatched: undefined, ...recorded }, reportOf(money, more));
  const refund = { id: 'rfd-1', amount: naira(5_000) };

  test('a report that was asked for after the recording concerns the reinstated money', () => {
    expect(mayFollow({ known: returned })).toBe(true);
    expect(mayFollow({ known: returned }, { askedAt: NOON })).toBe(false);
    expect(mayFollow({ known: paymentOf() })).toBe(false);
    expect(mayFollow({})).toBe(false);
  });

  test('a report that was asked for after an unmatched return concerns the reinstated money', () => {
    const unmatched = unmatchedOf(transferOf({ outcome: 'reversed' }));
    expect(mayFollow({ unmatched })).toBe(true);
    expect(mayFollow({ unmatched }, { askedAt: NOON })).toBe(false);
    expect(mayFollow({ unmatched: unmatchedOf(kept) })).toBe(false);
  });

  test('a report concerns the transfer itself if only refunds were reported, because look-ups do not show refunds', () => {
    const refunded = { ...returned, refunds: [refund] };
    expect(mayFollow({ known: refunded })).toBe(false);
    expect(mayFollow({ known: { ...refunded, isReturnShown: true as const } })).toBe(true);
  });

  test('a new refund concerns the reinstated money if the first payment’s amount includes it', () => {
    expect(mayFollow({ known: returned }, { refund, askedAt: 0 })).toBe(true);
    expect(mayFollow({ known: { ...returned, refunds: [refund], isReturnShown: true as const } }, { refund })).toBe(
      false,
    );
    expect(mayFollow({ known: { ...returned, leftOut: refund.amount } }, { refund })).toBe(false);
    expect(mayFollow({ known: paymentOf() }, { refund })).toBe(false);
    expect(mayFollow({ unmatched: unmatchedOf(transferOf({ outcome: 'reversed' })) }, { refund })).toBe(false);
  });

  test('a report of other money never concerns the reinstated money', () => {
    expect(mayFollow({ known: returned }, {}, totalOf())).toBe(false);
    expect(mayFollow({ known: returned }, {}, rejectionOf())).toBe(false);
  });

  test('knownSince is the time when the payment was recorded, otherwise the time when the unmatched report was asked for', () => {
    const unmatched = unmatchedOf(kept, { askedAt: NOON + MINUTE });
    expect(knownSince({ known: returned, unmatched })).toBe(NOON);
    expect(knownSince({ known: undefined, unmatched })).toBe(NOON + MINUTE);
    expect(knownSince({ known: undefined, unmatched: undefined })).toBe(0);
  });
});
