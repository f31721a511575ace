import fc from 'fast-check';
import type { ShownAttempt } from '#shared/checkouts/domain/attempt.ts';
import {
  type Checkout,
  checkout as checkoutSchema,
  endAccountAtProvider,
  expireByTime,
  MAX_EMBEDDED_PAYMENTS,
} from '#shared/checkouts/domain/checkout.ts';
import { sharedPaymentFields } from '#shared/checkouts/domain/checkout-change.ts';
import { MAX_REVERSED_AT_ONCE } from '#shared/checkouts/domain/cumulative-report.ts';
import { paymentsToRead } from '#shared/payments/domain/landing/apply-report.ts';
import { type Payment, summarizePayment } from '#shared/payments/domain/payment.ts';
import { type Kobo, kobo } from '#shared/platform/kernel/money.ts';
import { HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import type {
  CumulativeReport,
  ReportedMoney,
  ReportedRejection,
  ReportedTransfer,
} from '#shared/providers/domain/report.ts';
import { longerTest, setRuns } from '#test/support/jest/long.ts';
import { BUSINESS, id, NOON, naira, pendingCheckout, SHOP, shownAttempt } from '#test/unit/api/examples.ts';
import {
  applyTo,
  type CheckoutBooks,
  checkoutBooks,
  expectAtMost,
  expectSame,
  sumAccepted,
  type Times,
} from './checkout-books.ts';

const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
const live = pendingCheckout({ mode: 'live' });
const ATTEMPT = shownAttempt();

const common = {
  providerReference: '1633565152-abc',
  asked: naira(5_000),
  fee: naira(50),
  paidAt: NOON + 3 * MINUTE,
  senderName: 'EZE CHIDI',
  senderBank: 'GTBank',
  payee: { by: 'our_reference', reference: REFERENCE },
} as const;
const transfer = (amount: number, changes: Partial<ReportedTransfer> = {}): ReportedTransfer => ({
  ...common,
  kind: 'transfer',
  transferId: 'trf-1',
  amount: naira(amount),
  outcome: 'accepted',
  ...changes,
});
const rejection = (
  amount: number,
  rejectionId: string,
  providerReference: string = common.providerReference,
): ReportedRejection => ({ ...common, kind: 'rejection', rejectionId, providerReference, amount: naira(amount) });
/** Builds a cumulative report. `kept`: naira that the provider keeps. `returned`: naira that the provider has returned in all. */
const total = (kept: number, returned = 0, changes: Partial<CumulativeReport> = {}): CumulativeReport => ({
  ...common,
  kind: 'cumulative_report',
  kept: naira(kept),
  returned: naira(returned),
  ...changes,
});
const totalOf = ({ totals }: Checkout) => totals[REFERENCE];

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);
/** Lands reports on a checkout, one each hour from noon on, and returns its books. */
const booksAfter = (...reported: readonly (ReportedMoney | 'complete')[]): CheckoutBooks & { reports: number } => {
  const books = checkoutBooks(live);
  for (const [hour, money] of reported.entries()) {
    if (money === 'complete') continue;
    const at = NOON + hour * HOUR;
    expect(books.land(money, { askedAt: at, complete: reported[hour + 1] === 'complete' })).not.toBe('stale');
  }
  return { ...books, reports: reported.length };
};
const describePayments = ({ payments }: Checkout): string[] =>
  payments.map(({ amount, outcome }) => `${amount / 100} ${outcome}`);

