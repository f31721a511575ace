import type { Business } from '#shared/businesses/domain/business.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import type { CumulativeReportState } from '#shared/checkouts/domain/cumulative-report.ts';
import type { Payment, PaymentOwner } from '#shared/payments/domain/payment.ts';
import type { PaymentEntries } from '#shared/payments/domain/payment-entries.ts';
import type { UnmatchedPayment } from '#shared/payments/domain/unmatched-payment.ts';
import type { VirtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';
import type { CheckoutEventType } from '#shared/webhooks/domain/event.ts';
import type { WithdrawnMoney } from './refunded-transfer.ts';

/* The types of landing. A report is compared with a LandingState; the result is a Landing. */

/** A checkout that money lands on, read together with its business. */
export interface LandingCheckout {
  readonly kind: 'checkout';
  readonly business: Business;
  readonly checkout: Checkout;
}

/** The checkout or virtual account that money lands on, read together with its business. */
export type LandingOwner =
  | LandingCheckout
  | { readonly kind: 'virtual_account'; readonly business: Business; readonly virtualAccount: VirtualAccount };

/** All records of reported money. */
export interface LandingState {
  /**
   * The first recorded payment of this transfer or rejection. Always undefined for a cumulative report: the checkout has the payments of
   * its parts.
   */
  readonly known: Payment | undefined;
  /** The money as it was saved while its owner was not known. */
  readonly unmatched: UnmatchedPayment | undefined;
  /** Undefined while the owner is not known. */
  readonly owner: LandingOwner | undefined;
  /** The owner that an operator named. */
  readonly assigned: PaymentOwner | undefined;
  /** The reference names a checkout or an account that was opened at another provider or in test mode. */
  readonly isForeign: boolean;
  /** Other payments of the money that the report may change, as `paymentsToRead` lists them. */
  readonly affected: readonly Payment[];
}

/** A change of a record. Without `before` it is new; without `after` it is deleted. */
export interface PossibleChange<T> {
  readonly before?: T | undefined;
  readonly after?: T | undefined;
}

/** Everything that one landing writes. */
export interface LandingEntries extends PaymentEntries {
  readonly checkout?: { readonly before: Checkout; readonly after: Checkout };
  readonly unmatched?: PossibleChange<UnmatchedPayment>;
}

/**
 * An event of a landing. On a checkout: underpaid, paid or overpaid after a credit, payment_rejected after a rejection that was not announced
 * before, payment_reversed after a withdrawal. Also paid if the provider reports that the checkout's charge is complete. On a virtual account:
 * payment_received after a credit, payment_reversed after a withdrawal, and payment_received for its remainder; none after a rejection.
 */
export type LandingEvent =
  | { readonly type: CheckoutEventType }
  | {
      readonly type: 'virtual_account.payment_received' | 'virtual_account.payment_reversed';
      readonly payment: Payment;
    };

/**
 * The state of the money after a report was applied, whether or not the report changed something. `landed`: nothing is left to do. `unmatched`: the
 * money is saved until its owner is known. `other_owner`: it belongs to another owner than the operator named. `foreign`: its reference was opened
 * at another provider or in test mode, and the provider has returned it, so it is not saved.
 */
export type LandingStatus = 'landed' | 'unmatched' | 'other_owner' | 'foreign';

/** The report changes nothing. */
export interface Ignored {
  readonly kind: 'ignored';
  readonly as: LandingStatus;
}

/** The writes and events of one transaction. `isPartial`: the same report needs another transaction after it. */
export interface Posted {
  readonly kind: 'posted';
  readonly as: 'landed' | 'unmatched';
  readonly entries: LandingEntries;
  readonly events: readonly LandingEvent[];
  readonly isPartial: boolean;
}

/** The result of applying a report. `stale`: the report may be older than our records, so the money must be looked up again later. */
export type Landing = Ignored | { readonly kind: 'stale' } | Posted;

/** A change of money by a report, the same for every kind of owner. Amounts are in kobo. */
export type MoneyChange =
  /** `isCounted`: some of the money counts already. */
  | { readonly kind: 'nothing'; readonly isCounted: boolean }
  /** The payment counts from now on. */
  | { readonly kind: 'credited'; readonly payment: Payment }
  /** The provider returned the money before it counted: the payment is recorded as rejected. */
  | { readonly kind: 'rejected'; readonly payment: Payment }
  /** The provider returned money that counted: payments are reversed. */
  | ({ readonly kind: 'withdrawn' } & WithdrawnMoney);

/** The new state of a cumulative report on its checkout. */
export interface NextReportState {
  readonly reference: string;
  readonly state: CumulativeReportState;
}

/** The change that a report makes, before it is applied to the owner. */
export interface ReportedChange {
  readonly change: MoneyChange;
  /** Undefined for a transfer, and if the total stays the same. */
  readonly total: NextReportState | undefined;
  /** Whether the report makes another change after this one. */
  readonly isPartial: boolean;
}
