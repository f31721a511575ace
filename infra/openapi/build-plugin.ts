import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { makePage } from './page/page.ts';
import { documentText, SERVER_PLACEHOLDER } from './published/document.ts';
import { routes } from './published/routes.ts';

/** The file beside the code of `serve-docs`. */
const PAGE_FILE = 'page.html.br';
const SMALLEST = 11;

/** What replaces `published/document.ts` in the bundles: the values that it would compute. */
const documentModule = (): string => `
  export const SERVER_PLACEHOLDER = ${JSON.stringify(SERVER_PLACEHOLDER)};
  export const documentText = () => ${JSON.stringify(documentText())};`;

/** The same for `published/routes.ts`. */
const routesModule = (): string => `export const routes = () => ${JSON.stringify(routes())};`;

/** The same for `published/page.ts`. The page is a file beside the code, so that the bundle does not contain it. */
const pageModule = ({ policy, etag }: { policy: string; etag: string }): string => `
  import { readFileSync } from 'node:fs';
  import { join } from 'node:path';
  let page;
  export const docsPage = () => (page ??= {
    policy: ${JSON.stringify(policy)},
    etag: ${JSON.stringify(etag)},
    brotli: readFileSync(join(__dirname, ${JSON.stringify(PAGE_FILE)})),
  });`;

/** An esbuild plug-in that makes the API document, its page and the list of routes while the functions are built, in place of `infra/openapi/published`. */
export const publishing = () => {
  const page = makePage(SMALLEST);
  const plugin: Plugin = {
    name: 'publish',
    setup: (build) => {
      build.onLoad({ filter: /[\\/]infra[\\/]openapi[\\/]published[\\/]document\.ts$/ }, () => ({
        contents: documentModule(),
        loader: 'js',
      }));
      build.onLoad({ filter: /[\\/]infra[\\/]openapi[\\/]published[\\/]routes\.ts$/ }, () => ({
        contents: routesModule(),
        loader: 'js',
      }));
      build.onLoad({ filter: /[\\/]infra[\\/]openapi[\\/]published[\\/]page\.ts$/ }, () => ({
        contents: pageModule(page),
        loader: 'js',
      }));
    },
  };
  return {
    plugin,
    /** Writes the page into the folder of the function that serves it. */
    writePage: (folder: string): Promise<void> => writeFile(join(folder, PAGE_FILE), page.brotli),
  };
};
