import type { Account, Incoming } from '#shared/providers/common/simulator/ledger.ts';
import type { Kobo } from '#shared/providers/common/simulator/money.ts';

/** A payment: opened by the merchant in two steps, or by a transfer to a static account. */
export interface MonnifyTransaction {
  readonly transactionReference: string;
  readonly paymentReference: string;
  readonly product: { readonly type: 'RESERVED_ACCOUNT' | 'API_NOTIFICATION'; readonly reference: string };
  readonly amount: Kobo;
  readonly customer: { readonly name: string; readonly email: string };
  readonly description: string;
  readonly createdAt: number;
  /** The second step's; null before it. */
  account: Account | null;
  paidBy: Incoming | null;
  reversed: boolean;
  /** Refunds that were paid out, together. */
  refunded: Kobo;
}
