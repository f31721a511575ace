import { acceptPayment, type Checkout, reversePayments } from '#shared/checkouts/domain/checkout.ts';
import { isCompletedBy } from '#shared/checkouts/domain/completion.ts';
import { ForeignReport } from '#shared/providers/domain/errors.ts';
import {
  isReturned,
  type ReportedMoney,
  type ReportedRejection,
  type ReportedTransfer,
  singleSourceOf,
} from '#shared/providers/domain/report.ts';
import type { PaymentOrigin } from '#shared/providers/domain/source.ts';
import { landTotal, partsToRead } from './land-total.ts';
import { completeOnly, type LandingContext, type LandingStep, newPayment, returnMoney } from './landing-step.ts';
import { diff } from './movement.ts';
import { recordedPosition, reportedPosition } from './position.ts';
import { originOfRest, type Withdrawn, withdrawFrom } from './refunded-transfer.ts';

/* How reported money changes a checkout: its movements are applied one at a time. Pure. */

/** Takes returned money out of the checkout. What a refund left of a payment goes on counting, and completes it while the provider says so. */
const takeOut = (
  { state }: LandingContext,
  checkout: Checkout,
  money: ReportedTransfer | ReportedRejection,
  { amount, reversed, rest, noted }: Withdrawn,
): LandingStep => {
  if (amount === 0) return { checkout, announce: null, noted };
  const complete = rest !== undefined && isCompletedBy(checkout, money, state);
  const step = reversePayments(checkout, reversed, amount, { rest, complete });
  return { ...step, reversed, noted, ...(rest && { payment: rest }) };
};

/** The step that a report of a transfer or of a rejection causes; undefined when nothing changes. */
const landTransfer = (
  context: LandingContext,
  checkout: Checkout,
  money: ReportedTransfer | ReportedRejection,
): LandingStep | undefined => {
  const { known, parts: [rest] = [], askedAt, state } = context;
  const withdrawn =
    known && withdrawFrom(context, { first: known, latest: rest ?? known }, { isReturned: isReturned(money) });
  if (withdrawn) return takeOut(context, checkout, money, withdrawn);
  const origin = singleSourceOf(money);
  // The amount of a transfer is final once it is recorded.
  const now = reportedPosition({ ...money, amount: known?.amount ?? money.amount }, askedAt);
  const [movement] = diff(known && recordedPosition(origin, known), now);
  const recorded = { origin, amount: money.amount };
  switch (movement?.kind) {
    case 'credited': {
      const payment = newPayment(context, checkout, money, { ...recorded, outcome: 'accepted' });
      return { ...acceptPayment(checkout, payment, isCompletedBy(checkout, money, state)), payment };
    }
    case 'returned':
      return returnMoney(checkout, money, newPayment(context, checkout, money, { ...recorded, outcome: 'rejected' }));
    // A transfer that was reinstated is no step: operators decide about it (land-money.ts).
    default:
      return known?.outcome === 'accepted' ? completeOnly(context, checkout, money) : undefined;
  }
};

/**
 * The next step that a report of money causes on a checkout; undefined when nothing changes; `stale` when the report may be older than
 * what counts (isStale). After a partial step has been recorded, the same report is applied again.
 * @throws ForeignReport for a checkout of another provider or of test mode.
 */
export const landOnCheckout = (
  context: LandingContext,
  checkout: Checkout,
  money: ReportedMoney,
): LandingStep | 'stale' | undefined => {
  // A reference is no proof of ownership: no caller may record one provider's money, or live money, on another's owner or in test mode.
  if (checkout.provider !== context.provider || checkout.mode !== 'live') throw new ForeignReport(checkout.reference);
  return money.kind === 'running_total' ? landTotal(context, checkout, money) : landTransfer(context, checkout, money);
};

/**
 * The origins of the payments that have to be read before a landing is decided: those that the report of a running total reverses, since a
 * checkout holds its newest payments only, and the rest of a refunded transfer (`known`: its first payment). Mostly none.
 */
export const paymentsToRead = (
  checkout: Checkout,
  money: ReportedMoney,
  { known, refund }: Pick<LandingContext, 'known' | 'refund'>,
): readonly PaymentOrigin[] => {
  if (money.kind === 'running_total') return partsToRead(checkout, money, refund);
  const rest = known && originOfRest(known);
  return rest ? [rest] : [];
};
