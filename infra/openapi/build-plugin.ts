import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Plugin } from 'esbuild';
import { checkoutAssets } from '#infra/pages/checkout-assets.ts';
import { dashboardPage } from '#infra/pages/dashboard-page.ts';
import { widgetScript } from '#infra/pages/widget-script.ts';
import { documentJson } from './published/document.ts';
import { llmsText } from './published/llms.ts';
import { postmanCollection } from './published/postman.ts';
import { routes } from './published/routes.ts';
import { site } from './published/site.ts';
import { documentYaml } from './published/yaml.ts';

const BEST_QUALITY = 11;

/** A text that is made at build time. It is a file beside the code of the function that serves it, so that no bundle contains it. */
interface Asset {
  readonly functionName: string;
  /** The module of `published/` that makes the text if there was no build. */
  readonly module: string;
  /** The file, compressed with brotli. */
  readonly file: string;
  readonly brotli: Buffer;
  /** The code that replaces the module in the bundle: it reads the file once. */
  readonly contents: string;
}

const makeReaderCode = (file: string): string => `
  import { readFileSync } from 'node:fs';
  import { join } from 'node:path';
  import { brotliDecompressSync } from 'node:zlib';
  const packed = () => readFileSync(join(__dirname, ${JSON.stringify(file)}));
  let made;`;

const compress = (text: string): Buffer =>
  brotliCompressSync(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BEST_QUALITY,
      // Pages repeat each other. Brotli finds a repetition only within its window, so the window must reach back to an earlier page.
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    },
  });

const makeSiteAsset = (): Asset => {
  const file = 'site.json.br';
  const contents = `${makeReaderCode(file)}
  export const site = () => (made ??= JSON.parse(brotliDecompressSync(packed()).toString()));`;
  return { functionName: 'serve-docs', module: 'site', file, brotli: compress(JSON.stringify(site())), contents };
};

/** A text with the placeholders for the address and the contact of a stage. */
interface PublishedText {
  readonly text: string;
  readonly placeholders: object;
}

const makeTextAsset = (
  functionName: string,
  module: string,
  exported: string,
  file: string,
  { text, placeholders }: PublishedText,
): Asset => {
  const contents = `${makeReaderCode(file)}
  export const ${exported} = () =>
    (made ??= { text: brotliDecompressSync(packed()).toString(), placeholders: ${JSON.stringify(placeholders)} });`;
  return { functionName, module, file, brotli: compress(text), contents };
};

/**
 * Runs, at build time, the modules whose results the functions serve: all of `infra/openapi/published`, and three of `infra/pages`. The esbuild
 * plug-in replaces each of these modules by code that contains the result, or reads it from a file.
 */
export const makePublisher = () => {
  const assets = [
    makeSiteAsset(),
    makeTextAsset('serve-openapi', 'document', 'documentJson', 'openapi.json.br', documentJson()),
    makeTextAsset('serve-openapi-yaml', 'yaml', 'documentYaml', 'openapi.yaml.br', documentYaml()),
    makeTextAsset('serve-postman-collection', 'postman', 'postmanCollection', 'postman.json.br', postmanCollection()),
    makeTextAsset('serve-llms-txt', 'llms', 'llmsText', 'llms.txt.br', llmsText()),
  ];
  const plugin: Plugin = {
    name: 'publish',
    setup: (build) => {
      for (const { module, contents } of assets) {
        const filter = new RegExp(`[\\\\/]infra[\\\\/]openapi[\\\\/]published[\\\\/]${module}\\.ts$`);
        build.onLoad({ filter }, () => ({ contents, loader: 'js' }));
      }
      build.onLoad({ filter: /[\\/]infra[\\/]pages[\\/]checkout-assets\.ts$/ }, () => ({
        contents: `export const checkoutAssets = () => (${JSON.stringify(checkoutAssets())});`,
        loader: 'js',
      }));
      build.onLoad({ filter: /[\\/]infra[\\/]pages[\\/]dashboard-page\.ts$/ }, () => ({
        contents: `export const dashboardPage = () => (${JSON.stringify(dashboardPage())});`,
        loader: 'js',
      }));
      build.onLoad({ filter: /[\\/]infra[\\/]pages[\\/]widget-script\.ts$/ }, () => ({
        contents: `export const widgetScript = () => ${JSON.stringify(widgetScript())};`,
        loader: 'js',
      }));
      build.onLoad({ filter: /[\\/]infra[\\/]openapi[\\/]published[\\/]routes\.ts$/ }, () => ({
        contents: `export const routes = () => ${JSON.stringify(routes())};`,
        loader: 'js',
      }));
    },
  };
  return {
    plugin,
    /** The functions that have a file beside their code, and the name of the file. */
    assets: assets.map(({ functionName, file }) => ({ functionName, file })),
    /** Writes each file into the folder of the function that serves it. */
    writeAssets: async (findFolder: (functionName: string) => string): Promise<void> => {
      await Promise.all(
        assets.map(({ functionName, file, brotli }) => writeFile(join(findFolder(functionName), file), brotli)),
      );
    },
  };
};
