import fc from 'fast-check';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import type { Refund } from '#shared/providers/domain/refund.ts';
import type { ReportedMoney, ReportedTransfer } from '#shared/providers/domain/report.ts';
import { setRuns } from '#test/support/jest/long.ts';
import { NOON, naira, pendingCheckout } from '#test/unit/api/examples.ts';
import { checkoutBooks, expectSame, sumAccepted } from '#test/unit/payments/landing/checkout-books.ts';
import { totalOf, transferOf } from './reported.ts';

/*
 * A provider reports each refund under an id of the refund. A look-up at the provider may also show the refund: at once, later or never.
 * Every checkout here asks for ₦5,000.
 */

const live: Checkout = pendingCheckout({ mode: 'live' });
const payee = { by: 'our_reference', reference: live.reference } as const;
const refundOf = (id: string, amount: number): Refund => ({ id, amount: naira(amount) });

/** Builds a look-up of a transfer of ₦5,000 that was kept, or returned whole. */
const transfer = (outcome: ReportedTransfer['outcome'] = 'accepted') =>
  transferOf({ payee, outcome, asked: naira(5_000) });
/** Builds a look-up of a cumulative report. `kept`: naira that the provider keeps. */
const total = (kept: number) => totalOf({ payee, kept: naira(kept), asked: naira(5_000) });

/** Lands money on a checkout. Returns its books, with `land` for more reports, each a minute after the one before. */
const checkoutWith = (money: ReportedMoney) => {
  const books = checkoutBooks(live);
  let now = NOON;
  const land = (reported: ReportedMoney, refund?: Refund): void => {
    now += MINUTE;
    expect(books.land(reported, { askedAt: now, refund })).not.toBe('stale');
  };
  land(money);
  const payments = () => [...books.payments.values()].map(({ amount, outcome }) => `${amount / 100} ${outcome}`);
  return { books, land, payments, kept: () => books.checkout().paidAmount / 100, events: books.announced };
};

const PAID = 'checkout.paid';
const REVERSED = 'checkout.payment_reversed';

describe.each([
  ['a transfer', transfer()],
  ['a cumulative report', total(5_000)],
])('a refund of %s', (_, money) => {
  test('takes the money out once, even if it is reported often and no look-up shows it', () => {
    const checkout = checkoutWith(money);
    for (let i = 0; i < 3; i += 1) checkout.land(money, refundOf('rfd-1', 5_000));
    checkout.land(money);
    expect([checkout.kept(), checkout.events()]).toEqual([0, [PAID, REVERSED]]);
    expect(checkout.books.checkout().status).toBe('pending');
  });

  test('leaves the remainder of a partial refund as another payment', () => {
    const checkout = checkoutWith(money);
    checkout.land(money, refundOf('rfd-1', 1_500));
    expect([checkout.kept(), checkout.payments()]).toEqual([3_500, ['5000 reversed', '3500 accepted']]);
    checkout.land(money, refundOf('rfd-2', 500));
    checkout.land(money, refundOf('rfd-1', 1_500));
    expect(checkout.payments()).toEqual(['5000 reversed', '3500 reversed', '3000 accepted']);
    expect(checkout.events()).toEqual([PAID, REVERSED, REVERSED]);
    checkout.land(money, refundOf('rfd-3', 3_000));
    expect([checkout.kept(), sumAccepted(checkout.books.payments.values())]).toEqual([0, 0]);
  });

  test('leaves nothing if it exceeds the money', () => {
    const checkout = checkoutWith(money);
    checkout.land(money, refundOf('rfd-1', 6_000));
    checkout.land(money, refundOf('rfd-2', 1));
    expect([checkout.kept(), checkout.events()]).toEqual([0, [PAID, REVERSED]]);
  });
});

test('refunded money of a total that is paid again counts, whether or not a look-up showed the refund', () => {
  for (const lookUps of [[total(3_500), total(5_000)], [{ ...total(5_000), leftOut: naira(1_500) }]]) {
    const checkout = checkoutWith(total(5_000));
    checkout.land(total(5_000), refundOf('rfd-1', 1_500));
    expect(checkout.kept()).toBe(3_500);
    for (const money of lookUps) checkout.land(money);
    expect(checkout.kept()).toBe(5_000);
    expect(sumAccepted(checkout.books.payments.values())).toBe(naira(5_000));
  }
});

test.each([
  ['of a part', 1_500, true, 'paid', ['3500 accepted', '5000 reversed']],
  ['of a part', 1_500, false, 'underpaid', ['3500 accepted', '5000 reversed']],
  ['of all of it', 5_000, true, 'pending', ['5000 reversed']],
])(
  'a refund %s (%p naira; provider says complete: %p) leaves the checkout %s with %j',
  (_, amount, complete, status, shown) => {
    const books = checkoutBooks(live);
    books.land(transfer(), { askedAt: NOON, complete: true });
    books.land(transfer(), { askedAt: NOON + MINUTE, complete, refund: refundOf('rfd-1', amount) });
    const { status: left, payments } = books.checkout();
    expect(left).toBe(status);
    expect(payments.map((payment) => `${payment.amount / 100} ${payment.outcome}`)).toEqual(shown);
  },
);

