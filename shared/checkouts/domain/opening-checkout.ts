import * as z from 'zod/mini';
import { ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { personal } from '#shared/platform/kernel/personal.ts';
import { count, millis, text } from '#shared/platform/kernel/schemas.ts';
import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { nextProviderRetry } from '#shared/providers/domain/errors.ts';
import { attempts, latestAttempt, type ShownAttempt } from './attempt.ts';
import { type Checkout, openedCheckout } from './checkout.ts';
import { formerHolder } from './merchant-reference.ts';

/** A checkout whose account is being opened at a live provider. It is not visible, and settled at `settleAt`. */
export const openingCheckout = z.extend(
  z.omit(openedCheckout, {
    paidAmount: true,
    totals: true,
    announcedReturns: true,
    revision: true,
    payments: true,
  }),
  {
    status: z.literal('opening'),
    attempts,
    settleAt: millis,
    version: count,
    /** The account's name that is requested of the provider: what a payer's bank should show. */
    accountName: personal('other', text),
    /** The checkout that gets the merchant reference back if this one never opens; null when none had it. */
    formerHolder: z.nullable(formerHolder),
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
  formerHolder: left ? left.formerHolder && { ...left.formerHolder, revision: null } : intent.formerHolder,
});

/** The provider did not report the outcome (`failure` says why): it is asked again, at growing intervals. */
export const postponeSettling = (before: OpeningCheckout, now: Millis, failure: unknown): OpeningCheckout => ({
  ...before,
  settleAt: nextProviderRetry(before.createdAt, now, MINUTE, failure),
  version: before.version + 1,
});

/** What its provider is asked for; the same again gives the same account (shared/providers/ports.ts). */
export const wantedOf = (intent: OpeningCheckout) => {
  const { amount, payerName, payerEmail, accountName } = intent;
  const { reference, expiresAt } = latestAttempt(intent);
  return { reference, amount, payerName, payerEmail, expiresAt, accountName };
};

/** The object that its provider is asked about. */
export const askedAbout = (intent: OpeningCheckout) => ({
  provider: latestAttempt(intent).provider,
  mode: intent.mode,
});

/** A payment account as the provider issued it, under the reference that it was tried with last. */
type Issued = Pick<ShownAttempt, 'account' | 'amountToPay' | 'expiresAt'> & { readonly providerReference: string };

/** The checkout with the account that the provider of its latest attempt issued, which is shown from `shownAt` on. */
export const beginCheckout = (
  { settleAt: _, formerHolder: __, accountName: ___, ...before }: OpeningCheckout,
  { providerReference: reference, ...issued }: Issued,
  shownAt: Millis,
): Checkout => ({
  ...before,
  attempts: [
    ...before.attempts.slice(0, -1),
    { ...latestAttempt(before), ...issued, reference, state: 'open', shownAt },
  ],
  paidAmount: ZERO_KOBO,
  totals: {},
  announcedReturns: [],
  revision: 1,
  // The first visible version, however often its opening was resumed.
  version: 1,
  payments: [],
  status: 'pending',
});
