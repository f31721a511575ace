import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The imports of each file: paths from the root of the repository, and names of packages. */
type Imports = ReadonlyMap<string, readonly string[]>;

const SPECIFIER = /\b(?:from|import)\s*\(?\s*'([^'\s]+)'/g;

const resolveTarget = (file: string, specifier: string): string =>
  specifier.startsWith('.') ? join(dirname(file), specifier) : specifier.replace('#', '');

/** Reads the imports of every TypeScript file below some folders. */
export const readImports = (...folders: readonly string[]): Imports =>
  new Map(
    folders
      .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`))
      .sort()
      .map((file) => {
        const specifiers = readFileSync(file, 'utf8').matchAll(SPECIFIER);
        return [file, [...specifiers].map(([, specifier = '']) => resolveTarget(file, specifier))];
      }),
  );

/** Groups imports by folder. A folder imports another if one of its files does. */
export const groupByFolder = (imports: Imports): Imports => {
  const byFolder = new Map<string, Set<string>>();
  for (const [file, targets] of imports) {
    const folder = dirname(file);
    const others = byFolder.get(folder) ?? new Set();
    for (const other of targets.map((target) => dirname(target))) if (other !== folder) others.add(other);
    byFolder.set(folder, others);
  }
  return new Map([...byFolder].map(([folder, others]) => [folder, [...others].sort()]));
};

/** Finds a circle of imports, with its first member repeated at the end; undefined if there is none. */
export const findCircle = (imports: Imports): readonly string[] | undefined => {
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return undefined;
    for (const next of imports.get(node) ?? []) {
      const circle = visit(next, [...path, node]);
      if (circle) return circle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of imports.keys()) {
    const circle = visit(node, []);
    if (circle) return circle;
  }
  return undefined;
};
