import fc from 'fast-check';
import {
  askForAnother,
  endOtherAttempt,
  ensureWaitingForMoney,
  isWaitingForMoney,
  offerOther,
  openingAttempt,
  otherProviders,
  showAnother,
  withdrawAnother,
} from '#shared/checkouts/domain/another-account.ts';
import {
  latestAttempt,
  newAttempt,
  shownAttempt,
  shownAttempts,
  withAttempt,
} from '#shared/checkouts/domain/attempt.ts';
import {
  acceptPayment,
  type Checkout,
  type CheckoutStep,
  endAccountAtProvider,
  expireByTime,
  nextLookUp,
  settleAttempt,
} from '#shared/checkouts/domain/checkout.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { shownAttempt as makeShownAttempt, NOON, naira, paymentOf, pendingCheckout } from '#test/unit/api/examples.ts';

const END = NOON + 30 * MINUTE;
const ORDER = ['paystack', 'monnify', 'korapay'] as const;
const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
const waiting: Checkout = pendingCheckout(
  { mode: 'live', isRouted: true, reference: REFERENCE },
  { provider: 'paystack', reference: REFERENCE, expiresAt: END },
);
const request = (now: number, mayExist = false) => ({ now, leaseUntil: now + 30 * SECOND, mayExist });
const issuedAs = (providerReference: string, expiresAt = END) => ({
  providerReference,
  expiresAt,
  amountToPay: naira(5_000),
  account: { ...shownAttempt(waiting).account, accountNumber: '6020193847' },
});
const opening = askForAnother(waiting, 'monnify', request(NOON)).checkout;
const moved = showAnother(opening, latestAttempt(opening), issuedAs(`${REFERENCE}-B`), NOON + SECOND)
  ?.checkout as Checkout;