describe('money for a checkout', () => {
  test.each([
    ['has the merchant reference of its checkout', 'order-1', { merchantReference: 'order-1' }],
    ['has no merchant reference if its checkout has none', null, {}],
  ])('%s', (_, merchantReference, expected) => {
    const { mode, businessId, reference } = live;
    expect(sharedPaymentFields({ ...live, merchantReference })).toStrictEqual({
      ...{ mode, businessId, owner: { kind: 'checkout', reference } },
      ...expected,
    });
  });

  test('causes no fall of the total if it is returned before it counted, even twice', () => {
    const books = booksAfter(total(0, 1_000), total(0, 3_000));
    expect(totalOf(books.checkout())).toMatchObject({ kept: 0, returned: naira(3_000), falls: 0 });
  });

  test('gets reversed without reading further payments', () => {
    const answer = { provider: ATTEMPT.provider, askedAt: NOON, state: 'open' } as const;
    const context = { id: id('pay', 7), recordedAt: NOON };
    const landed = applyTo(live, {}, { ...answer, money: transfer(5_000) }, context);
    if (landed === 'stale' || !landed?.payment) throw new Error('The money did not land.');
    const { checkout, payment: known } = landed;
    const returned = transfer(5_000, { outcome: 'reversed' });
    const next = { ...context, id: id('pay', 8) };
    expect(applyTo(checkout, { known }, { ...answer, money: returned }, next)).toMatchObject({
      checkout: { status: 'pending', paidAmount: 0 },
      reversed: [{ id: known.id, outcome: 'reversed' }],
    });
  });

  test('gets recorded as the provider reports it', () => {
    const recordedAt = NOON + 5 * MINUTE;
    const report = { provider: 'paystack', askedAt: recordedAt, state: 'open', money: transfer(5_000) } as const;
    const step = applyTo(live, {}, report, { id: id('pay', 7), recordedAt });
    const { providerReference, fee, paidAt, senderName, senderBank } = common;
    expect(step).toMatchObject({
      payment: {
        id: id('pay', 7),
        recordedAt,
        mode: 'live',
        businessId: SHOP,
        provider: 'paystack',
        owner: { kind: 'checkout', reference: REFERENCE },
        origin: { kind: 'transfer', transferId: 'trf-1' },
        providerReference,
        fee,
        paidAt,
        senderName,
        senderBank,
        amount: naira(5_000),
        outcome: 'accepted',
        late: false,
      },
    });
  });

  /** Name; earlier reports; the report; its events; then, in naira, the status and sum of the checkout, and its payments. */
  type Row = readonly [string, readonly ReportedMoney[], ReportedMoney, readonly string[], string, string];
  const PAID = 'checkout.paid';
  const UNDERPAID = 'checkout.underpaid';
  const OVERPAID = 'checkout.overpaid';
  const REJECTED = 'checkout.payment_rejected';
  const REVERSED = 'checkout.payment_reversed';
  const returnedTransfer = transfer(5_000, { outcome: 'reversed' });
  const [first, second] = [transfer(5_000), transfer(100, { transferId: 'trf-2' })];
  const reinstated = transfer(5_000, { reinstatements: 1 });
  const grownTotals = [total(3_000), total(5_000)];
  const ROWS: readonly Row[] = [
    ['the whole amount', [], first, [PAID], 'paid 5000', '5000 accepted'],
    ['too little', [], transfer(4_999.99), [UNDERPAID], 'underpaid 4999.99', '4999.99 accepted'],
    ['too much', [], transfer(5_000.01), [PAID], 'paid 5000.01', '5000.01 accepted'],
    [
      'a second transfer after the checkout was paid',
      [first],
      second,
      [OVERPAID],
      'paid 5100',
      '100 accepted, 5000 accepted',
    ],
    ['a transfer that is recorded', [first], first, [], 'paid 5000', '5000 accepted'],
    ['a recorded transfer with another amount', [first], transfer(4_000), [], 'paid 5000', '5000 accepted'],
    ['a transfer of nothing', [], transfer(0), [], 'pending 0', ''],
    ['a rejection', [], rejection(4_000, 's1'), [REJECTED], 'pending 0', '4000 rejected'],
    ['a repeated rejection', [rejection(4_000, 's1')], rejection(4_000, 's1'), [], 'pending 0', '4000 rejected'],
    ['the return of a transfer', [first], returnedTransfer, [REVERSED], 'pending 0', '5000 reversed'],
    ['a repeated return', [first, returnedTransfer], returnedTransfer, [], 'pending 0', '5000 reversed'],
    ['a transfer after its return', [first, returnedTransfer], first, [], 'pending 0', '5000 reversed'],
    ['a return of money that was never reported', [], returnedTransfer, [REJECTED], 'pending 0', '5000 rejected'],
    [
      'a transfer after a return of money that was never reported',
      [returnedTransfer],
      first,
      [],
      'pending 0',
      '5000 rejected',
    ],
    [
      'a reinstated transfer that was assigned',
      [first, returnedTransfer],
      reinstated,
      [PAID],
      'paid 5000',
      '5000 accepted, 5000 reversed',
    ],
    ['a first total', [], total(3_000), [UNDERPAID], 'underpaid 3000', '3000 accepted'],
    ['a total that grew', [total(3_000)], total(5_000), [PAID], 'paid 5000', '2000 accepted, 3000 accepted'],
    [
      'a total that grew beyond the amount',
      [total(5_000)],
      total(6_500),
      [OVERPAID],
      'paid 6500',
      '1500 accepted, 5000 accepted',
    ],
    ['the same total', [total(3_000)], total(3_000), [], 'underpaid 3000', '3000 accepted'],
    [
      'a total that fell by a whole part',
      grownTotals,
      total(3_000),
      [REVERSED],
      'underpaid 3000',
      '2000 reversed, 3000 accepted',
    ],
    [
      'a total that fell by less than a part',
      grownTotals,
      total(4_000),
      [REVERSED],
      'underpaid 4000',
      '1000 accepted, 2000 reversed, 3000 accepted',
    ],
    [
      'a total that fell by the second part and some of the first',
      grownTotals,
      total(1_000),
      [REVERSED],
      'underpaid 1000',
      '1000 accepted, 2000 reversed, 3000 reversed',
    ],
    [
      'a total that fell to what was asked for',
      [total(7_000)],
      total(5_000),
      [REVERSED],
      'paid 5000',
      '5000 accepted, 7000 reversed',
    ],
    ['the return of a total', grownTotals, total(0, 5_000), [REVERSED], 'pending 0', '2000 reversed, 3000 reversed'],
    ['the return of an underpaid total', [total(3_000)], total(0, 3_000), [REVERSED], 'pending 0', '3000 reversed'],
    ['the return of a total that was never reported', [], total(0, 5_000), [REJECTED], 'pending 0', '5000 rejected'],
    [
      'a total with some money returned',
      [],
      total(5_000, 700),
      [PAID, REJECTED],
      'paid 5000',
      '700 rejected, 5000 accepted',
    ],
    [
      'a total that fell, and more was returned',
      [total(5_000)],
      total(4_000, 1_700),
      [REVERSED, REJECTED],
      'underpaid 4000',
      '700 rejected, 4000 accepted, 5000 reversed',
    ],
    [
      'a total that fell twice',
      [total(7_000), total(5_000), total(6_500)],
      total(5_000, 3_500),
      [REVERSED],
      'paid 5000',
      '1500 reversed, 5000 accepted, 7000 reversed',
    ],
  ];
  test.each(ROWS)(
    'has its events, and changes the checkout and its payments: %s',
    (_, before, money, events, state, payments) => {
      const books = booksAfter(...before);
      const earlier = books.announced().length;
      books.land(money, { askedAt: NOON + books.reports * HOUR });
      expect(books.announced().slice(earlier)).toEqual(events);
      const { status, paidAmount } = books.checkout();
      expect([`${status} ${paidAmount / 100}`, describePayments(books.checkout()).join(', ')]).toEqual([
        state,
        payments,
      ]);
      expect(checkoutSchema.parse(books.checkout())).toEqual(books.checkout());
    },
  );

  test('counts even if it is late: its time of payment is after the expiry', () => {
    const expired = { ...live, status: 'expired', version: 2 } as const;
    const books = checkoutBooks(expired);
    books.land(transfer(5_000, { paidAt: ATTEMPT.expiresAt + 1 }), { askedAt: NOON });
    books.land(transfer(5_000, { transferId: 'trf-2', paidAt: ATTEMPT.expiresAt }), { askedAt: NOON });
    const payments = [{ late: false }, { late: true }];
    expect(books.checkout()).toMatchObject({ status: 'paid', senderName: 'EZE CHIDI', payments });
  });

  test('makes a checkout paid below its amount if the provider calls the charge complete', () => {
    expect(booksAfter(total(4_000), 'complete').checkout()).toMatchObject({ status: 'paid', paidAmount: naira(4_000) });
  });

  describe.each([
    ['a transfer', transfer],
    ['a total', total],
  ] as const)('reported as %s of a complete charge', (_, money) => {
    type Charge = Partial<Pick<CumulativeReport, 'payee' | 'asked'>>;
    const landComplete = (charge: Charge, again = false, attempt: Partial<ShownAttempt> = {}) => {
      const books = checkoutBooks(pendingCheckout({ mode: 'live' }, attempt));
      const reported: ReportedMoney = { ...money(50), ...charge };
      if (again) books.land(reported, { askedAt: NOON });
      books.land(reported, { askedAt: NOON + HOUR, complete: true });
      return books.checkout();
    };
    const paidTo = (reference: string) => ({ payee: { by: 'our_reference', reference } as const });
    const PAID_BELOW = { status: 'paid', paidAmount: naira(50) };
    const UNDERPAID_SUM = { status: 'underpaid', paidAmount: naira(50) };

    test.each([
      ['its amount', { asked: naira(5_000) }, PAID_BELOW],
      ['more', { asked: naira(5_075) }, PAID_BELOW],
      ['less', { asked: naira(4_999.99) }, UNDERPAID_SUM],
      ['the paid amount', { asked: naira(50) }, UNDERPAID_SUM],
      ['nothing', { asked: naira(0) }, UNDERPAID_SUM],
      ['an unknown amount', { asked: undefined }, UNDERPAID_SUM],
    ])('makes the checkout paid below its amount only if the charge asked for that amount: %s', (__, charge, state) => {
      for (const again of [false, true]) expect(landComplete(charge, again)).toMatchObject(state);
    });

    test.each([
      ['its own', REFERENCE, PAID_BELOW],
      ['a reference that it never used', `${REFERENCE}-2`, UNDERPAID_SUM],
      ['another checkout’s', 'PAY-AAAAAAAAAAAAAAAAAAAA', UNDERPAID_SUM],
    ])('makes the checkout paid only under a reference of its own: %s', (__, reference, state) => {
      for (const again of [false, true]) expect(landComplete(paidTo(reference), again)).toMatchObject(state);
    });

    test.each([REFERENCE, `${REFERENCE}-2`])(
      'makes the checkout paid under each reference that it used: %s',
      (reference) => {
        expect(landComplete(paidTo(reference), false, { reference: `${REFERENCE}-2` })).toMatchObject(PAID_BELOW);
      },
    );

    test('makes a checkout paid with a charge for its amount, even if it asks its payer for more', () => {
      expect(landComplete({}, false, { amountToPay: naira(5_053.75) })).toMatchObject(PAID_BELOW);
    });
  });

  test.each<[string, ReportedMoney]>([
    ['a transfer', transfer(0, { transferId: 'trf-2' })],
    ['a total', total(0, 0, { payee: { by: 'our_reference', reference: `${REFERENCE}-2` } })],
  ])('does not make an underpaid checkout paid if it has no amount: %s', (_, nothing) => {
    const books = checkoutBooks(pendingCheckout({ mode: 'live' }, { reference: `${REFERENCE}-2` }));
    books.land(total(3_000), { askedAt: NOON });
    books.land(nothing, { askedAt: NOON + HOUR, complete: true });
    expect(books.checkout()).toMatchObject({ status: 'underpaid', paidAmount: naira(3_000) });
  });

  test('makes no checkout paid if it names an account number instead of a reference', () => {
    const books = checkoutBooks(live);
    const payee = { by: 'account_number', accountNumber: ATTEMPT.account.accountNumber } as const;
    books.land(transfer(50, { payee }), { askedAt: NOON, complete: true });
    expect(books.checkout()).toMatchObject({ status: 'underpaid', paidAmount: naira(50) });
  });

  longerTest('never makes a checkout paid below its amount through charges of strangers', () => {
    const anyMoney = fc.record({
      kept: fc.integer({ min: 1, max: 6_000 }),
      asked: fc.option(fc.integer({ min: 0, max: 6_000 }), { nil: undefined }),
      reference: fc.constantFrom(REFERENCE, `${REFERENCE}-2`, `${REFERENCE}-9`, 'PAY-AAAAAAAAAAAAAAAAAAAA'),
      isTotal: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(anyMoney, { minLength: 1, maxLength: 6 }), (all) => {
        const books = checkoutBooks(live);
        for (const [i, { kept, asked, reference, isTotal }] of all.entries()) {
          const payee = { by: 'our_reference', reference } as const;
          const charge = { payee, asked: asked === undefined ? undefined : naira(asked) };
          const isOwn = reference === REFERENCE && asked !== undefined && asked >= 5_000;
          if (isOwn) continue;
          const money = isTotal ? total(kept, 0, charge) : transfer(kept, { ...charge, transferId: `trf-${i}` });
          books.land(money, { askedAt: NOON + i * HOUR, complete: true });
          const { status, paidAmount, amount } = books.checkout();
          expectSame(status === 'paid', paidAmount >= amount);
        }
      }),
      setRuns(300),
    );
  });

  test('makes a checkout paid if the provider later calls the recorded money complete', () => {
    for (const [first, again] of [
      [total(3_000), total(3_000)],
      [transfer(3_000), transfer(3_000)],
    ] as const) {
      const books = booksAfter(first, again, 'complete');
      expect(books.checkout()).toMatchObject({ status: 'paid', paidAmount: naira(3_000) });
      expect(books.announced()).toEqual(['checkout.underpaid', 'checkout.paid']);
    }
    expect(booksAfter(rejection(3_000, 's1'), rejection(3_000, 's1'), 'complete').checkout().status).toBe('pending');
    // A reversed transfer completes nothing, even beside other money, and even if it is reported as accepted after all.
    const reversed = transfer(1_000, { transferId: 'trf-2', outcome: 'reversed' });
    const accepted = transfer(1_000, { transferId: 'trf-2' });
    for (const last of [reversed, accepted]) {
      const books = booksAfter(transfer(3_000), accepted, reversed, last, 'complete');
      expect(books.checkout()).toMatchObject({ status: 'underpaid', paidAmount: naira(3_000) });
    }
  });

  test.each([
    ['the provider’s time', NOON + MINUTE, NOON + MINUTE],
    ['the time of the report if the provider names none', null, NOON + HOUR],
  ])('sets the sender and the time of payment when it completes a checkout: %s', (_, reportedAt, paidAt) => {
    const again = { paidAt: reportedAt, senderName: 'BELLO MUSA', senderBank: 'Access Bank' };
    const books = booksAfter(total(3_000), total(3_000, 0, again), 'complete');
    expect(books.checkout()).toMatchObject({ status: 'paid', ...again, paidAt });
  });

  test('takes its time of payment from our clock if the provider reports none, and is never late', () => {
    const books = checkoutBooks({ ...live, status: 'expired', version: 2 });
    const at = ATTEMPT.expiresAt + HOUR;
    books.land(transfer(5_000, { paidAt: null }), { askedAt: at });
    expect(books.checkout()).toMatchObject({ paidAt: at, payments: [{ paidAt: at, late: false }] });
  });
});

