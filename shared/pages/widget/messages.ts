/*
 * Defines the messages from the payment page in a frame to the widget around it. The widget sends GREETING with a port. The page accepts the port
 * only from its parent window, and only if that window shows one of the business's websites or, in test mode, a page of the developer's own
 * machine.
 */

/** The message with which the widget hands the page a port. */
export const GREETING = 'pay-by-transfer';

/** The checkout's state, for display on the merchant's page. Whether an order is paid is decided by the webhook or by verify. */
export interface CheckoutState {
  readonly reference: string;
  readonly status: string;
  readonly version: number;
}

export type PageMessage =
  /** The page has loaded. */
  | ({ readonly type: 'loaded' } & CheckoutState)
  /** The checkout changed. */
  | ({ readonly type: 'status' } & CheckoutState)
  /** The payer says that the money was sent. */
  | { readonly type: 'transfer_reported' }
  /** The page's height changed; `height` is in CSS pixels. */
  | { readonly type: 'resize'; readonly height: number }
  /** The payer wants to leave. */
  | { readonly type: 'close' }
  /**
   * Escape was pressed in the page. If the widget shows the page in a dialog, it closes the dialog. A page in an element of the merchant stays
   * open.
   */
  | { readonly type: 'escape' };
