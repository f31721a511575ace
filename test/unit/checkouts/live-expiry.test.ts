import { type Attempt, newAttempt, shownAttempt, withAttempt } from '#shared/checkouts/domain/attempt.ts';
import {
  askLater,
  type Checkout,
  type CheckoutStep,
  endAccountAtProvider,
  expireByTime,
  isCoveredByList,
  nextLookUp,
  settleAttempt,
} from '#shared/checkouts/domain/checkout.ts';
import { DAY, HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import { ProviderError, ProviderUnavailable } from '#shared/providers/domain/errors.ts';
import { NOON, pendingCheckout } from '#test/unit/api/examples.ts';

const EXPIRY = NOON + 30 * MINUTE;
const GRACE_ENDS = EXPIRY + 5 * MINUTE;
const paid = { paidAt: NOON, senderName: null, senderBank: null } as const;

/** A live checkout that expires at `EXPIRY`. */
const live = (status: Checkout['status'], attempt: Partial<Pick<Attempt, 'lookUps' | 'askAgainAt'>> = {}) => {
  const pending = pendingCheckout({ mode: 'live' }, { expiresAt: EXPIRY, ...attempt });
  return (status === 'paid' ? { ...pending, status, ...paid } : { ...pending, status }) as Checkout;
};

const { reference: REFERENCE } = shownAttempt(live('pending'));
const dueAt = (checkout: Checkout): number | null => nextLookUp(checkout)?.dueAt ?? null;

describe('the next look-up of a live checkout', () => {
  test.each<[Checkout['status'], number, number | null]>([
    ['pending', 0, EXPIRY],
    ['pending', 1, EXPIRY + 5 * MINUTE],
    ['pending', 2, EXPIRY + 5 * MINUTE],
    ['pending', 3, EXPIRY + 5 * MINUTE],
    ['underpaid', 0, EXPIRY],
    ['underpaid', 1, EXPIRY + 5 * MINUTE],
    ['underpaid', 2, EXPIRY + HOUR],
    ['underpaid', 3, null],
    ['expired', 0, EXPIRY],
    ['expired', 1, EXPIRY + 5 * MINUTE],
    ['expired', 2, EXPIRY + HOUR],
    ['expired', 3, null],
    ['paid', 0, null],
    ['paid', 2, null],
    ['failed', 0, null],
    ['failed', 2, null],
  ])('comes in status %s after %i look-ups at %p', (status, lookUps, due) => {
    expect(dueAt(live(status, { lookUps }))).toBe(due);
  });

  test('comes later if its provider is asked again later, and never earlier', () => {
    expect(dueAt(live('pending', { askAgainAt: EXPIRY + 7 * MINUTE }))).toBe(EXPIRY + 7 * MINUTE);
    expect(dueAt(live('pending', { askAgainAt: EXPIRY - 7 * MINUTE }))).toBe(EXPIRY);
  });
});

describe('a live checkout whose provider did not answer', () => {
  test.each<[string, number, unknown, number]>([
    ['after at least a minute', 1, undefined, MINUTE],
    ['after as long as it has been due', 10 * MINUTE, undefined, 10 * MINUTE],
    ['after at most half an hour', DAY, new ProviderUnavailable(), 30 * MINUTE],
    ['after at most a day if the provider rejects', 3 * DAY, new ProviderError(), DAY],
  ])('gets its next look-up %s', (_, age, failure, wait) => {
    const before = live('pending');
    const now = EXPIRY + age;
    expect(askLater(before, REFERENCE, now, failure)).toEqual({
      checkout: withAttempt(before, { ...shownAttempt(before), askAgainAt: now + wait }),
      announce: null,
    });
  });
});

describe('when time passes, a live checkout', () => {
  test.each<[string, Checkout['status'], number, number, number]>([
    ['before its expiry', 'pending', EXPIRY - 1, 0, 1],
    ['within its grace', 'pending', GRACE_ENDS - 1, 0, 1],
    ['within its grace for the second time', 'pending', GRACE_ENDS - 1, 1, 1],
    ['after its grace, with a part of the money', 'underpaid', GRACE_ENDS, 1, 2],
    ['after its grace, already expired', 'expired', GRACE_ENDS, 2, 3],
    ['after its grace for the first time, already expired', 'expired', GRACE_ENDS, 0, 2],
    ['after its grace, already paid', 'paid', GRACE_ENDS, 1, 2],
  ])('only counts its look-up %s', (_, status, now, lookUps, counted) => {
    const before = live(status, { lookUps, askAgainAt: NOON });
    expect(expireByTime(before, now, REFERENCE)).toEqual({
      checkout: live(status, { lookUps: counted }),
      announce: null,
    });
  });

  test('expires when its grace is over and its provider reports no money', () => {
    const before = live('pending', { lookUps: 1, askAgainAt: NOON });
    for (const now of [GRACE_ENDS, GRACE_ENDS + DAY]) {
      expect(expireByTime(before, now, REFERENCE)).toEqual({
        checkout: { ...live('expired', { lookUps: 2 }), version: before.version + 1 },
        announce: 'checkout.expired',
      });
    }
  });

  test('does not change without an answer of its provider', () => {
    expect(expireByTime(live('pending'), GRACE_ENDS + DAY)).toBeUndefined();
  });
});

describe('the last look-up of a live checkout', () => {
  test.each<[Checkout['status'], number, number, boolean]>([
    ['expired', 2, EXPIRY + 30 * MINUTE, true],
    ['expired', 2, EXPIRY + 30 * MINUTE - 1, false],
    ['expired', 1, EXPIRY + HOUR, false],
    ['expired', 0, EXPIRY + HOUR, false],
    ['expired', 3, EXPIRY + HOUR, false],
    ['pending', 2, EXPIRY + HOUR, false],
    ['underpaid', 2, EXPIRY + HOUR, false],
  ])(
    'may be omitted, in status %s after %i look-ups, because of a list compared until %p: %p',
    (status, lookUps, until, isCovered) => {
      const checkout = live(status, { lookUps });
      expect(isCoveredByList(checkout, shownAttempt(checkout), until)).toBe(isCovered);
    },
  );
});

describe('a checkout whose provider accepts no more money', () => {
  test('fails if it is pending', () => {
    const before = live('pending');
    expect(endAccountAtProvider(before, REFERENCE, NOON)).toEqual({
      checkout: { ...before, status: 'failed', version: before.version + 1 },
      announce: 'checkout.failed',
    });
  });

  test.each<Checkout['status']>(['underpaid', 'paid', 'expired', 'failed'])('stays unchanged if it is %s', (status) => {
    expect(endAccountAtProvider(live(status), REFERENCE, NOON)).toBeUndefined();
  });
});

describe('an attempt without an answer, after the checkout opened at another provider', () => {
  const unknown: Attempt = {
    ...newAttempt('monnify', 'PAY-7H2KQ9XW4M1ZB8T5RC3N', { openedAt: NOON, expiresAt: EXPIRY }),
    state: 'unknown',
    askAgainAt: NOON + MINUTE,
  };
  const shown = { ...shownAttempt(live('pending')), reference: 'PAY-7H2KQ9XW4M1ZB8T5RC3N-B' };
  const before: Checkout = { ...live('pending'), attempts: [unknown, shown] };
  const settled = (changes: Partial<Attempt>) => ({
    checkout: withAttempt(before, { ...unknown, ...changes }),
    announce: null,
  });

  test('gets a look-up a minute later in any state of the checkout, and does not delay the checkout’s expiry', () => {
    expect(nextLookUp(before)).toEqual({ attempt: unknown, dueAt: NOON + MINUTE });
    expect(nextLookUp({ ...before, status: 'failed' })).toEqual({ attempt: unknown, dueAt: NOON + MINUTE });
    const late = withAttempt(before, { ...unknown, askAgainAt: EXPIRY + 1 });
    expect(nextLookUp(late)).toEqual({ attempt: shown, dueAt: EXPIRY });
    expect(nextLookUp({ ...live('failed') })).toBeNull();
  });

  test.each([
    ['found', NOON + MINUTE, { state: 'open', askAgainAt: null }],
    ['refused', NOON + MINUTE, { state: 'refused', askAgainAt: null }],
    ['absent', NOON + 2 * MINUTE, { askAgainAt: NOON + 4 * MINUTE }],
    ['absent', NOON + 30 * MINUTE, { state: 'refused', askAgainAt: null }],
    [new ProviderUnavailable(), NOON + 2 * MINUTE, { askAgainAt: NOON + 4 * MINUTE }],
    [new ProviderUnavailable(), NOON + DAY, { askAgainAt: NOON + DAY + 30 * MINUTE }],
  ] as const)('follows the look-up result %s at %p', (result, now, changes) => {
    expect(settleAttempt(before, unknown, { now, result })).toEqual(settled(changes));
  });

  test('can be settled only once', () => {
    const { checkout } = settleAttempt(before, unknown, { now: NOON + MINUTE, result: 'found' }) as CheckoutStep;
    expect(settleAttempt(checkout, unknown, { now: NOON + MINUTE, result: 'refused' })).toBeUndefined();
    expect(settleAttempt(live('pending'), unknown, { now: NOON, result: 'found' })).toBeUndefined();
  });
});
