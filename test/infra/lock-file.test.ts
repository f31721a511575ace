import { readFile } from 'node:fs/promises';

interface Locked {
  readonly optionalDependencies?: Record<string, string>;
}

describe('the lock file', () => {
  test('has an entry for every optional platform package: where one is missing, newer versions of npm refuse `npm ci`', async () => {
    const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
      packages: Record<string, Locked>;
    };
    const named = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies));
    const missing = named.filter(
      (name) => !Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`)),
    );
    expect(missing).toEqual([]);
  });
});
