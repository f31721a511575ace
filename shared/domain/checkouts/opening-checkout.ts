import * as z from 'zod/mini';
import { ZERO_KOBO } from '#shared/domain/kernel/money.ts';
import { count, millis } from '#shared/domain/kernel/schemas.ts';
import { MINUTE, type Millis } from '#shared/domain/kernel/time.ts';
import { nextProviderRetry } from '#shared/domain/providers/errors.ts';
import { type Checkout, openedCheckout } from './checkout.ts';

/** A checkout whose account a live provider is being asked for: nobody sees it, and it is settled at `settleAt` if nobody did before. */
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
  { status: z.literal('opening'), settleAt: millis, version: count },
);
export type OpeningCheckout = z.infer<typeof openingCheckout>;

/** The provider did not tell what became of it (`failure` says why): it is asked again after as long as it has been open. */
export const postponeSettling = (before: OpeningCheckout, now: Millis, failure: unknown): OpeningCheckout => ({
  ...before,
  settleAt: nextProviderRetry(before.createdAt, now, MINUTE, failure),
  version: before.version + 1,
});

/** What the account of a checkout is called on the payer's screen when the merchant does not say who pays. */
export const accountNameOf = ({ payerName }: Pick<OpeningCheckout, 'payerName'>): string =>
  payerName ?? 'Checkout payment';

/** The provider has issued the account: the checkout begins, with the provider's own expiry. */
export const beginCheckout = (
  { settleAt: _, ...before }: OpeningCheckout,
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
  // Whoever sees it sees it from its beginning, however often its opening was taken up.
  version: 1,
  payments: [],
  status: 'pending',
});
