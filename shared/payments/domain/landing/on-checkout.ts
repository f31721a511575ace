import { noteReturn } from '#shared/checkouts/domain/announced-returns.ts';
import {
  acceptPayment,
  type Checkout,
  completePayment,
  rejectPayment,
  reversePayments,
} from '#shared/checkouts/domain/checkout.ts';
import type { CheckoutChange } from '#shared/checkouts/domain/checkout-change.ts';
import { isCompletedBy } from '#shared/checkouts/domain/completion.ts';
import type { NewPayment, Payment } from '#shared/payments/domain/payment.ts';
import type { MoneyReport, ReportedMoney } from '#shared/providers/domain/report.ts';
import { compareTotal, type TotalChange } from './compare-total.ts';
import { compareTransfer } from './compare-transfer.ts';
import type { Landing, LandingCheckout, LandingEvent, LandingState, MoneyChange } from './landing.ts';

/** What a change of a checkout writes and announces. */
export const checkoutEntries = (before: Checkout, { checkout, announce, ...payments }: CheckoutChange) => {
  const after = { ...checkout, revision: before.revision + 1 };
  const events: readonly LandingEvent[] = announce ? [{ type: announce }] : [];
  return { entries: { ...payments, checkout: { before, after } }, events };
};

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

/** What a change of money makes of its checkout; undefined where the checkout stays as it is. */
const changeOnCheckout = (
  checkout: Checkout,
  change: MoneyChange,
  { money, state }: MoneyReport,
  recordedAt: number,
): CheckoutChange | undefined => {
  const isCompleted = isCompletedBy(checkout, money, state);
  switch (change.kind) {
    case 'credited': {
      const { payment } = change;
      return { ...acceptPayment(checkout, payment, isCompleted), payment };
    }
    case 'returned':
      return announceReturn(checkout, money, change.payment);
    case 'withdrawn': {
      const { amount, reversed, rest, noted, isSomeKept } = change;
      if (amount === 0) return { checkout, announce: null, noted };
      const step = reversePayments(checkout, reversed, amount, { rest, complete: isSomeKept && isCompleted });
      return { ...step, reversed, noted, ...(rest && { payment: rest }) };
    }
    case 'nothing':
      // The provider may consider the checkout paid with what counts already.
      return isCompleted && change.counts
        ? completePayment(checkout, { ...money, paidAt: money.paidAt ?? recordedAt })
        : undefined;
  }
};

const compare = (
  owner: LandingCheckout,
  { known, parts }: Pick<LandingState, 'known' | 'parts'>,
  report: MoneyReport,
  made: NewPayment,
): TotalChange | 'stale' => {
  const { money } = report;
  if (money.kind === 'running_total') return compareTotal(owner, parts, { ...report, money }, made);
  const change = compareTransfer(owner, { known, parts }, { ...report, money }, made);
  return { change, total: undefined, isPartial: false };
};

/** Lands money on a checkout. */
export const landOnCheckout = (
  owner: LandingCheckout,
  state: Pick<LandingState, 'known' | 'parts'>,
  report: MoneyReport,
  made: NewPayment,
): Landing => {
  const compared = compare(owner, state, report, made);
  if (compared === 'stale') return { kind: 'stale' };
  const { change, total, isPartial } = compared;
  const { checkout: before } = owner;
  const { payee } = report.money;
  const counted =
    total && payee.by === 'our_reference'
      ? { ...before, totals: { ...before.totals, [payee.reference]: total } }
      : before;
  const next = changeOnCheckout(counted, change, report, made.recordedAt);
  if (!next && !total) return { kind: 'ignored', as: 'landed' };
  const written = checkoutEntries(before, next ?? { checkout: counted, announce: null });
  return { kind: 'posted', as: 'landed', ...written, isPartial };
};
