import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import type { CheckoutAssets } from '#shared/pages/checkout/assets.ts';
import { sourceHash } from '#shared/pages/source-hash.ts';
import { browserScript, ensureNoClosingTag, resolvePath } from './browser-script.ts';

/* Evaluated when the functions are built: the bundle holds the values, and nothing that makes them (infra/openapi/build-plugin.ts). */

/** Old phones are among those that pay: what their browsers of 2020 understand. */
const STYLE_TARGET = ['chrome87', 'safari14', 'firefox78'];

let cached: CheckoutAssets | undefined;

/** The style and the script of the payer's page, with their hashes. */
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
