/*
 * What a merchant's page may ask of the widget. Callbacks are for that page alone: whether an order is paid, webhook and verify say.
 */

/** A checkout's state as the payer's page shows it. */
export interface State {
  readonly reference: string | null;
  readonly status: string | null;
}

export interface Callbacks {
  onLoad?(state: State): void;
  onStatus?(state: State & { readonly version: number }): void;
  onPaid?(state: Pick<State, 'reference'>): void;
  onError?(error: { readonly code: string; readonly message: string }): void;
  /** Always called, exactly once, after everything else. */
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
  /** The `checkout_url` that the merchant's server got. */
  readonly checkoutUrl?: string;
  /** An element, or its selector, in which the page is shown; a dialog where it is absent. */
  readonly container?: Element | string;
}

/** What starting a checkout sends. */
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

/** Names a checkout that is wanted: the same name within some seconds is the same checkout. */
export const nameCheckout = (options: Options): string =>
  `${options.key} ${options.businessId} ${toRequestBody(options)}`;
