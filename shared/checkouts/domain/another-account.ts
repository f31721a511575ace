import { ApiError } from '#shared/platform/kernel/errors.ts';
import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { MAX_ATTEMPTS } from '#shared/providers/domain/attempt-reference.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { type Attempt, type Attempted, leaveAttempt, shownAttempt, withAttempt, withNext } from './attempt.ts';
import { type Checkout, type CheckoutStep, notPayable } from './checkout.ts';
import type { Issued } from './opening-checkout.ts';
import type { OtherAccount } from './payer-view.ts';

/*
 * A payer whose bank cannot find the account is shown another one, at another provider, beside the first: money on each of them counts. Until it is
 * open, its attempt is \`opening\`, and nobody sees a change.
 */

/** The shortest time that a payer has for another account, which is that of a live checkout. Milliseconds. */
const SHORTEST_TIME = 5 * MINUTE;

/** The attempt of another account that is being opened; undefined where none is. */
export const openingAttempt = ({ attempts }: Attempted): Attempt | undefined =>
  attempts.find(({ state }) => state === 'opening');

/** Whether a checkout waits for its first money, and its time is not up. */
export const isAwaited = (checkout: Checkout, now: Millis): boolean =>
  checkout.status === 'pending' && now < shownAttempt(checkout).expiresAt;

/** Refuses another account where a checkout waits for no money: \`checkout_not_payable\`. */
export const ensureAwaited = (checkout: Checkout, now: Millis): void => {
  if (isAwaited(checkout, now)) return;
  if (checkout.status === 'paid' || checkout.status === 'failed' || checkout.status === 'expired') {
    throw notPayable(checkout);
  }
  const message =
    checkout.status === 'underpaid'
      ? 'Checkout has accepted money. Start a new one for what is missing.'
      : 'The time of this checkout is up. Start a new one.';
  throw new ApiError('checkout_not_payable', { message });
};

/** The providers that may open another account for a checkout: each is asked once in its life, and three in all. */
export const otherProviders = ({ attempts }: Attempted, order: readonly ProviderName[]): readonly ProviderName[] =>
  attempts.length === MAX_ATTEMPTS ? [] : order.filter((name) => !attempts.some(({ provider }) => provider === name));

/** Whether a payer may ask for another account: the request left the provider to us, one is left, and none is being opened. */
export const offerOther = (checkout: Checkout, order: readonly ProviderName[], now: Millis): OtherAccount => {
  if (!checkout.isRouted || order.length === 0 || !isAwaited(checkout, now)) return 'not_offered';
  if (openingAttempt(checkout)) return 'not_offered';
  return otherProviders(checkout, order).length > 0 ? 'offered' : 'none';
};

interface Asking {
  readonly now: Millis;
  /** When the provider is looked up, should the request that asks it be interrupted. */
  readonly leaseUntil: Millis;
  /** Whether the account of the provider before may be open all the same. */
  readonly mayExist: boolean;
}

/** Writes down that a provider is asked for another account, before it is: again where an interrupted request asked it. Not announced. */
export const askForAnother = (
  before: Checkout,
  provider: ProviderName,
  { now, leaseUntil, mayExist }: Asking,
): CheckoutStep => {
  const interrupted = openingAttempt(before);
  if (interrupted?.provider === provider) {
    return { checkout: withAttempt(before, { ...interrupted, askAgainAt: leaseUntil }), announce: null };
  }
  const expiresAt = Math.max(shownAttempt(before).expiresAt, now + SHORTEST_TIME);
  const time = { openedAt: now, expiresAt, askAgainAt: leaseUntil };
  return { checkout: { ...before, attempts: withNext(before, provider, time, mayExist) }, announce: null };
};

const stillOpening = (checkout: Checkout, { reference }: Attempt): Attempt | undefined => {
  const opening = openingAttempt(checkout);
  return opening?.reference === reference ? opening : undefined;
};

/**
 * Shows the account that a provider issued for an attempt. Where the checkout waits for no money any more it is kept, and nobody is shown it: money on
 * it counts. Undefined where the attempt was settled meanwhile.
 */
export const showAnother = (
  before: Checkout,
  expected: Attempt,
  { providerReference: reference, ...issued }: Issued,
  now: Millis,
): CheckoutStep | undefined => {
  const opening = stillOpening(before, expected);
  if (!opening) return undefined;
  const isShown = isAwaited(before, now);
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

/** The last provider that was asked opened no account in time, though it may be open all the same (\`mayExist\`). Not announced. */
export const leaveAnother = (before: Checkout, expected: Attempt, mayExist: boolean): CheckoutStep | undefined => {
  const opening = stillOpening(before, expected);
  return opening && { checkout: withAttempt(before, leaveAttempt(opening, mayExist)), announce: null };
};

/**
 * The last provider that was asked is busy and did nothing: it may be asked again, as if it had not been. Not announced. Undefined where the attempt
 * was settled meanwhile.
 */
export const withdrawAnother = (before: Checkout, expected: Attempt): CheckoutStep | undefined => {
  const opening = stillOpening(before, expected);
  const attempts = before.attempts.filter((attempt) => attempt !== opening);
  return opening && { checkout: { ...before, attempts }, announce: null };
};
