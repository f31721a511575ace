import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/** The path of a file under shared/pages. */
export const resolvePath = (name: string): string =>
  fileURLToPath(new URL(`../../shared/pages/${name}`, import.meta.url));

/** Old phones are among those that pay: what their browsers of 2020 understand. */
const TARGET = 'es2020';

/** A style or script of a page, which stands in its HTML. @throws Error where that would end early. */
export const ensureNoClosingTag = (text: string): string => {
  if (/<\/(script|style)/i.test(text)) throw new Error('A style or script of a page must hold no closing tag.');
  return text;
};

/** A browser script, bundled and small. `format`: a module for a page of ours, or a script that any page loads. */
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
