/**
 * How Paystack does what its sources leave open or tell differently, and how its business is set up. Nothing here is known of the real one
 * (providers.md section 1): the service must be right under each reading.
 */
export interface PaystackReading {
  /** How a look-up and a list show a transaction of which a part was refunded. */
  readonly partRefunded: 'unchanged' | 'reduced' | 'reversed';
  /** The same, when all of it was refunded. */
  readonly allRefunded: 'reversed' | 'unchanged';
  /** The field of `refund.processed` with the refund's own id; `none` when it has no id. */
  readonly refundId: 'refund_reference' | 'id' | 'none';
  /** How a look-up answers about a reference that it does not know. */
  readonly unknownReference: 400 | 404;
  /** Which parameter a list takes as the size of its pages, and whether it counts its pages. */
  readonly pageSize: 'perPage' | 'per_page';
  readonly countsPages: boolean;
  /** How the validation of a customer ends; `by_hand` when nothing happens before `validate`. */
  readonly validation: 'success' | 'failed' | 'by_hand';
}

/** The readings that a simulator starts with. */
export const PAYSTACK_DEFAULT: PaystackReading = {
  partRefunded: 'unchanged',
  allRefunded: 'reversed',
  refundId: 'refund_reference',
  unknownReference: 400,
  pageSize: 'perPage',
  countsPages: true,
  validation: 'success',
};
