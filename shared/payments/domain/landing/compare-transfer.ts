import type { NewPayment } from '#shared/payments/domain/payment.ts';
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
 * Compares the report of a transfer or of a rejection with what is recorded of it. The amount is final once it is recorded. A transfer that
 * is kept after it was returned changes nothing here: it is money of its own (reinstated.ts).
 */
export const compareTransfer = (
  owner: LandingOwner,
  { known, affected: [rest] }: Pick<LandingState, 'known' | 'affected'>,
  report: MoneyReport & { readonly money: ReportedTransfer | ReportedRejection },
  context: NewPayment,
): MoneyChange => {
  const { money, refund } = report;
  const returned = isReturned(money);
  if (known) {
    const latest = rest ?? known;
    const withdrawn = withdrawFrom({ ...context, refund }, { first: known, latest }, { isReturned: returned });
    return withdrawn ? { kind: 'withdrawn', ...withdrawn } : { kind: 'nothing', counts: latest.outcome === 'accepted' };
  }
  if (money.amount === 0) return { kind: 'nothing', counts: false };
  const recorded = { origin: toSingleSource(money), amount: money.amount };
  return returned
    ? { kind: 'returned', payment: newPayment(owner, report, context, { ...recorded, outcome: 'rejected' }) }
    : { kind: 'credited', payment: newPayment(owner, report, context, { ...recorded, outcome: 'accepted' }) };
};
