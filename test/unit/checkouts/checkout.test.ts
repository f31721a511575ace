import fc from 'fast-check';
import { checkoutInEvent } from '#shared/checkouts/contract/checkout-answer.ts';
import { checkoutAnswerView, checkoutView } from '#shared/checkouts/contract/checkout-view.ts';
import { shownAttempt } from '#shared/checkouts/domain/attempt.ts';
import {
  acceptPayment,
  type Checkout,
  type CheckoutStep,
  checkout as checkoutSchema,
  completePayment,
  ensurePayable,
  expireByTime,
  fail,
  isLate,
  MAX_EMBEDDED_PAYMENTS,
  nextLookUp,
  reversePayments,
} from '#shared/checkouts/domain/checkout.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import { kobo } from '#shared/platform/kernel/money.ts';
import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { longerTest, setRuns } from '#test/support/jest/long.ts';
import { id, NOON, naira, paymentOf, pendingCheckout } from '#test/unit/api/examples.ts';

const EXPIRY = NOON + 30 * MINUTE;
const pay = (before: Checkout, amount: number): CheckoutStep =>
  acceptPayment(before, paymentOf({ amount: naira(amount) }));
const requireStep = (step: CheckoutStep | undefined): Checkout => {
  if (!step) throw new Error('Nothing changed.');
  return step.checkout;
};

const pending = pendingCheckout();
/** A checkout over ₦5,000 in each state. */
const STATES = {
  pending,
  'underpaid (2,000)': requireStep(pay(pending, 2_000)),
  'paid (5,000)': requireStep(pay(pending, 5_000)),
  'overpaid (6,000)': requireStep(pay(requireStep(pay(pending, 5_000)), 1_000)),
  expired: requireStep(expireByTime(pending, EXPIRY)),
  failed: requireStep(fail(pending)),
  'failed after 2,000': { ...requireStep(pay(pending, 2_000)), status: 'failed', version: 3 },
} satisfies Record<string, Checkout>;

const INPUTS = {
  '₦2,000 lands': (before: Checkout) => pay(before, 2_000),
  '₦3,000 lands': (before: Checkout) => pay(before, 3_000),
  '₦5,000 lands': (before: Checkout) => pay(before, 5_000),
  '₦5,000.01 lands': (before: Checkout) => pay(before, 5_000.01),
  'it fails': fail,
  'a millisecond before its expiry passes': (before: Checkout) => expireByTime(before, EXPIRY - 1),
  'its expiry comes': (before: Checkout) => expireByTime(before, EXPIRY),
} satisfies Record<string, (before: Checkout) => CheckoutStep | undefined>;

type Outcome = readonly [status: string, announced: string | null, paidAmount: number] | 'error';
const unchanged = (status: string, paidAmount: number): Outcome => [status, null, paidAmount];

/** The outcome of every input in every state. */
const TRANSITIONS: Record<keyof typeof STATES, Record<keyof typeof INPUTS, Outcome>> = {
  pending: {
    '₦2,000 lands': ['underpaid', 'checkout.underpaid', 2_000],
    '₦3,000 lands': ['underpaid', 'checkout.underpaid', 3_000],
    '₦5,000 lands': ['paid', 'checkout.paid', 5_000],
    '₦5,000.01 lands': ['paid', 'checkout.paid', 5_000.01],
    'it fails': ['failed', 'checkout.failed', 0],
    'a millisecond before its expiry passes': unchanged('pending', 0),
    'its expiry comes': ['expired', 'checkout.expired', 0],
  },
  'underpaid (2,000)': {
    '₦2,000 lands': ['underpaid', 'checkout.underpaid', 4_000],
    '₦3,000 lands': ['paid', 'checkout.paid', 5_000],
    '₦5,000 lands': ['paid', 'checkout.paid', 7_000],
    '₦5,000.01 lands': ['paid', 'checkout.paid', 7_000.01],
    'it fails': 'error',
    'a millisecond before its expiry passes': unchanged('underpaid', 2_000),
    'its expiry comes': unchanged('underpaid', 2_000),
  },
  'paid (5,000)': {
    '₦2,000 lands': ['paid', 'checkout.overpaid', 7_000],
    '₦3,000 lands': ['paid', 'checkout.overpaid', 8_000],
    '₦5,000 lands': ['paid', 'checkout.overpaid', 10_000],
    '₦5,000.01 lands': ['paid', 'checkout.overpaid', 10_000.01],
    'it fails': 'error',
    'a millisecond before its expiry passes': unchanged('paid', 5_000),
    'its expiry comes': unchanged('paid', 5_000),
  },
  'overpaid (6,000)': {
    '₦2,000 lands': ['paid', 'checkout.overpaid', 8_000],
    '₦3,000 lands': ['paid', 'checkout.overpaid', 9_000],
    '₦5,000 lands': ['paid', 'checkout.overpaid', 11_000],
    '₦5,000.01 lands': ['paid', 'checkout.overpaid', 11_000.01],
    'it fails': 'error',
    'a millisecond before its expiry passes': unchanged('paid', 6_000),
    'its expiry comes': unchanged('paid', 6_000),
  },
  expired: {
    '₦2,000 lands': ['underpaid', 'checkout.underpaid', 2_000],
    '₦3,000 lands': ['underpaid', 'checkout.underpaid', 3_000],
    '₦5,000 lands': ['paid', 'checkout.paid', 5_000],
    '₦5,000.01 lands': ['paid', 'checkout.paid', 5_000.01],
    'it fails': 'error',
    'a millisecond before its expiry passes': unchanged('expired', 0),
    'its expiry comes': unchanged('expired', 0),
  },
  failed: {
    '₦2,000 lands': ['underpaid', 'checkout.underpaid', 2_000],
    '₦3,000 lands': ['underpaid', 'checkout.underpaid', 3_000],
    '₦5,000 lands': ['paid', 'checkout.paid', 5_000],
    '₦5,000.01 lands': ['paid', 'checkout.paid', 5_000.01],
    'it fails': 'error',
    'a millisecond before its expiry passes': unchanged('failed', 0),
    'its expiry comes': unchanged('failed', 0),
  },
  'failed after 2,000': {
    '₦2,000 lands': ['underpaid', 'checkout.underpaid', 4_000],
    '₦3,000 lands': ['paid', 'checkout.paid', 5_000],
    '₦5,000 lands': ['paid', 'checkout.paid', 7_000],
    '₦5,000.01 lands': ['paid', 'checkout.paid', 7_000.01],
    'it fails': 'error',
    'a millisecond before its expiry passes': unchanged('failed', 2_000),
    'its expiry comes': unchanged('failed', 2_000),
  },
};

