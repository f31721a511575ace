import * as z from 'zod/mini';
import { ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { personal } from '#shared/platform/kernel/personal.ts';
import { count, millis, text } from '#shared/platform/kernel/schemas.ts';
import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { nextProviderRetry } from '#shared/providers/domain/errors.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { type Attempt, attemptList, latestAttempt, leaveAttempt, type ShownAttempt, withNext } from './attempt.ts';
import { type Checkout, openedCheckout } from './checkout.ts';
import { formerOwner } from './merchant-reference.ts';

/** A checkout whose account is being opened at a live provider. It is not visible, and settled at `settleAt`. */
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
    /** The account's name that is requested of the provider: what a payer's bank should show. */
    accountName: personal('other', text),
    /** The checkout that gets the merchant reference back if this one never opens; null when none had it. */
    formerOwner: z.nullable(formerOwner),
  },
);
export type OpeningCheckout = z.infer<typeof openingCheckout>;

/** The intent of a retry, under the reference of the earlier request; `left`: what that left, undefined where it was dropped. */
export const resumeOpening = (
  reference: string,
  intent: OpeningCheckout,
  left: OpeningCheckout | undefined,
): OpeningCheckout => ({
  ...intent,
  reference,
  attempts: left?.attempts ?? [{ ...latestAttempt(intent), reference }],
  // An intent that is resumed has already taken its merchant reference.
  formerOwner: left ? left.formerOwner && { ...left.formerOwner, revision: null } : intent.formerOwner,
});

/** The provider did not report the outcome (`failure` says why): it is asked again, at growing intervals. */
export const postponeSettling = (before: OpeningCheckout, now: Millis, failure: unknown): OpeningCheckout => ({
  ...before,
  settleAt: nextProviderRetry(before.createdAt, now, MINUTE, failure),
  version: before.version + 1,
});

/** The payment that a provider is asked for. */
type PaymentDetails = Pick<OpeningCheckout, 'attempts' | 'amount' | 'payerName' | 'payerEmail' | 'accountName'>;

/** Makes the request to the provider of an attempt; the same again gives the same account (shared/providers/ports.ts). */
export const toAccountRequest = (intent: PaymentDetails, { reference, expiresAt }: Attempt = latestAttempt(intent)) => {
  const { amount, payerName, payerEmail, accountName } = intent;
  return { reference, amount, payerName, payerEmail, expiresAt, accountName };
};

/** The object that its provider is asked about. */
export const providerAndMode = (intent: OpeningCheckout) => ({
  provider: latestAttempt(intent).provider,
  mode: intent.mode,
});

/** A payment account as the provider issued it, under the reference that it was tried with last. */
export type Issued = Pick<ShownAttempt, 'account' | 'amountToPay' | 'expiresAt'> & {
  readonly providerReference: string;
};

/** The same intent, of which nobody was asked yet, at another provider. */
export const openAt = (intent: OpeningCheckout, provider: ProviderName): OpeningCheckout => ({
  ...intent,
  attempts: [{ ...latestAttempt(intent), provider }],
});

/**
 * The intent at the next provider, which is asked from `openedAt` on, under a reference of its own. The provider that was asked last opened no
 * account in time, though it may be open all the same (`mayExist`).
 */
export const moveOn = (
  before: OpeningCheckout,
  provider: ProviderName,
  { mayExist, openedAt }: { readonly mayExist: boolean; readonly openedAt: Millis },
): OpeningCheckout => {
  const { expiresAt } = latestAttempt(before);
  const attempts = withNext(before, provider, { openedAt, expiresAt }, mayExist);
  return { ...before, attempts, version: before.version + 1 };
};

/** The checkout with the account that a provider issued for one of its attempts, which is shown from `shownAt` on. */
export const beginCheckout = (
  { settleAt: _, formerOwner: __, accountName: ___, ...before }: OpeningCheckout,
  opened: Attempt,
  { providerReference: reference, ...issued }: Issued,
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
  // The first visible version, however often its opening was resumed.
  version: 1,
  payments: [],
  status: 'pending',
});
