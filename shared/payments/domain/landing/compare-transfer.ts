import type { NewPaymentContext } from '#shared/payments/domain/payment.ts';
import {
  isReturned,
  type MoneyReport,
  type ReportedRejection,
  type ReportedTransfer,
  toSingleSource,
} from '#shared/providers/domain/report.ts';
import type { LandingOwner, LandingState, MoneyChange } from './landing.ts';
import { newPayment } from './new-payment.ts';
import { withdrawFrom } from './refunded-transfer.ts';

/**
 * Compares the report of a transfer or of a rejection with the records of the same money. A recorded amount never changes. If the provider returned
 * a transfer and now keeps it again, nothing changes here: the money becomes a payment of its own (reinstated.ts).
 */
export const compareTransfer = (
  owner: LandingOwner,
  { known, affected: [remainder] }: Pick<LandingState, 'known' | 'affected'>,
  report: MoneyReport & { readonly money: ReportedTransfer | ReportedRejection },
  context: NewPaymentContext,
): MoneyChange => {
  const { money, refund } = report;
  const isMoneyReturned = isReturned(money);
  if (known) {
    const latest = remainder ?? known;
    const withdrawn = withdrawFrom({ ...context, refund }, { first: known, latest }, { isReturned: isMoneyReturned });
    return withdrawn
      ? { kind: 'withdrawn', ...withdrawn }
      : { kind: 'nothing', isCounted: latest.outcome === 'accepted' };
  }
  if (money.amount === 0) return { kind: 'nothing', isCounted: false };
  const recorded = { origin: toSingleSource(money), amount: money.amount };
  return isMoneyReturned
    ? { kind: 'rejected', payment: newPayment(owner, report, context, { ...recorded, outcome: 'rejected' }) }
    : { kind: 'credited', payment: newPayment(owner, report, context, { ...recorded, outcome: 'accepted' }) };
};