describe('a checkout with more payments than it shows', () => {
  /** Lands a part of a total, and then a number of rejections. */
  const booksWithRejections = (rejections: number): CheckoutBooks & { reports: number } =>
    booksAfter(total(3_000), ...Array.from({ length: rejections }, (_, n) => rejection(100, `s${n}`)));
  const AT = NOON + 100 * HOUR;

  test('reverses its only part after twenty rejections when all money is returned', () => {
    const books = booksWithRejections(MAX_EMBEDDED_PAYMENTS);
    expect(books.checkout().payments.filter(({ outcome }) => outcome === 'accepted')).toEqual([]);
    const reversed = [{ amount: naira(3_000), outcome: 'reversed' }];
    const steps = books.land(total(0, 3_000), { askedAt: AT });
    expect(steps).toMatchObject([{ announce: 'checkout.payment_reversed', reversed }]);
    expect(books.checkout()).toMatchObject({ status: 'pending', paidAmount: 0 });
    expect(sumAccepted(books.payments.values())).toBe(0);
  });

  test.each([MAX_EMBEDDED_PAYMENTS - 1, MAX_EMBEDDED_PAYMENTS])(
    'follows a total that grows, falls in part and falls to nothing, after %i rejections',
    (rejections) => {
      const books = booksWithRejections(rejections);
      for (const [hour, kept] of [5_000, 1_000, 4_000, 0].entries()) {
        books.land(total(kept, kept === 0 ? 9_000 : 0), { askedAt: AT + hour * HOUR });
        expect(books.checkout().paidAmount).toBe(naira(kept));
      }
      const amounts = [...books.payments.values()].flatMap(({ amount, outcome }) =>
        outcome === 'reversed' ? amount / 100 : [],
      );
      expect(amounts).toEqual([3_000, 2_000, 1_000, 3_000]);
    },
  );

  test.each([MAX_EMBEDDED_PAYMENTS - 1, MAX_EMBEDDED_PAYMENTS])(
    'gives a new part the growth of the total’s fee, after %i rejections',
    (rejections) => {
      const books = booksWithRejections(rejections);
      const [step] = books.land(total(5_000, 0, { fee: naira(80) }), { askedAt: AT }) as { payment?: Payment }[];
      expect(step?.payment?.fee).toBe(naira(30));
    },
  );

  test('records the remainder of a hidden part as another payment by the same payer', () => {
    const books = booksWithRejections(MAX_EMBEDDED_PAYMENTS);
    books.land(total(1_000, 0, { senderName: 'SOMEBODY ELSE', paidAt: AT }), { askedAt: AT });
    expect(books.newest()[0]).toMatchObject({
      amount: naira(1_000),
      senderName: 'EZE CHIDI',
      paidAt: common.paidAt,
      origin: { kind: 'part', reference: REFERENCE, reached: naira(1_000), falls: 1 },
    });
  });

  test('needs to read only the payments that are reversed', () => {
    const many = booksWithRejections(MAX_EMBEDDED_PAYMENTS);
    const origin = { kind: 'part', reference: REFERENCE, reached: naira(3_000), falls: 0 };
    const owner = { kind: 'checkout', business: BUSINESS, checkout: many.checkout() } as const;
    expect(paymentsToRead(owner, undefined, { money: total(1_000) })).toEqual([origin]);
    for (const money of [total(3_000), total(4_000), total(3_000, 500), transfer(100)]) {
      expect(paymentsToRead(owner, undefined, { money })).toEqual([]);
    }
    expect(() => {
      const report = { provider: 'paystack', askedAt: AT, state: 'open', money: total(1_000) } as const;
      applyTo(many.checkout(), {}, report, { id: id('pay', 99), recordedAt: AT });
    }).toThrow('was not read');
  });

  describe('a total with more parts than one transaction can reverse', () => {
    const PARTS = 2 * MAX_REVERSED_AT_ONCE + 5;
    const booksWithManyParts = (): CheckoutBooks => {
      const books = checkoutBooks(live);
      for (let n = 1; n <= PARTS; n += 1) books.land(total(n * 10), { askedAt: NOON + n * SECOND });
      return books;
    };
    const sums = (books: CheckoutBooks): number[] =>
      books.steps.slice(PARTS).map(({ checkout }) => checkout.paidAmount / 100);

    test('reverses all parts in steps, and each step is consistent', () => {
      const books = booksWithManyParts();
      const steps = books.land(total(0, PARTS * 10), { askedAt: AT });
      expect(steps).toMatchObject([{ isPartial: true }, { isPartial: true }, { isPartial: false }]);
      expect(sums(books)).toEqual([PARTS * 10 - 400, 50, 0]);
      expect(sumAccepted(books.payments.values())).toBe(0);
      expect(totalOf(books.checkout())).toMatchObject({ kept: 0, returned: naira(PARTS * 10), credits: [] });
      expect(books.land(total(0, PARTS * 10), { askedAt: AT + HOUR })).toEqual([]);
    });

    /** Returns the books after a crash that followed the first step of a fall. */
    const crashAfterFirstStep = (money: CumulativeReport): CheckoutBooks => {
      const books = booksWithManyParts();
      expect(books.land(money, { askedAt: AT }, 1)).toMatchObject([{ isPartial: true }]);
      return books;
    };

    test.each([
      ['the same report at once', total(0, 850), 0, 0],
      ['a newer report of the same sums', total(0, 850), HOUR, 0],
      ['a report of new money', total(300, 850), HOUR, 300],
    ])('completes the fall after a crash between two steps with %s', (_, money, later, sum) => {
      const books = crashAfterFirstStep(total(0, 850));
      expect(books.checkout().paidAmount).toBe(naira(450));
      books.land(money, { askedAt: AT + later });
      expect(books.checkout().paidAmount).toBe(naira(sum));
      expect(sumAccepted(books.payments.values())).toBe(naira(sum));
    });

    test('ignores an older report after a crash between two steps', () => {
      const books = crashAfterFirstStep(total(0, 850));
      expect(books.land(total(850), { askedAt: AT - MINUTE })).toBe('stale');
      expect(books.checkout().paidAmount).toBe(naira(450));
    });

    test('keeps its sum equal to its accepted payments at every step, through rises, falls and crashes in any order', () => {
      let [most, crashes] = [0, 0];
      const anyChange = fc.record({
        rises: fc.integer({ min: 0, max: PARTS }),
        // Percent of the money that the provider keeps at that time.
        falls: fc.integer({ min: 0, max: 100 }),
        stepsBeforeCrash: fc.constantFrom(1, 2, Number.POSITIVE_INFINITY),
      });
      fc.assert(
        fc.property(fc.array(anyChange, { minLength: 1, maxLength: 4 }), (changes) => {
          const books = checkoutBooks(live);
          let [minute, kept, returned] = [0, 0, 0];
          const land = (steps?: number) => {
            minute += 1;
            return books.land(total(kept, returned), { askedAt: NOON + minute * MINUTE }, steps);
          };
          for (const { rises, falls, stepsBeforeCrash } of changes) {
            for (let rise = 1; rise <= rises; rise += 1) {
              kept += 10;
              land();
            }
            most = Math.max(most, totalOf(books.checkout())?.credits.length ?? 0);
            const back = Math.floor((kept * falls) / 100);
            [kept, returned] = [kept - back, returned + back];
            if (kept + returned === 0) continue;
            const steps = land(stepsBeforeCrash);
            if (steps !== 'stale' && steps.at(-1)?.isPartial) crashes += 1;
            expectAtMost(naira(kept), books.checkout().paidAmount);
            if (stepsBeforeCrash === 2) continue;
            // The next report completes the fall.
            land();
            expectSame(books.checkout().paidAmount, naira(kept));
            expectSame(sumAccepted(books.payments.values()), naira(kept));
          }
          land();
          expectSame(books.checkout().paidAmount, naira(kept));
        }),
        { numRuns: 150 },
      );
      expect(most).toBeGreaterThan(2 * MAX_REVERSED_AT_ONCE);
      expect(crashes).toBeGreaterThan(0);
    });

    test('leaves a remainder with the last step of a partial fall', () => {
      const books = booksWithManyParts();
      books.land(total(45), { askedAt: AT });
      expect(sums(books)).toEqual([PARTS * 10 - 400, 50, 45]);
      expect(books.checkout().payments[0]).toMatchObject({ amount: naira(5), outcome: 'accepted' });
    });
  });
});

