/** The style and the script of the page as they stand in it, with their hashes for its policy (infra/pages/checkout-assets.ts makes them). */
export interface CheckoutAssets {
  readonly style: string;
  readonly script: string;
  readonly styleHash: string;
  readonly scriptHash: string;
}
