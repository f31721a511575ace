import { type NewPayment, type Payment, paymentFrom } from '#shared/payments/domain/payment.ts';
import type { Kobo } from '#shared/platform/kernel/money.ts';
import { ForeignReport } from '#shared/providers/domain/errors.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { Refund } from '#shared/providers/domain/refund.ts';
import {
  isReturned,
  type ReportedRejection,
  type ReportedTransfer,
  singleSourceOf,
} from '#shared/providers/domain/report.ts';
import type { VirtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';
import { diff } from './movement.ts';
import { recordedPosition, reportedPosition } from './position.ts';
import { type Withdrawn, withdrawFrom } from './refunded-transfer.ts';

/** The payment that a report leads to on a virtual account: one that came in, or one that was returned before it counted, which is not announced. */
export interface AccountReceipt {
  readonly kind: 'received' | 'returned';
  readonly payment: Payment;
}
/** What a report takes out of a payment of the account. */
export interface AccountWithdrawal extends Withdrawn {
  readonly kind: 'withdrawn';
}

/** Everything that a landing on an account is decided on, apart from the account and the money. */
export interface AccountLandingContext extends NewPayment {
  /** The provider that made the report. */
  readonly provider: ProviderName;
  /** A refund that the provider reported of this money. */
  readonly refund?: Refund | undefined;
  /** The first payment that is recorded of the same source, and what refunds left of it. */
  readonly known: Payment | undefined;
  readonly rest: Payment | undefined;
}

/**
 * Lands reported money on a virtual account; undefined when nothing changes.
 * @throws ForeignReport for an account of another provider or of test mode.
 */
export const landOnVirtualAccount = (
  context: AccountLandingContext,
  { id, mode, businessId, provider }: VirtualAccount,
  money: ReportedTransfer | ReportedRejection,
): AccountReceipt | AccountWithdrawal | undefined => {
  if (provider !== context.provider || mode !== 'live') throw new ForeignReport(id);
  const { known, rest } = context;
  const withdrawn =
    known && withdrawFrom(context, { first: known, latest: rest ?? known }, { isReturned: isReturned(money) });
  if (withdrawn) return { kind: 'withdrawn', ...withdrawn };
  const origin = singleSourceOf(money);
  // The amount of a transfer is final once it is recorded.
  const amount: Kobo = known?.amount ?? money.amount;
  const now = reportedPosition({ ...money, amount }, context.recordedAt);
  const [movement] = diff(known && recordedPosition(origin, known), now);
  const owner = { mode, businessId, provider: context.provider, owner: { kind: 'virtual_account', id } } as const;
  const paymentOf = (outcome: 'accepted' | 'rejected'): Payment =>
    paymentFrom(context, owner, money, { origin, amount: money.amount, outcome, late: false });
  if (movement?.kind === 'credited') return { kind: 'received', payment: paymentOf('accepted') };
  return movement?.kind === 'returned' ? { kind: 'returned', payment: paymentOf('rejected') } : undefined;
};
