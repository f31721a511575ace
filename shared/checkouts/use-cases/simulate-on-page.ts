import { usageLimitReached } from '#shared/businesses/domain/usage-limits.ts';
import type { UsageStore } from '#shared/businesses/ports.ts';
import { shownAttempt, shownAttempts } from '#shared/checkouts/domain/attempt.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import type { PageUses } from '#shared/checkouts/ports.ts';
import { type ChangeDeps, decideCheckout } from '#shared/payments/use-cases/change-checkout.ts';
import { type CommitDeps, commit } from '#shared/platform/commit.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import { addKobo, type Kobo, kobo, subtractDownToZero } from '#shared/platform/kernel/money.ts';
import { GIVE_UP_SOON } from '#shared/platform/until-committed.ts';
import { type FindLinkedDeps, findLinked } from './show-to-payer.ts';
import { type SimulateCheckoutInput, simulateStep } from './simulate-checkout-payment.ts';

/** Outcomes that a test checkout's payment page offers. */
export const PAGE_OUTCOMES = ['exact', 'earlier', 'less', 'more', 'returned', 'late', 'failed'] as const;
export type PageOutcome = (typeof PAGE_OUTCOMES)[number];

/** A pressed button of the page. */
export interface PressedButton {
  readonly outcome: PageOutcome;
  /** The version of the checkout that the page showed. */
  readonly seenVersion: number;
}

export interface SimulateOnPageDeps extends FindLinkedDeps, ChangeDeps, CommitDeps {
  readonly pageUses: PageUses;
  readonly usage: UsageStore;
}

/** Excess of the outcome `more`, in kobo. */
const EXCESS = kobo.parse(50_000);

const half = (amount: Kobo): Kobo => kobo.parse(Math.floor(amount / 2));

/** Computes the amount that is still due. If nothing is due, it is the whole amount again, as if the payer transferred twice. */
const computeDue = (checkout: Checkout): Kobo => {
  const { amountToPay } = shownAttempt(checkout);
  const due = subtractDownToZero(amountToPay, checkout.paidAmount);
  return due > 0 ? due : amountToPay;
};

const buildInput = (checkout: Checkout, outcome: PageOutcome): SimulateCheckoutInput => {
  const { reference } = checkout;
  const due = computeDue(checkout);
  const transfer = {
    reference,
    outcome: 'accepted',
    amount: due,
    late: false,
    senderName: null,
    senderBank: null,
  } as const;
  switch (outcome) {
    case 'exact':
      return transfer;
    case 'earlier': {
      const [earlier] = shownAttempts(checkout);
      return { ...transfer, accountNumber: earlier?.account.accountNumber };
    }
    case 'less':
      return { ...transfer, amount: half(due) };
    case 'more':
      return { ...transfer, amount: addKobo(due, EXCESS) };
    case 'returned':
      return { ...transfer, amount: half(due), outcome: 'rejected' };
    case 'late':
      return { ...transfer, late: true };
    case 'failed':
      return { ...transfer, outcome: 'fail', amount: undefined };
  }
};

/**
 * Simulates a bank transfer on a test checkout's payment page, with the changes that real money makes. Limits: fifty times in a checkout's
 * life, and 120 times a minute for all checkouts of a business. An action that the state does not allow, such as failing a paid checkout,
 * changes nothing. A button of an outdated page, such as a second click, changes nothing either.
 * @throws ApiError not_found, for a live checkout too; rate_limited.
 */
export const simulateOnPage = async (
  deps: SimulateOnPageDeps,
  link: string,
  { outcome, seenVersion }: PressedButton,
): Promise<Checkout> => {
  const stored = await findLinked(deps, link);
  if (stored.mode !== 'test') throw new ApiError('not_found');
  if (stored.version !== seenVersion) return stored;
  const now = deps.now();
  // A public key can start any number of test checkouts, and each simulation sends webhooks to the business.
  if (!(await deps.usage.take(stored.businessId, 'page_simulation', now))) {
    throw usageLimitReached('page_simulation', [stored.businessId], now);
  }
  if (!(await deps.pageUses.take(stored, 'simulation'))) throw new ApiError('rate_limited');
  try {
    const decide = (checkout: Checkout) =>
      checkout.version === seenVersion ? simulateStep(deps, checkout, buildInput(checkout, outcome)) : undefined;
    return await commit(deps, async () => ({
      ...(await decideCheckout(deps, stored, stored.reference, decide)),
      giveUp: GIVE_UP_SOON,
    }));
  } catch (error) {
    if (error instanceof ApiError && error.code === 'checkout_not_payable') return stored;
    throw error;
  }
};
