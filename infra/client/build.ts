import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

/* Builds the client for TypeScript and JavaScript as a package without dependencies, for `npm publish` or `npm install <folder>`. */

const SOURCE = 'shared/client';
/** A program of the guide that the package's readme shows. */
const PROGRAM = 'infra/openapi/guide/programs/client.ts';

/** Builds the package. Replaces the whole content of the folder by it. */
export const buildClient = (folder: string): void => {
  const { version, license, engines } = JSON.parse(readFileSync('package.json', 'utf8'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  buildSync({
    entryPoints: [join(SOURCE, 'index.ts')],
    outfile: join(folder, 'index.js'),
    bundle: true,
    format: 'esm',
    // It must run in Node, Deno, Bun, workers and browsers.
    platform: 'neutral',
    target: 'es2022',
  });
  execFileSync('node_modules/.bin/tsc', ['-p', SOURCE, '--outDir', folder]);
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.d.ts'))) {
    const text = readFileSync(join(folder, name), 'utf8');
    writeFileSync(join(folder, name), text.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"));
  }
  const manifest = {
    name: 'payments-client',
    version,
    description: 'Checkouts, virtual accounts and webhooks of the payments API.',
    license,
    type: 'module',
    sideEffects: false,
    engines,
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    files: ['*.js', '*.d.ts'],
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const readme = readFileSync('infra/client/package-readme.md', 'utf8');
  writeFileSync(
    join(folder, 'README.md'),
    readme.replace('{{client.ts}}', () => readFileSync(PROGRAM, 'utf8').trim()),
  );
  copyFileSync('LICENSE', join(folder, 'LICENSE'));
};

if (import.meta.main) {
  const folder = '.build/client';
  buildClient(folder);
  process.stdout.write(
    `The client is in ${folder}. To try it in a project, run there: npm install <path of this repository>/${folder}\n`,
  );
}