describe('another account of a checkout', () => {
  test('has its own reference, and nobody sees it before it is open', () => {
    const attempt = latestAttempt(opening);
    expect(attempt).toEqual({
      ...newAttempt('monnify', `${REFERENCE}-B`, { openedAt: NOON, expiresAt: END, askAgainAt: NOON + 30 * SECOND }),
    });
    expect([opening.version, shownAttempt(opening)]).toEqual([waiting.version, shownAttempt(waiting)]);
    expect(moved.version).toBe(waiting.version + 1);
    expect(shownAttempt(moved)).toMatchObject({ provider: 'monnify', state: 'open', shownAt: NOON + SECOND });
    expect(shownAttempts(moved)).toHaveLength(2);
  });

  test('stays open for at least five minutes', () => {
    const late = END - MINUTE;
    expect(latestAttempt(askForAnother(waiting, 'monnify', request(late)).checkout).expiresAt).toBe(late + 5 * MINUTE);
  });

  test('keeps its reference if the next request continues an interrupted one', () => {
    const again = askForAnother(opening, 'monnify', request(NOON + MINUTE)).checkout;
    expect(again.attempts).toEqual([
      ...waiting.attempts,
      { ...latestAttempt(opening), askAgainAt: NOON + MINUTE + 30 * SECOND },
    ]);
  });

  test.each([
    [true, 'unknown', NOON + MINUTE],
    [false, 'refused', null],
  ])(
    'moves to the next provider, and the previous attempt ends (its account may exist: %p)',
    (mayExist, state, askAgainAt) => {
      const next = askForAnother(opening, 'korapay', request(NOON + 5 * SECOND, mayExist)).checkout;
      expect(next.attempts.map((attempt) => [attempt.provider, attempt.reference.slice(24), attempt.state])).toEqual([
        ['paystack', '', 'open'],
        ['monnify', '-B', state],
        ['korapay', '-C', 'opening'],
      ]);
      expect(next.attempts[1]?.askAgainAt).toBe(askAgainAt);
      const left = endOtherAttempt(opening, latestAttempt(opening), mayExist)?.checkout as Checkout;
      expect(left.attempts[1]).toEqual(next.attempts[1]);
      expect(endOtherAttempt(left, latestAttempt(opening), mayExist)).toBeUndefined();
    },
  );

  test('stays hidden if the money came meanwhile', () => {
    const { checkout: paid } = acceptPayment(opening, paymentOf({ amount: naira(5_000) }));
    const step = showAnother(paid, latestAttempt(opening), issuedAs(`${REFERENCE}-B`), NOON + SECOND);
    expect(step?.checkout.version).toBe(paid.version);
    expect(latestAttempt(step?.checkout as Checkout)).toMatchObject({ state: 'open', account: {} });
    expect(shownAttempts(step?.checkout as Checkout)).toHaveLength(1);
  });

  test('becomes settled by a look-up after an interrupted request, and stays hidden', () => {
    expect(nextLookUp(opening)).toEqual({ attempt: latestAttempt(opening), dueAt: NOON + 30 * SECOND });
    const now = NOON + 30 * SECOND;
    const found = settleAttempt(opening, latestAttempt(opening), { now, result: 'found' })?.checkout as Checkout;
    expect(latestAttempt(found).state).toBe('open');
    expect(showAnother(found, latestAttempt(opening), issuedAs(`${REFERENCE}-B`), now)).toBeUndefined();
    const absent = settleAttempt(opening, latestAttempt(opening), { now, result: 'absent' })?.checkout as Checkout;
    expect(latestAttempt(absent)).toMatchObject({ state: 'unknown', askAgainAt: now + MINUTE });
    // Another request asks for it in the meantime.
    const again = askForAnother(opening, 'monnify', request(now)).checkout;
    expect(settleAttempt(again, latestAttempt(opening), { now, result: 'absent' })).toBeUndefined();
  });

  test('comes from a provider that was not asked yet, at most three in all', () => {
    expect(otherProviders(waiting, ORDER)).toEqual(['monnify', 'korapay']);
    expect(otherProviders(moved, ORDER)).toEqual(['korapay']);
    expect(otherProviders(askForAnother(moved, 'korapay', request(NOON)).checkout, ORDER)).toEqual([]);
    expect(otherProviders(waiting, [])).toEqual([]);
  });

  test.each<[string, Checkout, number, ReturnType<typeof offerOther>]>([
    ['waits', waiting, NOON, 'offered'],
    ['has two accounts', moved, NOON, 'offered'],
    ['is opening another account', opening, NOON, 'not_offered'],
    ['is over', waiting, END, 'not_offered'],
    ['has a requested provider', { ...waiting, isRouted: undefined }, NOON, 'not_offered'],
    ['is opening its third account', askForAnother(moved, 'korapay', request(NOON)).checkout, NOON, 'not_offered'],
    [
      'got no account from its third provider',
      endOtherAttempt(
        askForAnother(moved, 'korapay', request(NOON)).checkout,
        latestAttempt(askForAnother(moved, 'korapay', request(NOON)).checkout),
        false,
      )?.checkout as Checkout,
      NOON,
      'none',
    ],
  ])('may be offered to the payer, or not, if the checkout %s', (_, checkout, now, other) => {
    expect(offerOther(checkout, ORDER, now)).toBe(other);
  });

  test('causes an error for a checkout that no longer waits for its first money', () => {
    const readError = (checkout: Checkout, now = NOON) => {
      try {
        return ensureWaitingForMoney(checkout, now);
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(readError(waiting)).toBeUndefined();
    expect(readError(waiting, END)).toBe(
      'This checkout accepts no more payments, because its time is over. Start a new checkout.',
    );
    const half = acceptPayment(waiting, paymentOf({ amount: naira(2_000) })).checkout;
    expect(readError(half)).toBe('Checkout has accepted money. Start a new checkout for the missing amount.');
    expect(readError({ ...waiting, status: 'expired' } as Checkout)).toBe('Checkout is already expired.');
  });
});

describe('a checkout with two accounts', () => {
  const second = { ...shownAttempt(moved), expiresAt: END + HOUR };
  const two = withAttempt(moved, second);
  const ask = (checkout: Checkout, reference: string, now: number) => expireByTime(checkout, now, reference)?.checkout;

  test('looks up each account around its own expiry, and expires with the last one', () => {
    expect(nextLookUp(two)).toMatchObject({ attempt: { provider: 'paystack' }, dueAt: END });
    const once = ask(two, REFERENCE, END) as Checkout;
    expect(nextLookUp(once)).toMatchObject({ attempt: { provider: 'paystack' }, dueAt: END + 5 * MINUTE });
    const asked = ask(once, REFERENCE, END + 5 * MINUTE) as Checkout;
    // The last look-up, for late money, and the first one of the other account are due at the same time.
    expect(nextLookUp(asked)?.dueAt).toBe(END + HOUR);
    const both = ask(asked, second.reference, END + HOUR + 5 * MINUTE) as Checkout;
    expect([asked.status, both.status]).toEqual(['pending', 'expired']);
    expect(expireByTime(asked, END + HOUR + 5 * MINUTE, REFERENCE)?.checkout.status).toBe('pending');
  });

  test('expires in test mode when the time of both accounts is over', () => {
    const test = { ...two, mode: 'test' } as Checkout;
    expect(nextLookUp(test)?.dueAt).toBe(END + HOUR);
    expect(expireByTime(test, END + HOUR - 1)).toBeUndefined();
    expect(expireByTime(test, END + HOUR)?.checkout.status).toBe('expired');
  });

  test('fails when neither provider accepts money, and shows the other account until then', () => {
    const ended = endAccountAtProvider(two, second.reference, NOON);
    expect(ended).toMatchObject({ checkout: { status: 'pending', version: two.version + 1 }, announce: null });
    expect(shownAttempt(ended?.checkout as Checkout).provider).toBe('paystack');
    expect(endAccountAtProvider(ended?.checkout as Checkout, second.reference, NOON)).toBeUndefined();
    expect(endAccountAtProvider(ended?.checkout as Checkout, REFERENCE, NOON)?.announce).toBe('checkout.failed');
    // If an account ends that is not the current one, its merchant sees no change.
    expect(endAccountAtProvider(two, REFERENCE, NOON)?.checkout.version).toBe(two.version);
    expect(endAccountAtProvider(two, `${REFERENCE}-C`, NOON)).toBeUndefined();
  });

  test('does not fail while another account is being opened', () => {
    expect(endAccountAtProvider(opening, REFERENCE, NOON)).toMatchObject({ checkout: { status: 'pending' } });
  });
});

/** An event of a checkout, some time after the previous one. */
const happening = fc.record({
  kind: fc.constantFrom('ask', 'show', 'leave', 'withdraw', 'look up', 'fail', 'pay'),
  provider: fc.constantFrom(...ORDER),
  after: fc.constantFrom(SECOND, 31 * SECOND, 5 * MINUTE, HOUR),
  flag: fc.boolean(),
});

test('any sequence of events asks no provider twice, shows no account twice, and keeps a pending checkout due', () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 12 }), (happenings) => {
      let checkout: Checkout = waiting;
      let now = NOON;
      for (const { kind, provider, after, flag } of happenings) {
        now += after;
        const before: Checkout = checkout;
        const asked = openingAttempt(before);
        const due = nextLookUp(before);
        if (kind === 'ask') {
          const may = otherProviders(before, [provider]).length > 0 || asked?.provider === provider;
          if (may && isWaitingForMoney(before, now))
            checkout = askForAnother(before, provider, request(now, flag)).checkout;
        } else if (kind === 'show' && asked) {
          checkout = showAnother(before, asked, issuedAs(asked.reference, asked.expiresAt), now)?.checkout ?? before;
        } else if (kind === 'leave' && asked) checkout = endOtherAttempt(before, asked, flag)?.checkout ?? before;
        else if (kind === 'withdraw' && asked) checkout = withdrawAnother(before, asked)?.checkout ?? before;
        else if (kind === 'fail')
          checkout = endAccountAtProvider(before, latestAttempt(before).reference, now)?.checkout ?? before;
        else if (kind === 'pay') checkout = acceptPayment(before, paymentOf({ amount: naira(2_500) })).checkout;
        else if (kind === 'look up' && due) {
          now = Math.max(now, due.dueAt);
          const step: CheckoutStep | undefined =
            due.attempt.shownAt === undefined
              ? settleAttempt(before, due.attempt, { now, result: flag ? 'found' : 'absent' })
              : expireByTime(before, now, due.attempt.reference);
          checkout = step?.checkout ?? before;
        }
        const { attempts } = checkout;
        expect(new Set(attempts.map((attempt) => attempt.provider)).size).toBe(attempts.length);
        expect(new Set(attempts.map((attempt) => attempt.reference)).size).toBe(attempts.length);
        expect(attempts.filter(({ state }) => state === 'opening').length).toBeLessThanOrEqual(1);
        expect(checkout.version).toBeGreaterThanOrEqual(before.version);
        if (checkout.status === 'pending') expect(nextLookUp(checkout)).not.toBeNull();
        if (checkout.status === 'expired' && before.status === 'pending') {
          for (const { expiresAt, lookUps } of shownAttempts(checkout)) {
            expect([now >= expiresAt + 5 * MINUTE, lookUps >= 2]).toEqual([true, true]);
          }
        }
      }
      // Afterwards, time alone ends the checkout.
      for (let looks = 0; looks < 60 && checkout.status === 'pending'; looks += 1) {
        const due = nextLookUp(checkout);
        if (!due) throw new Error('A pending checkout is not due.');
        now = Math.max(now, due.dueAt);
        const step: CheckoutStep | undefined =
          due.attempt.shownAt === undefined
            ? settleAttempt(checkout, due.attempt, { now, result: 'absent' })
            : expireByTime(checkout, now, due.attempt.reference);
        checkout = step?.checkout ?? checkout;
      }
      expect([checkout.status, now < NOON + 3 * DAY]).not.toEqual(['pending', true]);
      expect(checkout.status).not.toBe('pending');
    }),
  );
});

test('the first shown account stays the current one until another is shown', () => {
  expect(
    shownAttempt({ attempts: [makeShownAttempt({ reference: REFERENCE }), latestAttempt(opening)] }).reference,
  ).toBe(REFERENCE);
});