describe('a total that fell', () => {
  const AT = NOON + HOUR;
  /** Lands a total that is 2,000 naira above the amount. `overpayAndFall` also lands its fall to the amount, an hour later. */
  const overpay = () => booksAfter(total(7_000));
  const overpayAndFall = () => booksAfter(total(7_000), total(5_000));

  test('leaves a remainder by the same payer with the same booking time', () => {
    const books = overpay();
    const [before] = books.newest();
    books.land(total(5_000, 0, { paidAt: AT, senderName: 'SOMEBODY ELSE' }), { askedAt: AT });
    const [remainder, reversed] = books.newest();
    expect(reversed).toEqual({ ...before, outcome: 'reversed', kept: naira(5_000) });
    expect(remainder).toEqual({
      ...before,
      id: remainder?.id,
      recordedAt: AT,
      restFrom: before?.recordedAt,
      amount: naira(5_000),
      origin: { kind: 'part', reference: REFERENCE, reached: naira(5_000), falls: 1 },
    });
  });

  test('leaves a checkout paid below its amount if the provider calls the remainder complete', () => {
    const books = overpay();
    books.land(total(4_000), { askedAt: AT, complete: true });
    expect(books.announced()).toEqual(['checkout.paid', 'checkout.payment_reversed']);
    expect(books.checkout()).toMatchObject({ status: 'paid', paidAmount: naira(4_000) });
  });

  test('leaves a checkout underpaid if the charge asked for less than its amount, even if the provider calls the charge complete', () => {
    const books = overpay();
    books.land(total(4_000, 0, { asked: naira(4_000) }), { askedAt: AT, complete: true });
    expect(books.checkout()).toMatchObject({ status: 'underpaid', paidAmount: naira(4_000) });
  });

  test('leaves a checkout pending if all money was returned, even if the provider calls the charge complete', () => {
    const books = overpay();
    books.land(total(0, 7_000), { askedAt: AT, complete: true });
    expect(books.checkout().status).toBe('pending');
  });

  test('rises only by a report that was asked for at least 30 seconds after the fall', () => {
    const books = overpayAndFall();
    expect(books.land(total(7_000), { askedAt: AT + 29 * SECOND })).toBe('stale');
    books.land(total(7_000), { askedAt: AT + 30 * SECOND });
    expect(books.announced().at(-1)).toBe('checkout.overpaid');
    expect(books.newest()[0]).toMatchObject({ amount: naira(2_000), origin: { reached: naira(7_000), falls: 1 } });
  });

  test('counts again with the same amount after all of it was returned', () => {
    const books = booksAfter(total(5_000), total(0, 5_000), total(5_000));
    expect(books.announced()).toEqual(['checkout.paid', 'checkout.payment_reversed', 'checkout.paid']);
  });

  test('announces a return before the first report once, and ignores older reports', () => {
    const books = booksAfter(total(0, 7_000));
    expect(books.land(total(0, 7_000), { askedAt: AT })).toEqual([]);
    expect(books.land(total(7_000), { askedAt: NOON - 1 })).toBe('stale');
    // A new payment of the same amount counts, beside the returned money.
    books.land(total(7_000, 7_000), { askedAt: AT });
    expect(books.announced()).toEqual(['checkout.payment_rejected', 'checkout.paid']);
  });

  test('ignores a report that was asked for between two look-ups that showed a rise', () => {
    const books = overpay();
    books.land(total(7_000, 1_000), { askedAt: AT });
    expect(books.land(total(8_000), { askedAt: AT - MINUTE })).toBe('stale');
  });

  test('records an empty report without an event, and then ignores older reports', () => {
    const books = checkoutBooks(live);
    const [step] = books.land(total(0), { askedAt: AT });
    expect(step).toEqual({
      checkout: { ...live, totals: books.checkout().totals, revision: 2 },
      announce: null,
      isPartial: false,
    });
    expect(books.land(total(7_000), { askedAt: AT - 1 })).toBe('stale');
    expect(books.land(total(0), { askedAt: AT + HOUR })).toEqual([]);
  });

  test('announces only the new part of returned money that never counted', () => {
    const books = booksAfter(total(0, 2_000), total(0, 5_000), total(0, 6_000));
    expect(describePayments(books.checkout())).toEqual(['1000 rejected', '3000 rejected', '2000 rejected']);
    expect(books.newest().map(({ origin }) => origin)).toMatchObject(
      [6_000, 5_000, 2_000].map((returned) => ({ kind: 'returned', returned: naira(returned) })),
    );
  });

  test('splits its fee among its parts; returned money has the fee only if the provider keeps nothing', () => {
    const fee = (amount: number) => ({ fee: naira(amount) });
    const books = booksAfter(total(3_000, 0, fee(45)), total(5_000, 0, fee(75)), total(6_000, 500, fee(60)));
    expect(books.checkout().payments.map((payment) => payment.fee)).toEqual([0, 0, naira(30), naira(45)]);
    expect(booksAfter(total(0, 500, fee(60))).checkout().payments[0]?.fee).toBe(naira(60));
  });

  test('announces a return only if it exceeds the announced returns', () => {
    for (const [returned, events] of [
      [1_500, []],
      [2_000, []],
      [2_500, ['checkout.payment_rejected']],
    ] as const) {
      const books = overpayAndFall();
      const earlier = books.announced().length;
      books.land(total(5_000, returned), { askedAt: AT + HOUR });
      expect(books.announced().slice(earlier)).toEqual(events);
    }
  });

  test('announces one reversal if all money is returned, with more that never counted', () => {
    const books = overpayAndFall();
    books.land(total(0, 9_000), { askedAt: AT + HOUR });
    expect(books.announced().slice(2)).toEqual(['checkout.payment_reversed']);
    expect(totalOf(books.checkout())).toMatchObject({ kept: 0, returned: naira(9_000) });
  });
});