describe('a return that a look-up shows', () => {
  test.each(['before', 'after'])(
    'is not taken out a second time if the refund of the transfer comes %s the look-up',
    (order) => {
      const checkout = checkoutWith(transfer());
      const landShown = () => checkout.land(transfer('reversed'));
      if (order === 'after') landShown();
      checkout.land(transfer(order === 'after' ? 'reversed' : 'accepted'), refundOf('rfd-1', 5_000));
      if (order === 'before') landShown();
      expect([checkout.kept(), checkout.events()]).toEqual([0, [PAID, REVERSED]]);
    },
  );

  test.each(['before', 'after'])(
    'is not taken out a second time if the refund of a part comes %s the look-up',
    (order) => {
      const checkout = checkoutWith(total(5_000));
      const landShown = () => checkout.land(total(3_000));
      if (order === 'after') landShown();
      checkout.land(total(order === 'after' ? 3_000 : 5_000), refundOf('rfd-1', 2_000));
      if (order === 'before') landShown();
      expect([checkout.kept(), checkout.events()]).toEqual([3_000, [PAID, REVERSED]]);
    },
  );

  test('takes out the remainder of a refunded transfer', () => {
    const checkout = checkoutWith(transfer());
    checkout.land(transfer(), refundOf('rfd-1', 1_000));
    checkout.land(transfer('reversed'));
    expect([checkout.kept(), checkout.payments()]).toEqual([0, ['5000 reversed', '4000 reversed']]);
    checkout.land(transfer('reversed'), refundOf('rfd-2', 4_000));
    expect(checkout.events()).toEqual([PAID, REVERSED, REVERSED]);
  });
});

test('money that comes after a refund counts', () => {
  const checkout = checkoutWith(total(5_000));
  checkout.land(total(5_000), refundOf('rfd-1', 5_000));
  checkout.land(total(9_000));
  expect(checkout.kept()).toBe(4_000);
});

describe('refunds in any order, even repeated', () => {
  const amounts = fc.array(fc.integer({ min: 1, max: 200_000 }), { minLength: 1, maxLength: 6 });
  /** Draws steps: the provider makes the next refund, we look the money up, or the provider reports the refund of that number, perhaps again. */
  const steps = fc.array(fc.oneof(fc.constantFrom('make', 'look up'), fc.nat({ max: 5 })), { maxLength: 25 });
  const lags = fc.array(fc.boolean(), { minLength: 25, maxLength: 25 });
  const sumOf = (refunds: readonly Refund[], ids: ReadonlySet<string>): number =>
    refunds.reduce((sum, { id, amount }) => (ids.has(id) ? sum + amount : sum), 0);

  test.each([true, false])('count once on a cumulative report; look-ups show them, at once or later: %s', (isShown) => {
    fc.assert(
      fc.property(amounts, fc.nat({ max: 3 }), steps, lags, (refunded, early, order, isLate) => {
        const refunds = refunded.map((kobo, i) => refundOf(`rfd-${i}`, kobo / 100));
        const books = checkoutBooks(live);
        const reported = new Set<string>();
        const made = new Set(refunds.slice(0, early).map(({ id }) => id));
        let shown = isShown ? sumOf(refunds, made) : 0;
        let now = NOON;
        const leftOut = shown > 0 ? { leftOut: naira(shown / 100) } : {};
        books.land({ ...total((2_000_000 - shown) / 100), ...leftOut }, { askedAt: now });
        for (const [i, step] of order.entries()) {
          if (step === 'make') {
            made.add(`rfd-${made.size}`);
            continue;
          }
          const refund = typeof step === 'number' ? refunds[step % refunds.length] : undefined;
          if (refund && !made.has(refund.id)) continue;
          if (refund) reported.add(refund.id);
          if (isShown && !isLate[i]) shown = sumOf(refunds, made);
          now += MINUTE;
          books.land(total((2_000_000 - shown) / 100), { askedAt: now, refund });
          expectSame(books.checkout().paidAmount, 2_000_000 - Math.max(shown, sumOf(refunds, reported)));
        }
      }),
      setRuns(1_000),
    );
  });

  test.each([true, false])(
    'leave the unrefunded money of a transfer; look-ups show a full return, and refunds before the first look-up: %s',
    (isShown) => {
      fc.assert(
        fc.property(amounts, fc.nat({ max: 2 }), steps, (refunded, early, order) => {
          const refunds = refunded.map((kobo, i) => refundOf(`rfd-${i}`, kobo / 100));
          const books = checkoutBooks(live);
          const reported = new Set<string>();
          const leftOut = isShown ? sumOf(refunds.slice(0, early), new Set(refunds.map(({ id }) => id))) : 0;
          const shown = (outcome: ReportedTransfer['outcome']) => ({
            ...transfer(outcome),
            amount: naira((500_000 - leftOut) / 100),
            ...(leftOut > 0 && { leftOut: naira(leftOut / 100) }),
          });
          let now = NOON;
          const left = () => Math.max(0, 500_000 - Math.max(leftOut, sumOf(refunds, reported)));
          books.land(shown('accepted'), { askedAt: now });
          for (const step of order) {
            const refund = typeof step === 'number' ? refunds[step % refunds.length] : undefined;
            if (refund) reported.add(refund.id);
            now += MINUTE;
            books.land(shown(isShown && left() === 0 ? 'reversed' : 'accepted'), { askedAt: now, refund });
            expectSame(books.checkout().paidAmount, left());
          }
        }),
        setRuns(400),
      );
    },
  );
});
