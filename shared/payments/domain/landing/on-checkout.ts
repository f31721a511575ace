import { noteReturn } from '#shared/checkouts/domain/announced-returns.ts';
import {
  acceptPayment,
  type Checkout,
  completePayment,
  rejectPayment,
  reversePayments,
} from '#shared/checkouts/domain/checkout.ts';
import { type CheckoutChange, checkoutEntries } from '#shared/checkouts/domain/checkout-change.ts';
import { isCompletedBy } from '#shared/checkouts/domain/completion.ts';
import type { NewPaymentContext, Payment } from '#shared/payments/domain/payment.ts';
import type { MoneyReport, ReportedMoney } from '#shared/providers/domain/report.ts';
import type { Ignored, MoneyChange, NextReportState, Posted, ReportedChange } from './landing.ts';

const withTotal = (checkout: Checkout, { reference, state }: NextReportState): Checkout => ({
  ...checkout,
  totals: { ...checkout.totals, [reference]: state },
});

/** Records the return of money that never counted, and announces it unless it was announced before. */
const announceReturn = (checkout: Checkout, money: ReportedMoney, payment: Payment): CheckoutChange => {
  const { announcedReturns, isNew } = noteReturn(checkout.announcedReturns, {
    transaction: money.kind === 'transfer' ? money.transferId : money.providerReference,
    amount: payment.amount,
    reportedBy: money.kind === 'rejection' ? 'notification' : 'look_up',
  });
  const next = { ...checkout, announcedReturns };
  return isNew ? { ...rejectPayment(next, payment), payment } : { checkout: next, announce: null, payment };
};

/** Applies a change of money to its checkout; undefined if the checkout stays the same. */
const changeOnCheckout = (
  checkout: Checkout,
  change: MoneyChange,
  report: MoneyReport,
  recordedAt: number,
): CheckoutChange | undefined => {
  const { money } = report;
  const isCompleted = isCompletedBy(checkout, report);
  switch (change.kind) {
    case 'credited': {
      const { payment } = change;
      return { ...acceptPayment(checkout, payment, isCompleted), payment };
    }
    case 'rejected':
      return announceReturn(checkout, money, change.payment);
    case 'withdrawn': {
      const { amount, reversed, remainder, noteChange, isSomeKept } = change;
      if (amount === 0) return { checkout, announce: null, noteChange };
      const step = reversePayments(checkout, reversed, amount, {
        remainder,
        complete: isSomeKept && isCompleted,
      });
      return { ...step, reversed, noteChange, ...(remainder && { payment: remainder }) };
    }
    case 'nothing':
      // The provider may consider the checkout paid with the money that counts already.
      return isCompleted && change.isCounted
        ? completePayment(checkout, { ...money, paidAt: money.paidAt ?? recordedAt })
        : undefined;
  }
};

/** Lands a change of money on its checkout. */
export const landOnCheckout = (
  before: Checkout,
  { change, total, isPartial }: ReportedChange,
  report: MoneyReport,
  { recordedAt }: NewPaymentContext,
): Ignored | Posted => {
  const checkout = total ? withTotal(before, total) : before;
  const next = changeOnCheckout(checkout, change, report, recordedAt);
  if (!next && !total) return { kind: 'ignored', as: 'landed' };
  const written = checkoutEntries(before, next ?? { checkout, announce: null });
  return { kind: 'posted', as: 'landed', ...written, isPartial };
};