describe('money that never counted and is reported twice as returned', () => {
  /* Paystack's rejection in a notification, and the same transaction in a look-up. */
  const rejected = rejection(4_000, 'rejected-400000', '3103');
  const reversed = transfer(4_000, { transferId: '3103', providerReference: REFERENCE, outcome: 'reversed' });
  const [s1, s2] = [rejection(4_000, 's1'), rejection(4_000, 's2')];

  /** Lands reports an hour apart. Returns the amounts that were announced as rejected, in naira. */
  const landRejections = (reports: readonly ReportedMoney[]) => {
    const books = booksAfter(...reports);
    const amounts = books.steps.flatMap(({ announce, payment }) =>
      announce === 'checkout.payment_rejected' && payment ? [payment.amount / 100] : [],
    );
    return { amounts, books };
  };

  const ROWS: readonly (readonly [string, readonly ReportedMoney[], readonly number[]])[] = [
    ['rejected, then reversed', [s1, total(0, 4_000)], [4_000]],
    ['reversed, then rejected', [total(0, 4_000), s1], [4_000]],
    ['rejected, then reversed, at Paystack', [rejected, reversed], [4_000]],
    ['reversed, then rejected, at Paystack', [reversed, rejected], [4_000]],
    ['two rejections of one amount after the reversal of one', [total(0, 4_000), s1, s2], [4_000, 4_000]],
    ['two rejections of one amount before the reversal of one', [s1, s2, total(0, 4_000)], [4_000, 4_000]],
    ['two rejections of one amount, and both are reversed', [s1, s2, total(0, 4_000), total(0, 8_000)], [4_000, 4_000]],
    ['another amount that was reversed', [s1, total(0, 5_000)], [4_000, 5_000]],
    ['another amount that was rejected', [total(0, 5_000), s1], [5_000, 4_000]],
    ['another transaction', [rejection(4_000, 's1', 'other'), total(0, 4_000)], [4_000, 4_000]],
    ['money that counted and was reversed', [total(5_000), total(0, 5_000), rejection(5_000, 's1')], [5_000]],
  ];
  test.each(ROWS)('has one event for each real return: %s', (_, reports, amounts) => {
    expect(landRejections(reports).amounts).toEqual(amounts);
    const { books } = landRejections(reports);
    const before = books.checkout();
    for (const money of reports) books.land(money, { askedAt: NOON });
    expect(books.checkout()).toEqual(before);
  });

  test.each<[string, ReportedMoney, string]>([
    ['a notification', rejection(4_000, 's1'), 'notification'],
    ['a look-up of a total', total(0, 4_000), 'look_up'],
    ['a look-up of a transfer', transfer(4_000, { outcome: 'reversed' }), 'look_up'],
  ])('stays noted as reported by %s until the other report comes', (_, money, reportedBy) => {
    expect(landRejections([money]).books.checkout().announcedReturns).toMatchObject([{ reportedBy, times: 1 }]);
  });

  test('has a second payment for the second report, which the checkout does not show', () => {
    const { books } = landRejections([rejection(4_000, 's1'), total(0, 4_000)]);
    expect(books.payments.size).toBe(2);
    expect(describePayments(books.checkout())).toEqual(['4000 rejected']);
    expect(books.checkout().announcedReturns).toEqual([]);
  });

  test('pairs both reports even after more payments than a checkout shows', () => {
    const others = Array.from({ length: MAX_EMBEDDED_PAYMENTS }, (_, n) => rejection(100, `o${n}`, 'other'));
    const { amounts } = landRejections([rejection(4_000, 's1'), ...others, total(0, 4_000)]);
    expect(amounts).toEqual([4_000, ...others.map(() => 100)]);
  });

  longerTest(
    'has events of exactly the returned sum, in any order of rejections and reversals, lost or repeated',
    () => {
      const anyTransfer = fc.record({
        amount: fc.integer({ min: 1, max: 3 }),
        rejected: fc.integer({ min: 0, max: 2 }),
      });
      const histories = fc
        .array(anyTransfer, { minLength: 1, maxLength: 12 })
        .chain((transfers) => fc.tuple(fc.constant(transfers), fc.array(fc.nat(), { minLength: 90, maxLength: 90 })));
      fc.assert(
        fc.property(histories, ([transfers, draws]) => {
          const rejections = transfers.flatMap(({ amount, rejected }, i) =>
            Array.from({ length: rejected }, () => rejection(amount * 1_000, `s${i}`)),
          );
          // Look-ups come in their order, some more than once. Rejections come at any time between them.
          const thousandsOf = (part: typeof transfers) => sumOf(part.map(({ amount }) => amount * 1_000));
          const reports: ReportedMoney[] = transfers.map((_, i) => total(0, thousandsOf(transfers.slice(0, i + 1))));
          for (const [i, money] of rejections.entries())
            reports.splice((draws[i] ?? 0) % (reports.length + 1), 0, money);
          const { amounts, books } = landRejections(reports);
          expectSame(sumOf(amounts), thousandsOf(transfers));
          expect(books.checkout()).toMatchObject({ status: 'pending', paidAmount: 0 });
        }),
        setRuns(2_000),
      );
    },
  );
});

