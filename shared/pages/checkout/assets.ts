/** The page's inline style and script, with their hashes for its content security policy. infra/pages/checkout-assets.ts makes them. */
export interface CheckoutAssets {
  readonly style: string;
  readonly script: string;
  readonly styleHash: string;
  readonly scriptHash: string;
}
