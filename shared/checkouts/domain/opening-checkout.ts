import * as z from 'zod/mini';
import { ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { personal } from '#shared/platform/kernel/personal.ts';
import { count, millis, text } from '#shared/platform/kernel/schemas.ts';
import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { nextProviderRetry } from '#shared/providers/domain/errors.ts';
import { type Checkout, openedCheckout } from './checkout.ts';
import { formerHolder } from './merchant-reference.ts';

/** A checkout whose account is being opened at a live provider. It is not visible, and settled at `settleAt`. */
export const openingCheckout = z.extend(
  z.omit(openedCheckout, {
    amountToPay: true,
    paidAmount: true,
    account: true,
    providerReference: true,
    lookUps: true,
    askAgainAt: true,
    totals: true,
    announcedReturns: true,
    revision: true,
    payments: true,
  }),
  {
    status: z.literal('opening'),
    settleAt: millis,
    version: count,
    /** The account's name that is requested of the provider: what a payer's bank should show. */
    accountName: personal('other', text),
    /** The checkout that gets the merchant reference back if this one never opens; null when none had it. */
    formerHolder: z.nullable(formerHolder),
  },
);
export type OpeningCheckout = z.infer<typeof openingCheckout>;

/** The provider did not report the outcome (`failure` says why): it is asked again, at growing intervals. */
export const postponeSettling = (before: OpeningCheckout, now: Millis, failure: unknown): OpeningCheckout => ({
  ...before,
  settleAt: nextProviderRetry(before.createdAt, now, MINUTE, failure),
  version: before.version + 1,
});

/** What its provider is asked for; the same again gives the same account (shared/providers/ports.ts). */
export const wantedOf = ({ reference, amount, payerName, payerEmail, expiresAt, accountName }: OpeningCheckout) => ({
  reference,
  amount,
  payerName,
  payerEmail,
  expiresAt,
  accountName,
});

/** The checkout with the account that the provider issued, and the provider's own expiry. */
export const beginCheckout = (
  { settleAt: _, formerHolder: __, accountName: ___, ...before }: OpeningCheckout,
  issued: Pick<Checkout, 'account' | 'amountToPay' | 'expiresAt' | 'providerReference'>,
): Checkout => ({
  ...before,
  ...issued,
  paidAmount: ZERO_KOBO,
  lookUps: 0,
  askAgainAt: null,
  totals: {},
  announcedReturns: [],
  revision: 1,
  // The first visible version, however often its opening was resumed.
  version: 1,
  payments: [],
  status: 'pending',
});
