import { diff } from '#shared/domain/money/movement.ts';
import { asReversed, type NewPayment, type Payment, paymentFrom } from '#shared/domain/money/payment.ts';
import { recordedPosition, reportedPosition } from '#shared/domain/money/position.ts';
import { type ReportedRejection, type ReportedTransfer, singleSourceOf } from '#shared/domain/money/report.ts';
import type { VirtualAccount } from './virtual-account.ts';

/** A payment that reported money leads to on a virtual account. `returned`: before it counted, which is recorded and not announced. */
export interface AccountLanding {
  readonly kind: 'received' | 'returned' | 'reversed';
  readonly payment: Payment;
}

/** Lands reported money on a virtual account; undefined when nothing changes. `known`: the payment that is recorded of the same source. */
export const landOnVirtualAccount = (
  context: NewPayment,
  { id, mode, businessId, provider }: VirtualAccount,
  money: ReportedTransfer | ReportedRejection,
  known: Payment | undefined,
): AccountLanding | undefined => {
  const origin = singleSourceOf(money);
  // The amount of a transfer is final once it is recorded.
  const now = reportedPosition({ ...money, amount: known?.amount ?? money.amount }, context.recordedAt);
  const [movement] = diff(known && recordedPosition(origin, known), now);
  const owner = { mode, businessId, provider, owner: { kind: 'virtual_account', id } } as const;
  const paymentOf = (outcome: 'accepted' | 'rejected'): Payment =>
    paymentFrom(context, owner, money, { origin, amount: money.amount, outcome, late: false });
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
