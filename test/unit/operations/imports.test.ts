import { readFileSync } from 'node:fs';
import { findCircle, groupByFolder, readImports } from '#infra/lint/imports.ts';

/** The imports of all code that is deployed or run. */
const product = readImports('shared', 'functions', 'infra');

test('every import of our own code leads to a file', () => {
  const targets = [...product.values()].flat().filter((path) => /^(functions|shared|infra)\/.*\.tsx?$/.test(path));
  expect(targets.length).toBeGreaterThan(1_000);
  expect(targets.filter((path) => !product.has(path))).toEqual([]);
});

test('no file imports itself through other files', () => {
  // The dashboard's components (.tsx) are left out, because they call each other.
  const withoutComponents = [...product].filter(([file]) => file.endsWith('.ts'));
  expect(findCircle(new Map(withoutComponents))).toBeUndefined();
});

test.each(['domain', 'contract', 'use-cases', 'store'])(
  'the %s folder of a capability does not import itself through the same folder of other capabilities',
  (layer) => {
    const folders = groupByFolder(readImports(`shared/*/${layer}`));
    expect(folders.size).toBeGreaterThan(5);
    expect(findCircle(folders)).toBeUndefined();
  },
);

test('no folder of infra imports itself through other folders', () => {
  // A folder and its subfolders belong together, so imports between them do not count.
  const isWithin = (left: string, right: string) => left.startsWith(`${right}/`) || right.startsWith(`${left}/`);
  const folders = [...groupByFolder(readImports('infra'))].map(
    ([from, targets]) => [from, targets.filter((to) => !isWithin(from, to))] as const,
  );
  expect(findCircle(new Map(folders))).toBeUndefined();
});

test('the domain has no clock, no randomness and no I/O', () => {
  const impure =
    /Date\.now|new Date\(\)|Math\.random|random(?:Bytes|UUID|Int)|process\.|\bfetch\(|from 'node:(?!crypto'|net')/;
  const files = [...readImports('shared/*/domain').keys()];
  expect(files.length).toBeGreaterThan(40);
  expect(files.filter((file) => impure.test(readFileSync(file, 'utf8')))).toEqual([]);
});

test('a circle of imports is found and named', () => {
  const imports = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', []],
    ['d', ['b']],
  ]);
  expect(findCircle(imports)).toEqual(['b', 'd', 'b']);
});
