import { ApiError } from '#shared/platform/kernel/errors.ts';
import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { MAX_ATTEMPTS } from '#shared/providers/domain/attempt-reference.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { type Attempt, addAttempt, leaveAttempt, shownAttempt, type WithAttempts, withAttempt } from './attempt.ts';
import { type Checkout, type CheckoutStep, notPayable } from './checkout.ts';
import type { IssuedAccount } from './opening-checkout.ts';
import type { OtherAccount } from './payer-view.ts';

/*
 * If the payer's bank cannot find the account, the payer gets another one at another provider. The earlier accounts stay open, and money on
 * every account counts. While the new account is being opened, its attempt is `opening`, and nobody sees a change.
 */

/** Minimum lifetime of another account, the same as that of a live checkout. Milliseconds. */
const MIN_LIFETIME = 5 * MINUTE;

/** Returns the attempt of another account that is being opened; undefined if there is none. */
export const openingAttempt = ({ attempts }: WithAttempts): Attempt | undefined =>
  attempts.find(({ state }) => state === 'opening');

/** Whether a checkout waits for its first money and has not reached its expiry time. */
export const isWaitingForMoney = (checkout: Checkout, now: Millis): boolean =>
  checkout.status === 'pending' && now < shownAttempt(checkout).expiresAt;

/**
 * Checks that a checkout may get another account.
 * @throws ApiError checkout_not_payable if it does not wait for its first money, or has reached its expiry time.
 */
export const ensureWaitingForMoney = (checkout: Checkout, now: Millis): void => {
  if (isWaitingForMoney(checkout, now)) return;
  if (checkout.status === 'paid' || checkout.status === 'failed' || checkout.status === 'expired') {
    throw notPayable(checkout);
  }
  const message =
    checkout.status === 'underpaid'
      ? 'Checkout has accepted money. Start a new checkout for the missing amount.'
      : 'This checkout accepts no more payments, because its time is over. Start a new checkout.';
  throw new ApiError('checkout_not_payable', { message });
};

/** Returns the providers that may open another account. A checkout asks each provider at most once, and three in all. */
export const otherProviders = ({ attempts }: WithAttempts, order: readonly ProviderName[]): readonly ProviderName[] =>
  attempts.length === MAX_ATTEMPTS ? [] : order.filter((name) => !attempts.some(({ provider }) => provider === name));

/**
 * Tells whether a payer may ask for another account. The checkout must be routed and wait for money, another provider must be left, and no
 * account may be in the course of opening.
 */
export const offerOther = (checkout: Checkout, order: readonly ProviderName[], now: Millis): OtherAccount => {
  if (!checkout.isRouted || order.length === 0 || !isWaitingForMoney(checkout, now)) return 'not_offered';
  if (openingAttempt(checkout)) return 'not_offered';
  return otherProviders(checkout, order).length > 0 ? 'offered' : 'none';
};

interface NewRequest {
  readonly now: Millis;
  /** When a look-up settles the attempt, if the request is interrupted. */
  readonly leaseUntil: Millis;
  /** Whether the previous provider may have opened its account after all. */
  readonly mayExist: boolean;
}

/**
 * Records, before the call, that a provider is asked for another account. If an interrupted request already asked this provider, only the
 * lease is renewed. Not announced.
 */
export const askForAnother = (
  before: Checkout,
  provider: ProviderName,
  { now, leaseUntil, mayExist }: NewRequest,
): CheckoutStep => {
  const interrupted = openingAttempt(before);
  if (interrupted?.provider === provider) {
    return { checkout: withAttempt(before, { ...interrupted, askAgainAt: leaseUntil }), announce: null };
  }
  const expiresAt = Math.max(shownAttempt(before).expiresAt, now + MIN_LIFETIME);
  const time = { openedAt: now, expiresAt, askAgainAt: leaseUntil };
  return { checkout: { ...before, attempts: addAttempt(before, provider, time, mayExist) }, announce: null };
};

const stillOpening = (checkout: Checkout, { reference }: Attempt): Attempt | undefined => {
  const opening = openingAttempt(checkout);
  return opening?.reference === reference ? opening : undefined;
};

/**
 * Shows the account that a provider issued for an attempt. If the checkout no longer waits for money, the account is kept but not shown;
 * money on it counts. Undefined if the attempt was settled meanwhile.
 */
export const showAnother = (
  before: Checkout,
  expected: Attempt,
  { providerReference: reference, ...issued }: IssuedAccount,
  now: Millis,
): CheckoutStep | undefined => {
  const opening = stillOpening(before, expected);
  if (!opening) return undefined;
  const isShown = isWaitingForMoney(before, now);
  const opened: Attempt = {
    ...opening,
    ...issued,
    reference,
    state: 'open',
    askAgainAt: null,
    ...(isShown && { shownAt: now }),
  };
  const attempts = before.attempts.map((attempt) => (attempt === opening ? opened : attempt));
  return { checkout: { ...before, attempts, version: before.version + (isShown ? 1 : 0) }, announce: null };
};

/**
 * Ends the attempt at the last provider, which returned no account in time. `mayExist`: whether the provider may have opened one. Not
 * announced. Undefined if the attempt was settled meanwhile.
 */
export const endOtherAttempt = (before: Checkout, expected: Attempt, mayExist: boolean): CheckoutStep | undefined => {
  const opening = stillOpening(before, expected);
  return opening && { checkout: withAttempt(before, leaveAttempt(opening, mayExist)), announce: null };
};

/**
 * Removes the attempt at the last provider, because the provider was busy and did nothing. So it may be asked again. Not announced.
 * Undefined if the attempt was settled meanwhile.
 */
export const withdrawAnother = (before: Checkout, expected: Attempt): CheckoutStep | undefined => {
  const opening = stillOpening(before, expected);
  const attempts = before.attempts.filter((attempt) => attempt !== opening);
  return opening && { checkout: { ...before, attempts }, announce: null };
};