describe('any order of reports', () => {
  type Command =
    | { readonly kind: 'transfer'; readonly n: number; readonly outcome: ReportedTransfer['outcome'] }
    | { readonly kind: 'rejection'; readonly n: number }
    | { readonly kind: 'total'; readonly kept: Kobo; readonly returned: Kobo }
    | { readonly kind: 'account_ended' }
    | { readonly kind: 'time'; readonly hours: number };
  const thousands = (max: number) => fc.integer({ min: 0, max }).map((amount) => kobo.parse(amount * 100_000));
  const outcome = fc.constantFrom('accepted' as const, 'accepted', 'reversed');
  const kind = <K extends Command['kind']>(name: K) => fc.constant(name);
  const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });
  const anyCommand: fc.Arbitrary<Command> = fc.oneof(
    weighted(4, fc.record({ kind: kind('transfer'), n: fc.integer({ min: 1, max: 4 }), outcome })),
    weighted(5, fc.record({ kind: kind('total'), kept: thousands(12), returned: thousands(4) })),
    weighted(3, fc.record({ kind: kind('rejection'), n: fc.integer({ min: 1, max: 60 }) })),
    weighted(1, fc.record({ kind: kind('account_ended') })),
    weighted(1, fc.record({ kind: kind('time'), hours: fc.integer({ min: 0, max: 3 }) })),
  );
  // Few commands find the smallest failure soon. Many commands create far more payments than a checkout shows.
  const anyCommands = fc.oneof(
    { weight: 9, arbitrary: fc.array(anyCommand, { maxLength: 10 }) },
    { weight: 1, arbitrary: fc.array(anyCommand, { minLength: 25, maxLength: 90 }) },
  );

  /** Builds a rejection: an even `n` belongs to the transaction of the total, an odd one to a transaction that is reported as a transfer. */
  const rejectionOf = (n: number): ReportedRejection =>
    rejection(Math.ceil(n / 2) * 1_000, `s${n}`, n % 2 === 0 ? common.providerReference : `trf-${Math.ceil(n / 2)}`);
  const buildMoney = (command: Extract<Command, { kind: 'transfer' | 'rejection' | 'total' }>): ReportedMoney => {
    if (command.kind === 'rejection') return rejectionOf(command.n);
    return command.kind === 'transfer'
      ? transfer(command.n * 1_000, { transferId: `trf-${command.n}`, outcome: command.outcome })
      : total(0, 0, { kept: command.kept, returned: command.returned });
  };
  /** Runs the commands an hour apart, and checks after each. */
  const run = (
    commands: readonly Command[],
    check: (books: CheckoutBooks, command: Command, before: { steps: number; payments: Map<string, Payment> }) => void,
    begin = checkoutBooks(live),
  ): void => {
    for (const [n, command] of commands.entries()) {
      const before = { steps: begin.steps.length, payments: new Map(begin.payments) };
      if (command.kind === 'account_ended')
        begin.change(endAccountAtProvider(begin.checkout(), shownAttempt(begin.checkout()).reference, NOON + n * HOUR));
      else if (command.kind === 'time') {
        const { createdAt } = begin.checkout();
        begin.change(
          expireByTime(begin.checkout(), createdAt + command.hours * HOUR, shownAttempt(begin.checkout()).reference),
        );
      } else expectSame(begin.land(buildMoney(command), { askedAt: NOON + (n + 1) * HOUR }) === 'stale', false);
      check(begin, command, before);
    }
  };

  longerTest(
    'keeps the sum equal to the accepted payments and never below zero, and changes no recorded payment',
    () => {
      let most = 0;
      fc.assert(
        fc.property(anyCommands, (commands) => {
          let keptTotal = 0;
          run(commands, ({ checkout, payments }, command, before) => {
            if (command.kind === 'total') keptTotal = command.kept;
            expectSame(checkout().paidAmount, sumAccepted(payments.values()));
            expectAtMost(0, checkout().paidAmount);
            expectSame(sumAccepted([...payments.values()].filter(({ origin }) => origin.kind === 'part')), keptTotal);
            const { kept = 0, credits = [] } = totalOf(checkout()) ?? {};
            expectSame(kept, keptTotal);
            expectSame(sumOf(credits.map(({ amount }) => amount)), keptTotal);
            for (const [key, { id: paymentId, amount, outcome }] of before.payments) {
              const after = payments.get(key);
              expectSame(after?.id, paymentId);
              expectSame(after?.amount, amount);
              if (outcome !== 'accepted') expectSame(after?.outcome, outcome);
            }
            most = Math.max(most, payments.size);
          });
        }),
        setRuns(2_000),
      );
      expect(most).toBeGreaterThan(2 * MAX_EMBEDDED_PAYMENTS);
    },
  );

  longerTest('shows the newest payments as they are recorded', () => {
    fc.assert(
      fc.property(anyCommands, (commands) => {
        run(commands, ({ checkout, newest }) => expect(checkout().payments).toEqual(newest().map(summarizePayment)));
      }),
      setRuns(500),
    );
  });

  test('leaves a valid checkout', () => {
    fc.assert(
      fc.property(anyCommands, (commands) => {
        run(commands, ({ checkout }) => expect(checkoutSchema.parse(checkout())).toEqual(checkout()));
      }),
    );
  });

  longerTest('announces checkout.paid at most once unless a reversal undid it', () => {
    let paidAgain = 0;
    fc.assert(
      fc.property(anyCommands, (commands) => {
        const books = checkoutBooks(live);
        run(commands, () => {}, books);
        const announced = books.announced();
        for (const [at, type] of announced.entries()) {
          const earlier = announced.slice(0, at).lastIndexOf('checkout.paid');
          if (type !== 'checkout.paid' || earlier < 0) continue;
          paidAgain += 1;
          expect(announced.slice(earlier, at)).toContain('checkout.payment_reversed');
        }
      }),
      setRuns(2_000),
    );
    expect(paidAgain).toBeGreaterThan(0);
  });

  test('changes nothing more when a report is repeated', () => {
    fc.assert(
      fc.property(anyCommands, (commands) => {
        run(commands, (books, command) => {
          if (command.kind === 'account_ended' || command.kind === 'time') return;
          const before = books.checkout();
          books.land(buildMoney(command), { askedAt: NOON + 99 * HOUR });
          expect(books.checkout()).toEqual(before);
        });
      }),
    );
  });

  longerTest('leaves the checkout in the state that fits its sum', () => {
    fc.assert(
      fc.property(anyCommands, (commands) => {
        run(commands, ({ checkout }) => {
          const { status, paidAmount, amount } = checkout();
          if (status === 'paid') expectAtMost(amount, paidAmount);
          else expectSame(paidAmount < amount, true);
          expectSame(status === 'underpaid', paidAmount > 0 && paidAmount < amount);
        });
      }),
      setRuns(2_000),
    );
  });
});

