import { usageLimitReached } from '#shared/businesses/domain/usage-limits.ts';
import type { UsageStore } from '#shared/businesses/ports.ts';
import { shownAttempt, shownAttempts } from '#shared/checkouts/domain/attempt.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import type { PageUses } from '#shared/checkouts/ports.ts';
import { type ChangeDeps, decideCheckout } from '#shared/payments/use-cases/change-checkout.ts';
import { type CommitDeps, commit } from '#shared/platform/commit.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import { addKobo, type Kobo, kobo, subtractDownToZero } from '#shared/platform/kernel/money.ts';
import { ONE_AT_A_TIME } from '#shared/platform/until-committed.ts';
import { type FindLinkedDeps, findLinked } from './show-to-payer.ts';
import { type SimulateCheckoutInput, simulateStep } from './simulate-checkout-payment.ts';

/** What the page of a test checkout can cause. */
export const PAGE_OUTCOMES = ['exact', 'earlier', 'less', 'more', 'returned', 'late', 'failed'] as const;
export type PageOutcome = (typeof PAGE_OUTCOMES)[number];

/** A button of the page that was pressed. */
export interface PressedButton {
  readonly outcome: PageOutcome;
  /** The version of the checkout that the page showed. */
  readonly seenVersion: number;
}

export interface SimulateOnPageDeps extends FindLinkedDeps, ChangeDeps, CommitDeps {
  readonly pageUses: PageUses;
  readonly usage: UsageStore;
}

/** Kobo that `more` pays too much. */
const TOO_MUCH = kobo.parse(50_000);

const half = (amount: Kobo): Kobo => kobo.parse(Math.floor(amount / 2));

/** What is still due; all of it again once nothing is, as a payer who transfers twice. */
const computeDue = (checkout: Checkout): Kobo => {
  const { amountToPay } = shownAttempt(checkout);
  const due = subtractDownToZero(amountToPay, checkout.paidAmount);
  return due > 0 ? due : amountToPay;
};

const buildInput = (checkout: Checkout, outcome: PageOutcome): SimulateCheckoutInput => {
  const { reference } = checkout;
  const due = computeDue(checkout);
  const pays = {
    reference,
    outcome: 'accepted',
    amount: due,
    late: false,
    senderName: null,
    senderBank: null,
  } as const;
  switch (outcome) {
    case 'exact':
      return pays;
    case 'earlier': {
      const [earlier] = shownAttempts(checkout);
      return { ...pays, accountNumber: earlier?.account.accountNumber };
    }
    case 'less':
      return { ...pays, amount: half(due) };
    case 'more':
      return { ...pays, amount: addKobo(due, TOO_MUCH) };
    case 'returned':
      return { ...pays, amount: half(due), outcome: 'rejected' };
    case 'late':
      return { ...pays, late: true };
    case 'failed':
      return { ...pays, outcome: 'fail', amount: undefined };
  }
};

/**
 * Causes on the page of a test checkout what a bank transfer would, through the code that real money takes, at most fifty times in its
 * life and 120 times a minute for all of a business's. What a state does not allow, such as to fail a paid checkout, changes nothing; nor
 * does a button of a page that is no longer true, as when a button is pressed twice.
 * @throws the refusals not_found, for a live checkout too; rate_limited.
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
  // A public key starts test checkouts without end, and each simulation sends webhooks to the business's receivers.
  if (!(await deps.usage.take(stored.businessId, 'page_simulation', now))) {
    throw usageLimitReached('page_simulation', [stored.businessId], now);
  }
  if (!(await deps.pageUses.take(stored, 'simulation'))) throw new ApiError('rate_limited');
  try {
    const decide = (checkout: Checkout) =>
      checkout.version === seenVersion ? simulateStep(deps, checkout, buildInput(checkout, outcome)) : undefined;
    return await commit(deps, async () => ({
      ...(await decideCheckout(deps, stored, stored.reference, decide)),
      giveUp: ONE_AT_A_TIME,
    }));
  } catch (error) {
    if (error instanceof ApiError && error.code === 'checkout_not_payable') return stored;
    throw error;
  }
};
