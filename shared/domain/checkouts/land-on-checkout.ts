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

/* How reported money changes a checkout: its movements are applied one at a time. Pure. */

/** The step that a report of a transfer or of a rejection causes; undefined when nothing changes. */
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
  const recorded = { origin, amount: money.amount };
  switch (movement?.kind) {
    case 'credited': {
      const payment = newPayment(context, checkout, money, { ...recorded, outcome: 'accepted' });
      return { ...acceptPayment(checkout, payment, isCompletedBy(checkout, money, state)), payment };
    }
    case 'returned':
      return returnMoney(checkout, money, newPayment(context, checkout, money, { ...recorded, outcome: 'rejected' }));
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
 * The next step that a report of money causes on a checkout; undefined when nothing changes; `stale` when the report may be older than
 * what counts (isStale). After a partial step has been recorded, the same report is applied again.
 */
export const landOnCheckout = (
  context: LandingContext,
  checkout: Checkout,
  money: ReportedMoney,
): LandingStep | 'stale' | undefined =>
  money.kind === 'running_total' ? landTotal(context, checkout, money) : landTransfer(context, checkout, money);
