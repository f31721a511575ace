import { mkdir, rename, rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { ALL_FUNCTIONS } from '#infra/dashboard-functions.ts';
import { makePublisher } from '#infra/openapi/build-plugin.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Where `cdk` builds the functions to; git ignores it. */
export const BUILD_DIR = join(ROOT, '.build');

/** Where the maps of what was built there are, for whoever reads a stack trace. */
export const MAPS_DIR = join(BUILD_DIR, 'maps');

/** A function's file, and the export in it, as Lambda names them. */
export const LAMBDA_HANDLER = 'index.handler';

/** The functions, built. */
export interface BuiltFunctions {
  /** The folder that holds a function's code and nothing else. */
  readonly findFolder: (functionName: string) => string;
  /** Bytes of a function's code, minified. */
  readonly countBytes: (functionName: string) => number;
  /** What esbuild knows of every bundle: which modules it holds, and how much of each. */
  readonly metafile: Metafile;
}

const findOutput = (metafile: Metafile, file: string) => metafile.outputs[relative(ROOT, file).replaceAll('\\', '/')];

/**
 * Packages that the SDK imports only when it needs them, which on Lambda is never: credentials stand in the environment there, and no
 * call of ours streams events. They would make every function 150 kB larger.
 */
const NEVER_LOADED = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@smithy/core/event-streams',
  '@smithy/credential-provider-imds',
];

/**
 * How a function is bundled. CommonJS, because Node starts it faster than modules (47–50 against 57–59 ms for a whole endpoint)
 * and no handler awaits at its top level or reads `import.meta`.
 */
const BUNDLE = {
  absWorkingDir: ROOT,
  bundle: true,
  minify: true,
  format: 'cjs',
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  external: NEVER_LOADED,
  define: { 'process.env.NODE_ENV': '"production"' },
  legalComments: 'none',
  logLevel: 'silent',
} satisfies BuildOptions;

/**
 * Bundles every function of the manifest in one pass: `<outDir>/code/<name>/index.js` goes to Lambda, `<outDir>/maps/<name>.map`
 * stays for whoever reads a stack trace.
 * @throws Error when a handler does not bundle, or esbuild warns: of `import.meta` in CommonJS it only warns.
 */
export const buildFunctions = async (outDir: string): Promise<BuiltFunctions> => {
  const findFolder = (name: string): string => join(outDir, 'code', name);
  await rm(outDir, { recursive: true, force: true });
  await mkdir(join(outDir, 'maps'), { recursive: true });
  const { plugin: publish, writeAssets } = makePublisher();
  const { metafile, warnings } = await build({
    ...BUNDLE,
    entryPoints: ALL_FUNCTIONS.map(({ name }) => ({ in: `functions/${name}/handler.ts`, out: `${name}/index` })),
    outdir: join(outDir, 'code'),
    plugins: [publish],
    sourcemap: 'external',
    sourcesContent: false,
    metafile: true,
  });
  if (warnings.length > 0) throw new Error(`esbuild warns: ${warnings.map(({ text }) => text).join(' ')}`);
  // Code goes to Lambda, and what a function serves from a file: a map there would make every package three times as large.
  await Promise.all(
    ALL_FUNCTIONS.map(({ name }) =>
      rename(join(findFolder(name), 'index.js.map'), join(outDir, 'maps', `${name}.map`)),
    ),
  );
  await writeAssets(findFolder);
  const countBytes = (name: string): number => {
    const output = findOutput(metafile, join(findFolder(name), 'index.js'));
    if (!output) throw new Error(`There is no function "${name}" in the manifest.`);
    return output.bytes;
  };
  return { findFolder, countBytes, metafile };
};
