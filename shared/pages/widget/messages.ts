/*
 * What the payment page in a merchant's frame tells the widget around it. The widget hands the page a port with GREETING; the page takes
 * it from its parent alone, and only if that is one of the business's websites.
 */

/** What the widget posts to the frame, with a port. */
export const GREETING = 'pay-by-transfer';

/** The state of the page's checkout, for the merchant's own page. It decides nothing: webhook and verify do. */
export interface CheckoutState {
  readonly reference: string;
  readonly status: string;
  readonly version: number;
}

export type PageMessage =
  /** The page is there. */
  | ({ readonly type: 'loaded' } & CheckoutState)
  /** Its checkout changed. */
  | ({ readonly type: 'status' } & CheckoutState)
  /** The payer says that the money was sent. */
  | { readonly type: 'transfer_reported' }
  /** How high the page is, in CSS pixels. */
  | { readonly type: 'resize'; readonly height: number }
  /** The payer wants to leave. */
  | { readonly type: 'close' }
  /** Escape was pressed, which closes a dialog and nothing else. */
  | { readonly type: 'escape' };
