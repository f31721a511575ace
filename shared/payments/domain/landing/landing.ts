import type { Business } from '#shared/businesses/domain/business.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import type { CumulativeReportState } from '#shared/checkouts/domain/cumulative-report.ts';
import type { Payment, PaymentOwner } from '#shared/payments/domain/payment.ts';
import type { PaymentEntries } from '#shared/payments/domain/payment-entries.ts';
import type { UnmatchedPayment } from '#shared/payments/domain/unmatched-payment.ts';
import type { VirtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';
import type { CheckoutEventType } from '#shared/webhooks/domain/event.ts';
import type { WithdrawnMoney } from './refunded-transfer.ts';

/* The words of landing: what a report is compared with (LandingState), and what comes of it (Landing). */

/** A checkout that money lands on, as it was read with its business. */
export interface LandingCheckout {
  readonly kind: 'checkout';
  readonly business: Business;
  readonly checkout: Checkout;
}

/** The checkout or virtual account that money lands on, as it was read with its business. */
export type LandingOwner =
  | LandingCheckout
  | { readonly kind: 'virtual_account'; readonly business: Business; readonly virtualAccount: VirtualAccount };

/** Everything that is recorded of reported money. */
export interface LandingState {
  /** The payment of the transfer or rejection; undefined for a cumulative report, whose parts are on its checkout. */
  readonly known: Payment | undefined;
  /** The money itself, recorded while its owner was not known. */
  readonly unmatched: UnmatchedPayment | undefined;
  /** Undefined while the owner is not known. */
  readonly owner: LandingOwner | undefined;
  /** The owner that an operator named. */
  readonly assigned: PaymentOwner | undefined;
  /** The reference names a checkout or an account that was opened at another provider or in test mode. */
  readonly isForeign: boolean;
  /** Other payments of the money that the report may change: those that `paymentsToRead` names. */
  readonly affected: readonly Payment[];
}

/** A change of something that is recorded. Without `before` it is new; without `after` it is deleted. */
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
 * An event of a landing. A checkout has underpaid, paid or overpaid after a credit, payment_rejected after a return, payment_reversed after a
 * withdrawal, and paid where its provider calls it complete. A virtual account has an event for each payment.
 */
export type LandingEvent =
  | { readonly type: CheckoutEventType }
  | {
      readonly type: 'virtual_account.payment_received' | 'virtual_account.payment_reversed';
      readonly payment: Payment;
    };

/**
 * How the money stands after a report. `landed`: nothing is left to do. `unmatched`: it is saved until its owner is known. `other_owner`:
 * another owner has it than the operator named. `foreign`: it was returned before it was saved, under a reference that was opened at another
 * provider or in test mode.
 */
export type LandingStatus = 'landed' | 'unmatched' | 'other_owner' | 'foreign';

/** The report changes nothing. */
export interface Ignored {
  readonly kind: 'ignored';
  readonly as: LandingStatus;
}

/** What one transaction writes and announces. `isPartial`: the same report causes another one after it. */
export interface Posted {
  readonly kind: 'posted';
  readonly as: 'landed' | 'unmatched';
  readonly entries: LandingEntries;
  readonly events: readonly LandingEvent[];
  readonly isPartial: boolean;
}

/** What comes of a report. `stale`: it may be older than what counts, so the money has to be looked up again later. */
export type Landing = Ignored | { readonly kind: 'stale' } | Posted;

/** What a report changes about money, whoever owns it. Amounts are in kobo. */
export type MoneyChange =
  /** `counts`: some of the money counts already. */
  | { readonly kind: 'nothing'; readonly counts: boolean }
  /** The payment counts from now on. */
  | { readonly kind: 'credited'; readonly payment: Payment }
  /** The provider returned the money before it counted: the payment is recorded as rejected. */
  | { readonly kind: 'returned'; readonly payment: Payment }
  /** The provider returned money that counted: payments are reversed. */
  | ({ readonly kind: 'withdrawn' } & WithdrawnMoney);

/** A cumulative report as its checkout has it from now on. */
export interface NextTotal {
  readonly reference: string;
  readonly state: CumulativeReportState;
}

/** What a report changes, before it is applied to the owner. */
export interface ReportedChange {
  readonly change: MoneyChange;
  /** Undefined for a transfer, and where the total stays as it is. */
  readonly total: NextTotal | undefined;
  /** The same report changes more after this. */
  readonly isPartial: boolean;
}
