import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/** Returns the path of a file under shared/pages. */
export const resolvePath = (name: string): string =>
  fileURLToPath(new URL(`../../shared/pages/${name}`, import.meta.url));

/** Payers use old phones, so scripts must run in browsers of 2020. */
const TARGET = 'es2020';

/** Returns a style or script that will be inside the HTML of a page. @throws Error if it contains a closing tag, which would end it early. */
export const ensureNoClosingTag = (text: string): string => {
  if (/<\/(script|style)/i.test(text)) throw new Error('A style or script of a page must not contain a closing tag.');
  return text;
};

/** Bundles and minifies a browser script. `format`: `esm` for our own pages, `iife` for a script that any page may load. */
export const browserScript = (entry: string, format: 'esm' | 'iife', target = TARGET): string => {
  const { outputFiles } = buildSync({
    entryPoints: [resolvePath(entry)],
    bundle: true,
    minify: true,
    write: false,
    format,
    target,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    charset: 'utf8',
    legalComments: 'none',
    alias: { '#shared': resolvePath('..') },
  });
  const [script] = outputFiles;
  if (!script || outputFiles.length > 1) throw new Error(`${entry} must bundle to one file.`);
  return script.text.trim();
};