const CASES = Object.entries(TRANSITIONS).flatMap(([state, row]) =>
  Object.entries(row).map(([input, outcome]) => ({
    state: state as keyof typeof STATES,
    input: input as keyof typeof INPUTS,
    outcome,
  })),
);

describe('a checkout over ₦5,000', () => {
  test.each(CASES)('goes from “$state” to $outcome when $input', ({ state, input, outcome }) => {
    const before = STATES[state];
    const untouched = structuredClone(before);
    if (outcome === 'error') {
      expect(() => INPUTS[input](before)).toThrow(ApiError);
    } else {
      const [status, announced, paidAmount] = outcome;
      const step = INPUTS[input](before);
      const after = step?.checkout ?? before;
      expect(step?.announce ?? null).toBe(announced);
      expect(after.status).toBe(status);
      expect(after.paidAmount).toBe(naira(paidAmount));
      expect(after.version).toBe(before.version + (announced === null ? 0 : 1));
      expect(checkoutSchema.parse(after)).toEqual(after);
    }
    expect(before).toEqual(untouched);
  });

  test.each([
    ['pending', undefined],
    ['underpaid (2,000)', undefined],
    ['expired', undefined],
    ['paid (5,000)', 'Checkout is already paid.'],
    ['overpaid (6,000)', 'Checkout is already paid.'],
    ['failed', 'Checkout is already failed.'],
    ['failed after 2,000', 'Checkout is already failed.'],
  ] as const)('in state %s, if a payment is simulated, gives the error: %p', (state, sentence) => {
    const attempt = () => ensurePayable(STATES[state]);
    if (sentence === undefined) return expect(attempt).not.toThrow();
    return expect(attempt).toThrow(expect.objectContaining({ code: 'checkout_not_payable', message: sentence }));
  });

  test.each([
    ['pending', EXPIRY],
    ['underpaid (2,000)', null],
    ['paid (5,000)', null],
    ['expired', null],
    ['failed', null],
  ] as const)('has its next look-up in state %s at %p', (state, due) => {
    expect(nextLookUp(STATES[state])?.dueAt ?? null).toBe(due);
  });

  test.each([
    ['pending', undefined],
    ['underpaid (2,000)', 'paid'],
    ['paid (5,000)', undefined],
    ['overpaid (6,000)', undefined],
    ['expired', undefined],
    ['failed', undefined],
    ['failed after 2,000', undefined],
  ] as const)('changes from %s to %p when its provider considers it paid', (state, after) => {
    const step = completePayment(STATES[state], { paidAt: NOON, senderName: 'BELLO MUSA', senderBank: null });
    expect(step?.checkout.status).toBe(after);
  });

  test.each([
    ['underpaid (2,000)', 2_000, 'pending'],
    ['paid (5,000)', 5_000, 'pending'],
    ['paid (5,000)', 1, 'underpaid'],
    ['overpaid (6,000)', 1_000, 'paid'],
    ['overpaid (6,000)', 1_001, 'underpaid'],
    ['failed after 2,000', 1_000, 'failed'],
    ['failed after 2,000', 2_000, 'failed'],
  ] as const)('changes from %s by a reversal of ₦%i to %s', (state, amount, after) => {
    const { checkout, announce } = reversePayments(STATES[state], [], naira(amount));
    expect(checkout.status).toBe(after);
    expect(checkoutSchema.parse(checkout)).toEqual(checkout);
    expect(announce).toBe('checkout.payment_reversed');
  });

  test('keeps, after later payments, the sender and the time of the payment that completed it', () => {
    const first = paymentOf({ id: id('pay', 1), amount: naira(2_000), senderName: 'BELLO MUSA', paidAt: NOON + 1 });
    const second = paymentOf({
      id: id('pay', 2),
      amount: naira(3_000),
      senderName: 'OKAFOR CHIAMAKA',
      paidAt: NOON + 2,
    });
    const third = paymentOf({ id: id('pay', 3), amount: naira(3_000), senderName: 'ADEYEMI TUNDE', paidAt: NOON + 3 });
    const after = [first, second, third].reduce<Checkout>(
      (before, landed) => acceptPayment(before, landed).checkout,
      pending,
    );
    expect(after).toMatchObject({ status: 'paid', paidAt: NOON + 2, senderName: 'OKAFOR CHIAMAKA' });
    expect(after.payments.map((landed) => landed.id)).toEqual([third.id, second.id, first.id]);
  });

  test.each([
    ['half an hour early', NOON, false],
    ['a millisecond before the expiry', EXPIRY - 1, false],
    ['at the expiry', EXPIRY, false],
    ['a millisecond after the expiry', EXPIRY + 1, true],
    ['days after the expiry', EXPIRY + 3 * 24 * 60 * MINUTE, true],
  ])('calls money late only by its time of payment, in any state: %s', (_, paidAt, late) => {
    for (const state of Object.values(STATES)) expect(isLate(shownAttempt(state), paidAt)).toBe(late);
  });

  test('has null as its sender if the bank reports none', () => {
    const { checkout } = acceptPayment(pending, paymentOf({ senderName: null, senderBank: null }));
    expect(checkoutView(checkout)).toMatchObject({ paid: true, sender_name: null, sender_bank: null });
  });
});