describe('answers about a total that arrive in any order', () => {
  /** Draws a history: `kept`, thousands of naira that the provider keeps each minute; `late`, minutes by which the answer is late. */
  const anyHistory = (kept: fc.Arbitrary<number>) =>
    fc.array(fc.record({ kept, late: fc.nat({ max: 60 }) }), { minLength: 1, maxLength: 60 });

  const landAll = (history: readonly { readonly kept: number; readonly late: number }[]) => {
    const books = checkoutBooks(live);
    const landAt = (askedMinute: number, times: Times): void => {
      const kept = (history[askedMinute]?.kept ?? 0) * 1_000;
      // Before any money came, there is no report.
      if (kept === 0 && !history.slice(0, askedMinute).some((before) => before.kept > 0)) return;
      books.land(total(kept, kept === 0 ? 1 : 0), times);
      expectSame(books.checkout().paidAmount, totalOf(books.checkout())?.kept ?? 0);
    };
    for (const [minute, { late }] of history.entries()) {
      const askedMinute = Math.max(0, minute - late);
      landAt(askedMinute, { askedAt: NOON + askedMinute * MINUTE, recordedAt: NOON + minute * MINUTE });
    }
    const announced = books.announced();
    const last = (history.at(-1)?.kept ?? 0) * 1_000;
    books.land(total(last, last === 0 ? 1 : 0), { askedAt: NOON + 2 * HOUR });
    return { end: books.checkout(), last: naira(last), announced };
  };

  longerTest('lead to the sum that the provider keeps, after one more look-up at most', () => {
    fc.assert(
      fc.property(anyHistory(fc.integer({ min: 0, max: 9 })), (history) => {
        const { end, last } = landAll(history);
        expect(end.paidAmount).toBe(last);
      }),
      setRuns(500),
    );
  });

  longerTest('reverse nothing if nothing was returned', () => {
    fc.assert(
      fc.property(anyHistory(fc.integer({ min: 0, max: 3 })), (steps) => {
        let kept = 0;
        const grown = steps.map((step) => {
          kept += step.kept;
          return { ...step, kept };
        });
        const { announced, end, last } = landAll(grown);
        expect(announced).not.toContain('checkout.payment_reversed');
        expect(end.paidAmount).toBe(last);
      }),
      setRuns(500),
    );
  });
});

