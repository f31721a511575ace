import { type Attempt, newAttempt } from '#shared/checkouts/domain/attempt.ts';
import { merchantFields } from '#shared/checkouts/domain/merchant-fields.ts';
import {
  beginCheckout,
  moveOn,
  type OpeningCheckout,
  openingCheckout,
  postponeSettling,
  resumeOpening,
  toAccountRequest,
} from '#shared/checkouts/domain/opening-checkout.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { ProviderError, ProviderUnavailable } from '#shared/providers/domain/errors.ts';
import { NOON, naira, pendingCheckout, SHOP, shownAttempt } from '#test/unit/api/examples.ts';
import { expectEveryFieldRequired } from '#test/unit/every-field.ts';

const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
const ATTEMPT = newAttempt('monnify', REFERENCE, { openedAt: NOON, expiresAt: NOON + 30 * MINUTE });

const opening: OpeningCheckout = {
  reference: REFERENCE,
  businessId: SHOP,
  mode: 'live',
  attempts: [ATTEMPT],
  createdWith: 'secret',
  amount: naira(5_000),
  ...merchantFields.parse(pendingCheckout()),
  merchantReference: null,
  description: 'Six yards of ankara',
  accountName: 'Ada Stores',
  createdAt: NOON,
  status: 'opening',
  settleAt: NOON + MINUTE,
  formerOwner: null,
  version: 4,
};

describe('a checkout whose account is being opened', () => {
  test('survives storing and reading', () => {
    expectEveryFieldRequired(openingCheckout, opening);
  });

  test('differs from a pending checkout', () => {
    expect(openingCheckout.safeParse({ ...opening, status: 'pending' }).success).toBe(false);
  });

  test.each<[string, number, unknown, number]>([
    ['after at least a minute', 1, undefined, MINUTE],
    ['after a wait as long as its age so far', 10 * MINUTE, undefined, 10 * MINUTE],
    ['after at most half an hour', DAY, undefined, 30 * MINUTE],
    ['after half an hour if the provider is down', DAY, new ProviderUnavailable(), 30 * MINUTE],
    ['later if the provider rejects', 5 * HOUR, new ProviderError(), 5 * HOUR],
    ['after at most a day if the provider rejects', 3 * DAY, new ProviderError(), DAY],
  ])('gets settled %s', (_, age, failure, wait) => {
    const now = NOON + age;
    expect(postponeSettling(opening, now, failure)).toEqual({ ...opening, settleAt: now + wait, version: 5 });
  });

  test('moves on to the next provider under its own reference, and keeps the attempt whose account may be open', () => {
    const moved = moveOn(opening, 'korapay', { mayExist: true, openedAt: NOON + SECOND });
    const { expiresAt } = ATTEMPT;
    const next = newAttempt('korapay', `${REFERENCE}-B`, { openedAt: NOON + SECOND, expiresAt });
    const unknown = { ...ATTEMPT, state: 'unknown', askAgainAt: NOON + MINUTE };
    expect(moved).toEqual({ ...opening, attempts: [unknown, next], version: 5 });
    const last = moveOn(moved, 'paystack', { mayExist: false, openedAt: NOON + 2 * SECOND });
    expect(last.attempts.map(({ reference, state }) => [reference, state])).toEqual([
      [REFERENCE, 'unknown'],
      [`${REFERENCE}-B`, 'refused'],
      [`${REFERENCE}-C`, 'opening'],
    ]);
    expect(toAccountRequest(last).reference).toBe(`${REFERENCE}-C`);
  });

  test('resumes an earlier request under its reference, with its attempts if they are stored', () => {
    const earlier = moveOn(opening, 'korapay', { mayExist: true, openedAt: NOON });
    const again = { ...opening, reference: 'PAY-AAAAAAAAAAAAAAAAAAAA' };
    expect(resumeOpening(REFERENCE, again, earlier)).toEqual({ ...opening, attempts: earlier.attempts });
    expect(resumeOpening(REFERENCE, again, undefined)).toEqual(opening);
  });

  test('opens at an earlier provider, and the last attempt stays unknown', () => {
    const moved = moveOn(opening, 'korapay', { mayExist: true, openedAt: NOON });
    const issued = { account: shownAttempt().account, amountToPay: naira(5_000), expiresAt: NOON + HOUR };
    const begun = beginCheckout(moved, moved.attempts[0] as Attempt, { ...issued, providerReference: REFERENCE }, NOON);
    expect(begun.attempts.map(({ state, askAgainAt }) => [state, askAgainAt])).toEqual([
      ['open', null],
      ['unknown', NOON + MINUTE],
    ]);
  });

  test('becomes a pending checkout at version 1 when the provider has issued its account', () => {
    const { account } = shownAttempt();
    const issued = { account, amountToPay: naira(5_100), expiresAt: NOON + HOUR };
    const { settleAt: _, formerOwner: __, accountName: ___, ...before } = opening;
    expect(beginCheckout(opening, ATTEMPT, { ...issued, providerReference: 'MNFY-1' }, NOON + SECOND)).toStrictEqual({
      ...before,
      attempts: [{ ...ATTEMPT, ...issued, reference: 'MNFY-1', state: 'open', shownAt: NOON + SECOND }],
      status: 'pending',
      paidAmount: 0,
      totals: {},
      announcedReturns: [],
      version: 1,
      revision: 1,
      payments: [],
    });
  });
});
