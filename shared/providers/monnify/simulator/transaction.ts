import type { Account, Incoming } from '#shared/providers/common/simulator/ledger.ts';
import type { Kobo } from '#shared/providers/common/simulator/money.ts';

/** A payment. The merchant opened it in two steps, or a transfer to a static account opened it. */
export interface MonnifyTransaction {
  readonly transactionReference: string;
  readonly paymentReference: string;
  readonly product: { readonly type: 'RESERVED_ACCOUNT' | 'API_NOTIFICATION'; readonly reference: string };
  readonly amount: Kobo;
  readonly customer: { readonly name: string; readonly email: string };
  readonly description: string;
  readonly createdAt: number;
  /** The account that the second step opened; null before it. */
  account: Account | null;
  paidBy: Incoming | null;
  isReversed: boolean;
  /** Sum of the refunds that were paid out. */
  refunded: Kobo;
}