describe('money that is paid, rejected and returned later, reported in any order', () => {
  /** Draws the events of a minute in thousands of naira. `late`: minutes by which the answer that arrives in this minute is late. */
  const anyMinute = fc.record({
    paid: fc.integer({ min: 0, max: 4 }),
    rejected: fc.constantFrom(0, 0, 1, 3),
    back: fc.constantFrom(0, 0, 1, 2, 99),
    late: fc.nat({ max: 60 }),
  });
  type Minute = typeof anyMinute extends fc.Arbitrary<infer T> ? T : never;

  /** Computes the sums after each minute: the money that the provider keeps, and all money that the provider has returned. */
  const positionsAfter = (minutes: readonly Minute[]) => {
    let [kept, returned] = [0, 0];
    return minutes.map(({ paid, rejected, back }) => {
      const gone = Math.min(back, kept + paid);
      kept += paid - gone;
      returned += rejected + gone;
      return { kept, returned };
    });
  };
  type Truth = ReturnType<typeof positionsAfter>[number];

  /** Builds the report of these sums as korapay/report.ts does: none if both sums are zero. */
  const reportOf = ({ kept, returned }: Truth): readonly CumulativeReport[] =>
    kept + returned === 0 ? [] : [total(kept * 1_000, returned * 1_000)];

  /** Creates the books of a checkout that also sum the kobo announced as rejected or reversed. */
  const newBooks = () => {
    const books = checkoutBooks(live);
    let gone = 0;
    const report = (truth: Truth, askedAt: number, recordedAt: number): void => {
      for (const money of reportOf(truth)) {
        const before = books.checkout();
        const steps = books.land(money, { askedAt, recordedAt });
        const isOlder = askedAt < (totalOf(before)?.observedAt ?? 0);
        if (isOlder) expectSame(books.checkout().paidAmount, before.paidAmount);
        let paid = before.paidAmount;
        for (const step of steps === 'stale' ? [] : steps) {
          if (step.announce === 'checkout.payment_rejected') gone += step.payment?.amount ?? 0;
          if (step.announce === 'checkout.payment_reversed') gone += paid - step.checkout.paidAmount;
          paid = step.checkout.paidAmount;
        }
        expectSame(totalOf(books.checkout())?.kept ?? 0, books.checkout().paidAmount);
      }
    };
    return { report, checkout: books.checkout, gone: () => gone };
  };

  longerTest(
    'ends with the sum that the provider keeps; each return is announced once, and money returned before its report never counts',
    () => {
      fc.assert(
        fc.property(fc.array(anyMinute, { minLength: 1, maxLength: 60 }), (minutes) => {
          const truth = positionsAfter(minutes);
          const books = newBooks();
          for (const [minute, { late }] of minutes.entries()) {
            const askedMinute = Math.max(0, minute - late);
            books.report(truth[askedMinute] as Truth, NOON + askedMinute * MINUTE, NOON + minute * MINUTE);
            expectAtMost(books.gone(), naira((truth[minute]?.returned ?? 0) * 1_000));
          }
          const last = truth.at(-1) as Truth;
          const reportLast = () => {
            books.report(last, NOON + 2 * HOUR, NOON + 2 * HOUR);
            return books.checkout();
          };
          const end = reportLast();
          expectSame(end.paidAmount, naira(last.kept * 1_000));
          expectAtMost(naira(last.returned * 1_000), totalOf(end)?.returned ?? 0);
          expectAtMost(books.gone(), naira(last.returned * 1_000));
          // Older and repeated reports change nothing any more.
          for (const [minute, before] of truth.entries()) books.report(before, NOON + minute * MINUTE, NOON + 3 * HOUR);
          expect(reportLast()).toEqual(end);
        }),
        setRuns(3_000),
      );
    },
  );
});