describe('any sequence of payments, failures and expiries', () => {
  type Input = { kind: 'pay'; amount: number } | { kind: 'fail' } | { kind: 'expire'; at: number };
  const inputs: fc.Arbitrary<Input> = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('pay' as const), amount: fc.integer({ min: 1, max: 300_000 }) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail' as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('expire' as const),
        at: fc.constantFrom(NOON, EXPIRY - 1, EXPIRY, EXPIRY + 1),
      }),
    },
  );

  interface Model {
    readonly status: Checkout['status'];
    readonly paid: number[];
    readonly version: number;
    readonly announced: string[];
  }

  /** A second implementation of the rules, over plain numbers and independent of the code. */
  const model = (before: Model, input: Input, price: number): Model => {
    const step = (status: Model['status'], announced: string, paid = before.paid): Model => ({
      status,
      paid,
      version: before.version + 1,
      announced: [...before.announced, announced],
    });
    if (input.kind === 'expire') {
      return before.status === 'pending' && input.at >= EXPIRY ? step('expired', 'checkout.expired') : before;
    }
    if (input.kind === 'fail') {
      return before.status === 'pending' ? step('failed', 'checkout.failed') : before;
    }
    const paid = [...before.paid, input.amount];
    const total = paid.reduce((sum, amount) => sum + amount, 0);
    if (before.status === 'paid') return step('paid', 'checkout.overpaid', paid);
    return total >= price ? step('paid', 'checkout.paid', paid) : step('underpaid', 'checkout.underpaid', paid);
  };

  const real = (before: Checkout, input: Input, n: number): CheckoutStep | undefined => {
    if (input.kind === 'expire') return expireByTime(before, input.at);
    if (input.kind === 'pay')
      return acceptPayment(before, paymentOf({ id: id('pay', n), amount: kobo.parse(input.amount) }));
    try {
      return fail(before);
    } catch {
      return undefined;
    }
  };

  longerTest('keeps sum, status and version equal to a small model, and announces checkout.paid at most once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 500_000 }), fc.array(inputs, { maxLength: 40 }), (price, sequence) => {
        let state = pendingCheckout({ amount: kobo.parse(price) }, { amountToPay: kobo.parse(price) }) as Checkout;
        let expected: Model = { status: 'pending', paid: [], version: 1, announced: [] };
        const announced: string[] = [];

        sequence.forEach((input, n) => {
          const step = real(state, input, n);
          if (step?.announce) announced.push(step.announce);
          state = step?.checkout ?? state;
          expected = model(expected, input, price);

          expect(state.status).toBe(expected.status);
          expect(state.version).toBe(expected.version);
          expect(state.paidAmount).toBe(expected.paid.reduce((sum, amount) => sum + amount, 0));
          expect(state.payments.map(({ amount }) => amount)).toEqual([...expected.paid].reverse().slice(0, 20));
          expect(checkoutSchema.safeParse(state).success).toBe(true);
          expect(checkoutView(state).paid).toBe(state.paidAmount >= price);
          expect(shownAttempt(state).account).toEqual(shownAttempt(pending).account);
        });

        expect(announced).toEqual(expected.announced);
        const times = announced.filter((type) => type === 'checkout.paid').length;
        expect(times).toBe(state.status === 'paid' ? 1 : 0);
      }),
      setRuns(1_000),
    );
  });

  test('keeps the latest 20 payments, newest first, and still counts all of them', () => {
    let state: Checkout = pendingCheckout({ amount: naira(100_000) });
    for (let n = 1; n <= 25; n++)
      state = acceptPayment(state, paymentOf({ id: id('pay', n), amount: naira(10) })).checkout;
    expect(MAX_EMBEDDED_PAYMENTS).toBe(20);
    expect(state.payments.map((landed) => landed.id)).toEqual(Array.from({ length: 20 }, (_, i) => id('pay', 25 - i)));
    expect(state.paidAmount).toBe(naira(250));
  });
});

