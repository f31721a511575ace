import * as z from 'zod/mini';
import { ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { personal } from '#shared/platform/kernel/personal.ts';
import { count, millis, text } from '#shared/platform/kernel/schemas.ts';
import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { nextProviderRetry } from '#shared/providers/domain/errors.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { type Attempt, addAttempt, attemptList, latestAttempt, leaveAttempt, type ShownAttempt } from './attempt.ts';
import { type Checkout, openedCheckout } from './checkout.ts';
import { formerOwner } from './merchant-reference.ts';

/**
 * A checkout whose account is being opened at a live provider. Nobody sees it. If its request does not finish, a look-up at `settleAt`
 * settles it.
 */
export const openingCheckout = z.extend(
  z.omit(openedCheckout, {
    paidAmount: true,
    sentAt: true,
    totals: true,
    announcedReturns: true,
    revision: true,
    payments: true,
  }),
  {
    status: z.literal('opening'),
    attempts: attemptList,
    settleAt: millis,
    version: count,
    /** The requested account name, which the payer's bank should show. */
    accountName: personal('other', text),
    /** The checkout that gets the merchant reference back if this one never opens; null if there was none. */
    formerOwner: z.nullable(formerOwner),
  },
);
export type OpeningCheckout = z.infer<typeof openingCheckout>;

/**
 * Makes the intent of a repeated request, which continues under the reference of the earlier request. `earlier`: the intent of the earlier
 * request, which passes its attempts on; undefined if that intent was dropped.
 */
export const resumeOpening = (
  reference: string,
  intent: OpeningCheckout,
  earlier: OpeningCheckout | undefined,
): OpeningCheckout => ({
  ...intent,
  reference,
  attempts: earlier?.attempts ?? [{ ...latestAttempt(intent), reference }],
  // The earlier intent has already taken the merchant reference, so the former owner's revision is not checked again.
  formerOwner: earlier ? earlier.formerOwner && { ...earlier.formerOwner, revision: null } : intent.formerOwner,
});

/** Postpones settling, because the provider did not report the outcome (`failure`). The intervals grow. */
export const postponeSettling = (before: OpeningCheckout, now: Millis, failure: unknown): OpeningCheckout => ({
  ...before,
  settleAt: nextProviderRetry(before.createdAt, now, MINUTE, failure),
  version: before.version + 1,
});

/** The fields of a checkout that an account request needs. */
type PaymentDetails = Pick<OpeningCheckout, 'attempts' | 'amount' | 'payerName' | 'payerEmail' | 'accountName'>;

/** Makes the account request of an attempt. The same request again gives the same account (shared/providers/ports.ts). */
export const toAccountRequest = (intent: PaymentDetails, { reference, expiresAt }: Attempt = latestAttempt(intent)) => {
  const { amount, payerName, payerEmail, accountName } = intent;
  return { reference, amount, payerName, payerEmail, expiresAt, accountName };
};

/** Returns the provider and the mode of an intent's newest attempt. */
export const providerAndMode = (intent: OpeningCheckout) => ({
  provider: latestAttempt(intent).provider,
  mode: intent.mode,
});

/** An issued payment account, with the last reference that was tried at the provider. */
export type IssuedAccount = Pick<ShownAttempt, 'account' | 'amountToPay' | 'expiresAt'> & {
  readonly providerReference: string;
};

/** Moves an intent to another provider before any provider was asked. */
export const withProvider = (intent: OpeningCheckout, provider: ProviderName): OpeningCheckout => ({
  ...intent,
  attempts: [{ ...latestAttempt(intent), provider }],
});

/**
 * Moves an intent to the next provider, which is asked at `openedAt`, under a reference of its own. The previous provider returned no
 * account in time. `mayExist`: whether that provider may have opened one.
 */
export const moveOn = (
  before: OpeningCheckout,
  provider: ProviderName,
  { mayExist, openedAt }: { readonly mayExist: boolean; readonly openedAt: Millis },
): OpeningCheckout => {
  const { expiresAt } = latestAttempt(before);
  const attempts = addAttempt(before, provider, { openedAt, expiresAt }, mayExist);
  return { ...before, attempts, version: before.version + 1 };
};

/** Makes the checkout from an intent and the account that a provider issued for one of its attempts. `shownAt`: when the payer first sees it. */
export const beginCheckout = (
  { settleAt: _, formerOwner: __, accountName: ___, ...before }: OpeningCheckout,
  opened: Attempt,
  { providerReference: reference, ...issued }: IssuedAccount,
  shownAt: Millis,
): Checkout => ({
  ...before,
  attempts: before.attempts.map((attempt) => {
    if (attempt.reference === opened.reference) {
      return { ...attempt, ...issued, reference, state: 'open', askAgainAt: null, shownAt };
    }
    return attempt.state === 'opening' ? leaveAttempt(attempt, true) : attempt;
  }),
  paidAmount: ZERO_KOBO,
  totals: {},
  announcedReturns: [],
  revision: 1,
  // The first visible version, even if the opening was resumed several times.
  version: 1,
  payments: [],
  status: 'pending',
});
