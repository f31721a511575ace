import { readFile } from 'node:fs/promises';
import { build, stop } from 'esbuild';

afterAll(() => stop());

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly inBundle?: boolean;
  readonly hasInstallScript?: boolean;
  readonly optionalDependencies?: Record<string, string>;
}
interface Manifest {
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
  readonly allowScripts: Record<string, boolean>;
  readonly optionalDependencies: Record<string, string>;
  readonly peerDependencies: Record<string, string>;
}

const manifest: Manifest = JSON.parse(await readFile('package.json', 'utf8'));
const lock: { packages: Record<string, Locked> } = JSON.parse(await readFile('package-lock.json', 'utf8'));
const installed = Object.entries(lock.packages).filter(([path]) => path !== '');
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/**
 * Binaries for platforms that the registry did not serve when the lock file was last written (22 November 2026, each one tried), so
 * that no hash could be recorded. npm installs none of them on Linux with glibc on x64 or arm64.
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

  test('names only the public registry', () => {
    const elsewhere = installed.filter(
      ([, { resolved = 'https://registry.npmjs.org/' }]) => !resolved.startsWith('https://registry.npmjs.org/'),
    );
    expect(elsewhere.map(([path]) => path)).toEqual([]);
  });

  test('denies every install script', () => {
    const scripted = installed
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => [nameOf(path), false]);
    expect(manifest.allowScripts).toEqual(Object.fromEntries(scripted));
  });

  test('pins a Node of Lambda’s major for Linux and macOS', async () => {
    const major = (await readFile('.nvmrc', 'utf8')).trim();
    const nodes = Object.entries(manifest.optionalDependencies).filter(([name]) => name.startsWith('node-'));
    expect(nodes.map(([name]) => name.replace('-bin', ''))).toEqual(
      ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'].map((platform) => `node-${platform}`),
    );
    for (const [name, version] of nodes) {
      expect(version).toMatch(new RegExp(`^${major}\\.\\d+\\.\\d+$`));
      expect(lock.packages[`node_modules/${name}`]).toMatchObject({ version, integrity: expect.any(String) });
    }
  });
});

test('`npm start`, the operations command and the functions load no tool for checks or deployments', async () => {
  const { metafile } = await build({
    entryPoints: ['infra/local/**/*.ts', 'infra/ops/main.ts', 'functions/*/handler.ts'],
    outdir: 'unused',
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
  });
  const imported = Object.entries(metafile.inputs).flatMap(([file, { imports }]) =>
    imports.filter(({ external }) => external).map(({ path }) => ({ file, path })),
  );
  expect(imported.map(({ path }) => path)).toContain('fauxqs');
  const tools = Object.keys(manifest.peerDependencies);
  expect(imported.filter(({ path }) => tools.some((tool) => path === tool || path.startsWith(`${tool}/`)))).toEqual([]);
});

test('the page about dependencies gives a reason for exactly the packages that are installed', async () => {
  const page = await readFile('infra/docs/dependencies.md', 'utf8');
  const [, table = ''] = page.split(/^## Why each is there$/m);
  const rows = [...(table.split('\n## ')[0] ?? '').matchAll(/^\| (`.*?`) \| \S/gm)].map(([, names = '']) => names);
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = manifest;
  const all = { ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies };
  expect(rows.flatMap((names) => names.replaceAll('`', '').split(', ')).sort()).toEqual(Object.keys(all).sort());
});