describe('the API view of a checkout', () => {
  const TEN_FIELDS = [
    'mode',
    'reference',
    'amount',
    'status',
    'paid',
    'payer_email',
    'paid_amount',
    'paid_at',
    'sender_name',
    'sender_bank',
  ];

  test.each(Object.entries(STATES))(
    'has the ten fields of the service description first, then the other fields in the order of the contract: %s',
    (_, state) => {
      const fields = Object.keys(checkoutView(state));
      expect(fields.slice(0, 10)).toEqual(TEN_FIELDS);
      expect(fields).toEqual(Object.keys(checkoutInEvent.shape));
    },
  );

  test('shows the address of its payment page and its return URLs only in answers', () => {
    const [callbackUrl, cancelUrl] = ['https://shop.example.ng/done', 'https://shop.example.ng/cart'];
    const state = pendingCheckout({ description: 'Order 1042', callbackUrl, cancelUrl });
    expect(checkoutAnswerView(state, 'https://api.example.ng/pay/x')).toEqual({
      ...checkoutView(state),
      description: 'Order 1042',
      checkout_url: 'https://api.example.ng/pay/x',
      callback_url: callbackUrl,
      cancel_url: cancelUrl,
    });
    expect(JSON.stringify(checkoutView(state))).not.toContain('example.ng');
  });

  test('shows the fields of a payment in the documented order', () => {
    expect(checkoutView(STATES['paid (5,000)']).payments.map((payment) => Object.keys(payment))).toEqual([
      [
        'id',
        'amount',
        'fee',
        'outcome',
        'paid_at',
        'late',
        'sender_name',
        'sender_bank',
        'provider',
        'provider_reference',
      ],
    ]);
  });

  test('shows a paid checkout with naira, microseconds and its sender', () => {
    const landed = paymentOf({ amount: naira(5_000.5), fee: naira(50), paidAt: NOON + 61 * SECOND + 7 });
    expect(checkoutView(acceptPayment(pending, landed).checkout)).toMatchObject({
      paid_amount: 5_000.5,
      paid_at: '2026-11-20T12:01:01.007000Z',
      sender_name: 'OKAFOR CHIAMAKA GRACE',
      sender_bank: 'Kuda Microfinance Bank',
      payments: [{ amount: 5_000.5, fee: 50, paid_at: '2026-11-20T12:01:01.007000Z' }],
    });
  });

  test.each([
    ['pending', -5_000],
    ['underpaid (2,000)', -3_000],
    ['paid (5,000)', 0],
    ['expired', -5_000],
  ] as const)(
    'shows the paid amount less the amount as the difference of a checkout that is %s: %p',
    (state, difference) => {
      expect(checkoutView(STATES[state]).difference).toBe(difference);
    },
  );

  test.each(['pending', 'underpaid (2,000)', 'expired', 'failed', 'failed after 2,000'] as const)(
    'shows no sender and no time of payment of a checkout that is %s',
    (state) => {
      expect(checkoutView(STATES[state])).toMatchObject({
        paid: false,
        paid_at: null,
        sender_name: null,
        sender_bank: null,
      });
    },
  );
});
