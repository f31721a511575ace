import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync, transformSync } from 'esbuild';
import type { CheckoutAssets } from '#shared/pages/checkout/assets.ts';

/* Evaluated when the functions are built: the bundle holds the values, and nothing that makes them (infra/openapi/build-plugin.ts). */

const pathOf = (name: string): string => fileURLToPath(new URL(`../../shared/pages/${name}`, import.meta.url));

/** Old phones are among those that pay: what their browsers of 2020 understand. */
const SCRIPT_TARGET = 'es2020';
const STYLE_TARGET = ['chrome87', 'safari14', 'firefox78'];

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** A browser script, bundled and small. `format`: a module for a page of ours, or a script that any page loads. */
export const browserScript = (entry: string, format: 'esm' | 'iife'): string => {
  const { outputFiles } = buildSync({
    entryPoints: [pathOf(entry)],
    bundle: true,
    minify: true,
    write: false,
    format,
    target: SCRIPT_TARGET,
    charset: 'utf8',
    legalComments: 'none',
    alias: { '#shared': pathOf('..') },
  });
  const [script] = outputFiles;
  if (!script || outputFiles.length > 1) throw new Error(`${entry} must bundle to one file.`);
  return script.text.trim();
};

const refuseEnd = (text: string): string => {
  if (/<\/(script|style)/i.test(text)) throw new Error('A style or script of a page must hold no closing tag.');
  return text;
};

let made: CheckoutAssets | undefined;

/** The style and the script of the payer's page, with their hashes. */
export const checkoutAssets = (): CheckoutAssets => {
  if (made) return made;
  const css = readFileSync(pathOf('checkout/style.css'), 'utf8');
  const style = refuseEnd(transformSync(css, { loader: 'css', minify: true, target: STYLE_TARGET }).code.trim());
  const script = refuseEnd(browserScript('checkout/client/page.ts', 'esm'));
  made = { style, script, styleHash: hashOf(style), scriptHash: hashOf(script) };
  return made;
};
