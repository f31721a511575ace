/**
 * A reading of Paystack's documentation: its behaviour on points that sources leave open or contradict, and the settings of the merchant. The
 * real behaviour is unknown (providers.md section 1), so the service must work under each reading.
 */
export interface PaystackReading {
  /** The way in which a look-up and a list show a partly refunded transaction. */
  readonly partRefunded: 'unchanged' | 'reduced' | 'reversed';
  /** The way in which a look-up and a list show a fully refunded transaction. */
  readonly allRefunded: 'reversed' | 'unchanged';
  /** The field of `refund.processed` with the refund's own id; `none` if it has no id. */
  readonly refundId: 'refund_reference' | 'id' | 'none';
  /** The HTTP status of a look-up by an unknown reference. */
  readonly unknownReference: 400 | 404;
  /** The parameter for the size of list pages. */
  readonly pageSize: 'perPage' | 'per_page';
  /** Whether lists count their pages. */
  readonly countsPages: boolean;
  /** The outcome of a customer's validation. `by_hand`: it ends only when a test calls `validate`. */
  readonly validation: 'success' | 'failed' | 'by_hand';
}

/** The reading with which a simulator starts. */
export const PAYSTACK_DEFAULT: PaystackReading = {
  partRefunded: 'unchanged',
  allRefunded: 'reversed',
  refundId: 'refund_reference',
  unknownReference: 400,
  pageSize: 'perPage',
  countsPages: true,
  validation: 'success',
};
