import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { makePage } from './page.ts';
import { documentText, SERVER_PLACEHOLDER } from './published/document.ts';

/** The file beside the code of `serve-docs`. */
const PAGE_FILE = 'page.html.br';
const SMALLEST = 11;

/** What stands in the bundles in place of `published/document.ts`: its values. */
const documentModule = (): string => `
  export const SERVER_PLACEHOLDER = ${JSON.stringify(SERVER_PLACEHOLDER)};
  export const documentText = () => ${JSON.stringify(documentText())};`;

/** The same for `published/page.ts`: the page lies beside the code, so that it is neither packed into text nor parsed. */
const pageModule = ({ policy, etag }: { policy: string; etag: string }): string => `
  import { readFileSync } from 'node:fs';
  import { join } from 'node:path';
  let page;
  export const docsPage = () => (page ??= {
    policy: ${JSON.stringify(policy)},
    etag: ${JSON.stringify(etag)},
    brotli: readFileSync(join(__dirname, ${JSON.stringify(PAGE_FILE)})),
  });`;

/** Makes the API document and its page while the functions are built, and puts them where `infra/openapi/published` is imported. */
export const publishing = () => {
  const page = makePage(SMALLEST);
  const plugin: Plugin = {
    name: 'publish',
    setup: (build) => {
      build.onLoad({ filter: /[\\/]infra[\\/]openapi[\\/]published[\\/]document\.ts$/ }, () => ({
        contents: documentModule(),
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
    /** Puts the page into the folder of the function that serves it. */
    writePage: (folder: string): Promise<void> => writeFile(join(folder, PAGE_FILE), page.brotli),
  };
};
