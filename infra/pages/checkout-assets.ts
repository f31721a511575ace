import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import type { CheckoutAssets } from '#shared/pages/checkout/assets.ts';
import { sourceHash } from '#shared/pages/source-hash.ts';
import { browserScript, ensureNoClosingTag, resolvePath } from './browser-script.ts';

/* Runs when the functions are built. Bundles contain only its result, not this code (infra/openapi/build-plugin.ts). */

/** Payers use old phones, so styles must work in browsers of 2020. */
const STYLE_TARGET = ['chrome87', 'safari14', 'firefox78'];

let cached: CheckoutAssets | undefined;

/** Builds the style and the script of the payment page, with their hashes. */
export const checkoutAssets = (): CheckoutAssets => {
  if (cached) return cached;
  const css = readFileSync(resolvePath('checkout/style.css'), 'utf8');
  const style = ensureNoClosingTag(
    transformSync(css, { loader: 'css', minify: true, target: STYLE_TARGET }).code.trim(),
  );
  const script = ensureNoClosingTag(browserScript('checkout/client/page.ts', 'esm'));
  cached = { style, script, styleHash: sourceHash(style), scriptHash: sourceHash(script) };
  return cached;
};
