import { diff } from '#shared/domain/money/movement.ts';
import { asReversed } from '#shared/domain/money/payment.ts';
import { recordedPosition, reportedPosition } from '#shared/domain/money/position.ts';
import {
  type ReportedMoney,
  type ReportedRejection,
  type ReportedTransfer,
  singleSourceOf,
} from '#shared/domain/money/report.ts';
import { acceptPayment, type Checkout, reversePayments } from './checkout.ts';
import { isCompletedBy } from './completion.ts';
import { landTotal } from './land-total.ts';
import { completeOnly, type LandingContext, type LandingStep, newPayment, returnMoney } from './landing-step.ts';

/* What reported money makes of a checkout: its movements, folded into the checkout's state one at a time. Pure. */

/** The step that a report of a transfer or of a rejection makes of a checkout. */
const landTransfer = (
  context: LandingContext,
  checkout: Checkout,
  money: ReportedTransfer | ReportedRejection,
): LandingStep | undefined => {
  const { known, askedAt, state } = context;
  const origin = singleSourceOf(money);
  // The amount of a transfer is final once it is recorded.
  const now = reportedPosition({ ...money, amount: known?.amount ?? money.amount }, askedAt);
  const [movement] = diff(known && recordedPosition(origin, known), now);
  const of = { origin, amount: money.amount };
  switch (movement?.kind) {
    case 'credited': {
      const payment = newPayment(context, checkout, money, { ...of, outcome: 'accepted' });
      return { ...acceptPayment(checkout, payment, isCompletedBy(checkout, money, state)), payment };
    }
    case 'returned':
      return returnMoney(checkout, money, newPayment(context, checkout, money, { ...of, outcome: 'rejected' }));
    case 'reversed': {
      const reversed = known ? [asReversed(known)] : [];
      return { ...reversePayments(checkout, reversed, movement.amount), reversed };
    }
    // A transfer that was reinstated is no step: operators decide about it (land-money.ts).
    default:
      return known?.outcome === 'accepted' ? completeOnly(context, checkout, money) : undefined;
  }
};

/**
 * The next step that reported money makes of a checkout; undefined when it changes nothing; `stale` when the report may be older than
 * what counts (isStale). A step that is partial is to be recorded before the same report is applied again.
 */
export const landOnCheckout = (
  context: LandingContext,
  checkout: Checkout,
  money: ReportedMoney,
): LandingStep | 'stale' | undefined =>
  money.kind === 'running_total' ? landTotal(context, checkout, money) : landTransfer(context, checkout, money);
