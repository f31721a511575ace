import { diff } from '#shared/domain/money/movement.ts';
import { asReversed, type NewPayment, type Payment, paymentFrom } from '#shared/domain/money/payment.ts';
import { recordedPosition, reportedPosition } from '#shared/domain/money/position.ts';
import { type ReportedRejection, type ReportedTransfer, singleSourceOf } from '#shared/domain/money/report.ts';
import type { VirtualAccount } from './virtual-account.ts';

/** What reported money makes of a virtual account. Money that was returned before it counted is recorded and not announced. */
export type AccountLanding =
  | { readonly kind: 'received' | 'returned'; readonly payment: Payment }
  | { readonly kind: 'reversed'; readonly payment: Payment };

/** What a reported transfer means on a virtual account; undefined when it changes nothing. `known`: the payment recorded of the same. */
export const landOnVirtualAccount = (
  made: NewPayment,
  { id, mode, businessId, provider }: VirtualAccount,
  money: ReportedTransfer | ReportedRejection,
  known: Payment | undefined,
): AccountLanding | undefined => {
  const origin = singleSourceOf(money);
  const now = reportedPosition({ ...money, amount: known?.amount ?? money.amount }, made.recordedAt);
  const [movement] = diff(known && recordedPosition(origin, known), now);
  const owner = { mode, businessId, provider, owner: { kind: 'virtual_account', id } } as const;
  const paymentOf = (outcome: 'accepted' | 'rejected'): Payment =>
    paymentFrom(made, owner, money, { origin, amount: money.amount, outcome, late: false });
  switch (movement?.kind) {
    case 'credited':
      return { kind: 'received', payment: paymentOf('accepted') };
    case 'returned':
      return { kind: 'returned', payment: paymentOf('rejected') };
    case 'reversed':
      return known && { kind: 'reversed', payment: asReversed(known) };
    default:
      return undefined;
  }
};
