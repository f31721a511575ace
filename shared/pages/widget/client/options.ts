/* Defines the widget's options. Callbacks are for display only: the webhook or verify decides whether an order is paid. */

/** A checkout's state as the payment page shows it. */
export interface State {
  readonly reference: string | null;
  readonly status: string | null;
}

export interface Callbacks {
  onLoad?(state: State): void;
  onStatus?(state: State & { readonly version: number }): void;
  onPaid?(state: Pick<State, 'reference'>): void;
  onError?(error: { readonly code: string; readonly message: string }): void;
  /** Called exactly once, after all other callbacks. */
  onClose?(state: State): void;
}

/** A checkout that the widget starts in the browser, with a public key. */
export interface NewCheckout {
  readonly key: string;
  readonly businessId: string;
  readonly amount: number;
  readonly payerEmail: string;
  readonly payerName?: string;
  readonly merchantReference?: string;
  readonly description?: string;
}

export interface Options extends Callbacks, Partial<NewCheckout> {
  /** The `checkout_url` that the merchant's server received. */
  readonly checkoutUrl?: string;
  /** The element, or its selector, that shows the page. If it is absent, a dialog does. */
  readonly container?: Element | string;
}

/** Writes the request body that starts a checkout. */
export const toRequestBody = ({
  amount,
  payerEmail,
  payerName,
  merchantReference,
  description,
}: Partial<NewCheckout>): string =>
  JSON.stringify({
    amount,
    payer_email: payerEmail,
    payer_name: payerName,
    merchant_reference: merchantReference,
    description,
  });

/**
 * Writes a text that is the same for the same options. If the starter gets options with the same text within some seconds, it starts no second
 * checkout.
 */
export const nameCheckout = (options: Options): string =>
  `${options.key} ${options.businessId} ${toRequestBody(options)}`;
